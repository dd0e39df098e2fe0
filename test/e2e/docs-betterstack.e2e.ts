import { expect, test } from "bun:test";
import { readPage } from "../support/documentation/page.ts";
import { Reader } from "../support/documentation/reader.ts";
import { listedHeartbeat, listedMonitor } from "../support/import/betterstack.ts";
import { startPagedApi } from "../support/servers/paged-api.ts";

const PAGE = "docs/from-betterstack.md";

/** The monitors of the page, one on its first answer. @param url the address of the server of the page */
const monitors = (url: string) => [
  [
    listedMonitor({
      ...{
        url: `${url}/healthz`,
        pronounceable_name: "Shop",
        monitor_type: "keyword",
        required_keyword: "ok",
      },
      ...{
        check_frequency: 30,
        request_timeout: 15,
        confirmation_period: 120,
        monitor_group_id: 5,
        call: true,
      },
      ...{
        request_headers: [{ id: "1", name: "X-Token", value: "potato" }],
        regions: ["us", "eu"],
        email: true,
      },
      ...{ maintenance_from: "03:00:00", maintenance_to: "04:00:00", maintenance_timezone: "Amsterdam" },
      maintenance_days: ["sun"],
    }),
  ],
  [
    listedMonitor(
      { monitor_type: "playwright", pronounceable_name: "Sign in", scenario_name: "Sign in", url: "" },
      "3",
    ),
  ],
];

const part = (type: string, id: string, attributes: object) => ({ id, type, attributes });

test(`${PAGE} does what it says, against a server that speaks the API of Better Stack`, async () => {
  const lists: Record<string, unknown[][]> = {
    "/api/v2/heartbeats": [[listedHeartbeat({ period: 86_400, grace: 3600 })]],
    "/api/v2/monitor-groups": [[part("monitor_group", "5", { name: "Web", sort_index: null })]],
    "/api/v2/heartbeat-groups": [[]],
    "/api/v2/status-pages": [
      [
        part("status_page", "901", {
          company_name: "Acme",
          subdomain: "acme",
          timezone: "UTC",
          published: true,
        }),
      ],
    ],
    "/api/v2/status-pages/901/sections": [
      [part("status_page_section", "30", { name: "Services", position: 0 })],
    ],
    "/api/v2/status-pages/901/resources": [
      [
        part("status_page_resource", "501", {
          ...{
            status_page_section_id: 30,
            resource_id: 2,
            resource_type: "Monitor",
            public_name: "Our shop",
          },
          position: 0,
        }),
      ],
    ],
  };
  await using api = startPagedApi({
    ...{ token: "0123456789abcdef01234567", lists },
    body: ({ entries, number, last, urlOf }) => ({
      data: entries,
      pagination: {
        ...{ first: urlOf(1), last: urlOf(last), prev: number > 1 ? urlOf(number - 1) : null },
        next: number < last ? urlOf(number + 1) : null,
      },
    }),
  });
  await using reader = new Reader({
    replace: { "https://uptime.betterstack.com/api/v2": `${api.url}/api/v2` },
  });
  lists["/api/v2/monitors"] = monitors(reader.here("http://127.0.0.1:7070"));
  await reader.follow(await readPage(PAGE));
  expect(api.paths).toContain("/api/v2/monitors?page=2");
}, 300_000);
