import { expect, test } from "bun:test";
import { readPage } from "../support/documentation/page.ts";
import { Reader } from "../support/documentation/reader.ts";
import { listedMonitor } from "../support/import/uptimerobot.ts";
import { startPagedApi } from "../support/servers/paged-api.ts";

const PAGE = "docs/from-uptimerobot.md";

const contact = (id: number, fields: object) => ({
  ...{
    id,
    enableNotificationsFor: "UpAndDown",
    status: "Active",
    sslExpirationReminder: false,
    customValue: null,
  },
  ...fields,
});

/** The monitors of the page, two on its first answer. @param url the address of the server of the page */
const monitors = (url: string) => [
  [
    listedMonitor({
      ...{
        id: 800_100_001,
        friendlyName: "Shop",
        type: "KEYWORD",
        url: `${url}/healthz`,
        interval: 60,
        timeout: 10,
      },
      ...{ keywordType: "ALERT_NOT_EXISTS", keywordValue: "ok", keywordCaseType: 1 },
      ...{ successHttpResponseCodes: ["2xx"], customHttpHeaders: { "X-Token": "potato" } },
      ...{ regionalData: { REGION: ["eu"] }, tags: [{ id: 1, name: "production", color: "#fff" }] },
      assignedAlertContacts: [{ alertContactId: 11, threshold: 5, recurrence: 0 }],
    }),
    listedMonitor({
      ...{ id: 800_100_002, friendlyName: "Backup", type: "HEARTBEAT", interval: 86_400, gracePeriod: 3600 },
      url: "https://heartbeat.uptimerobot.com/m800100002-0a1b2c3d4e5f60718293a4b5c6d7e8f9",
      assignedAlertContacts: [{ alertContactId: 11, threshold: 0, recurrence: 0 }],
    }),
  ],
  [
    listedMonitor({
      id: 800_100_003,
      friendlyName: "Game server",
      type: "UDP",
      url: "game.example.com",
      port: 7777,
    }),
  ],
];

test(`${PAGE} does what it says, against a server that speaks the API of UptimeRobot`, async () => {
  const lists: Record<string, unknown[][]> = {
    ...{ "/v3/monitor-groups": [[]], "/v3/maintenance-windows": [[]], "/v3/psps": [[]] },
    "/v3/integrations": [
      [
        contact(11, {
          type: "Slack",
          friendlyName: "Team",
          value: "https://hooks.slack.com/services/T000/B000/XXXX",
        }),
      ],
    ],
    "/v3/user/alert-contacts": [[contact(12, { type: "SMS", friendlyName: "Phone", value: "+4912345" })]],
  };
  await using api = startPagedApi({
    ...{ token: "ur1234567-0123456789abcdef01234567", lists },
    body: ({ entries, number, last, urlOf }) => ({
      data: entries,
      nextLink: number < last ? urlOf(number + 1) : null,
    }),
  });
  await using reader = new Reader({ replace: { "https://api.uptimerobot.com": api.url } });
  lists["/v3/monitors"] = monitors(reader.here("http://127.0.0.1:7070"));
  await reader.follow(await readPage(PAGE));
  expect(api.paths).toContain("/v3/monitors?page=2");
}, 300_000);
