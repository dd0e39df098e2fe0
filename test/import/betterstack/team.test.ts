import { expect, test } from "bun:test";
import { faultOfAnswers, importBetterStack } from "../../../src/import/betterstack/betterstack.ts";
import { fromAnswers, linesOf, listedHeartbeat, listedMonitor } from "../../support/import/betterstack.ts";

const group = (type: string, id: string, name: string) => ({
  data: [{ id, type, attributes: { name, sort_index: null } }],
});

test("behavior 16.129: a group is a tag, of monitors and of heartbeats", () => {
  const { document } = fromAnswers(
    { data: [listedMonitor({ monitor_group_id: 5 })] },
    { data: [listedHeartbeat({ heartbeat_group_id: 5 })] },
    group("monitor_group", "5", "Web shop"),
    group("heartbeat_group", "5", "Jobs"),
  );
  expect(document.monitors?.shop?.tags).toEqual(["group:web-shop"]);
  expect(document.monitors?.backup?.tags).toEqual(["group:jobs"]);
  const lines = linesOf(fromAnswers({ data: [listedMonitor({ monitor_group_id: 5 })] }));
  expect(lines.join()).toContain("monitor_group_id: the file does not say the name of its group");
});

const page = (attributes: object = {}, id = "901") => ({
  data: [
    {
      id,
      type: "status_page",
      attributes: {
        company_name: "Acme",
        subdomain: "acme",
        timezone: "UTC",
        published: true,
        ...attributes,
      },
    },
  ],
});
const part = (type: string, id: string, attributes: object) => ({
  id,
  type: `status_page_${type}`,
  attributes,
});
const resource = (id: string, attributes: object) =>
  part("resource", id, { position: 0, status_page_section_id: 30, ...attributes });
const at = (path: string) => ({
  pagination: {
    first: `https://uptime.betterstack.com/api/v2${path}?page=1`,
    last: `https://uptime.betterstack.com/api/v2${path}?page=1`,
  },
});

const MONITORS = [
  {
    data: [
      listedMonitor({ monitor_group_id: 5 }),
      listedMonitor({ pronounceable_name: "B", monitor_group_id: 5 }, "3"),
    ],
  },
  { data: [listedHeartbeat()] },
  group("monitor_group", "5", "Web"),
];

test("behavior 16.129: a page shows monitors, heartbeats and groups, in the order and under the names of its sections", () => {
  const { document, omitted } = fromAnswers(
    ...MONITORS,
    page({ timezone: "Amsterdam", min_incident_length: 300, history: 30 }),
    {
      data: [
        part("section", "31", { name: "Jobs", position: 1 }),
        part("section", "30", { name: "Shop", position: 0 }),
      ],
    },
    {
      data: [
        resource("1", {
          resource_type: "Heartbeat",
          resource_id: 12345,
          public_name: "Nightly",
          status_page_section_id: 31,
        }),
        resource("2", {
          resource_type: "MonitorGroup",
          resource_id: 5,
          public_name: "All of it",
          position: 1,
        }),
        resource("3", { resource_type: "Monitor", resource_id: 2, public_name: "The shop" }),
      ],
    },
  );
  expect(document.pages?.acme).toEqual({
    ...{
      title: "Acme",
      slug: "acme",
      visibility: "public",
      days: 30,
      minOutage: 300,
      timezone: "Europe/Amsterdam",
    },
    components: [
      { monitorId: "shop", name: "The shop", group: "Shop" },
      { monitorId: "shop", group: "All of it" },
      { monitorId: "b", group: "All of it" },
      { monitorId: "backup", name: "Nightly", group: "Jobs" },
    ],
  });
  expect(omitted).toEqual([]);
});

test.each([
  [{ password_enabled: true }, "password: the answer does not say it"],
  [{ require_sso: true }, "require_sso"],
  [{ ip_allowlist: ["192.0.2.0/24"] }, "ip_allowlist"],
])("behavior 16.129: a page with %j is for nobody until its visibility is set", (attributes, line) => {
  const imported = fromAnswers(...MONITORS, page(attributes));
  expect(imported.document.pages?.acme).not.toHaveProperty("visibility");
  expect(linesOf(imported).join()).toContain(line);
});

test("behavior 16.129: of two pages, each has the resources whose address names it", () => {
  const shown = (id: string, resource_id: number) => ({
    data: [resource(id, { resource_type: "Monitor", resource_id, public_name: "X" })],
    ...at(`/status-pages/${id}/resources`),
  });
  const { document } = fromAnswers(
    ...MONITORS,
    page(),
    page({ company_name: "B", subdomain: "b" }, "902"),
    shown("901", 2),
    shown("902", 3),
  );
  const refs = (name: string) =>
    (document.pages?.[name]?.components as { monitorId: string }[])?.map(({ monitorId }) => monitorId);
  expect([refs("acme"), refs("b")]).toEqual([["shop"], ["b"]]);
});

test("behavior 16.103, 16.129: a resource that no page can show, or whose page is unknown, is listed", () => {
  const manual = resource("1", { resource_type: "ManuallyTrackedItem", public_name: "Office" });
  expect(linesOf(fromAnswers(...MONITORS, page(), { data: [manual] })).join()).toContain(
    "it is of the type ManuallyTrackedItem",
  );
  const lost = fromAnswers(...MONITORS, page(), page({ subdomain: "b" }, "902"), { data: [manual] });
  expect(linesOf(lost).join("\n")).toContain(
    "1 resources of status pages: the file does not say which page they are on",
  );
  expect(linesOf(fromAnswers(...MONITORS, page())).join()).toContain(
    "resources: the file does not say what the page shows",
  );
});

test("behavior 16.127: pages of an answer that are not in the file are listed, and so are entries of other types", () => {
  const url = (number: number) => `https://uptime.betterstack.com/api/v2/monitors?page=${number}`;
  const first = {
    data: [listedMonitor()],
    pagination: { first: url(1), last: url(2), prev: null, next: url(2) },
  };
  expect(linesOf(fromAnswers(first))).toEqual([
    "entries of the type monitor: the file has 1 of 2 pages: add the others to it",
  ]);
  const second = { ...first, data: [listedMonitor({ pronounceable_name: "B" }, "3")] };
  const whole = fromAnswers([first, second]);
  expect([Object.keys(whole.document.monitors ?? {}), linesOf(whole)]).toEqual([["shop", "b"], []]);
  const others = fromAnswers(first, second, {
    data: [
      { id: "1", type: "policy", attributes: {} },
      { id: "1", type: "constructor" },
    ],
  });
  expect(linesOf(others)).toEqual([
    "entries of the type policy: create schedules of who is on call, and channels",
    "entries of the type constructor: stillup does not import them",
  ]);
});

test("behavior 16.127: one entry, a list of entries, an answer and a list of answers are read alike", () => {
  const entry = listedMonitor();
  const wanted = fromAnswers({ data: [entry] }).document;
  for (const form of [[entry], [[entry]], [{ data: entry }], [[{ data: [entry] }]]])
    expect(fromAnswers(...form).document).toEqual(wanted);
  expect(faultOfAnswers([{ errors: "Unauthorized" }])).toBe("it has no monitors and no heartbeats");
});

test("behavior 16.93: no secret is in the document or in a line without --with-secrets", () => {
  const secrets = ["pa55-secret", "header-secret", "abcd1234secret", "proxy-secret", "env-secret"];
  const imported = importBetterStack(
    [
      {
        data: [
          listedMonitor({
            auth_username: "a",
            auth_password: "pa55-secret",
            request_headers: [{ name: "X-K", value: "header-secret" }],
          }),
          listedMonitor(
            {
              pronounceable_name: "B",
              proxy_host: "a:proxy-secret@p",
              environment_variables: { A: "env-secret" },
            },
            "3",
          ),
          listedHeartbeat({ url: "https://uptime.betterstack.com/api/v1/heartbeat/abcd1234secret" }),
        ],
      },
    ],
    { withSecrets: false },
  );
  for (const secret of secrets) expect(JSON.stringify(imported)).not.toContain(secret);
  expect(imported.secrets).toEqual(["HTTP_SHOP_X_K", "HTTP_SHOP_PASSWORD", "SCHEDULED_BACKUP_PUSH_TOKEN"]);
});
