import { expect, test } from "bun:test";
import { zoneOf } from "../../../src/import/betterstack/windows.ts";
import {
  fromAnswers,
  linesOf,
  listedHeartbeat,
  listedMonitor,
  monitorFrom,
} from "../../support/import/betterstack.ts";

const configOf = (attributes: Record<string, unknown>) =>
  monitorFrom(listedMonitor(attributes)).monitor?.config as Record<string, unknown> | undefined;

test("behavior 16.129: a monitor of a website is one with the same request, times and checks", () => {
  const { monitor, lines } = monitorFrom(
    listedMonitor({
      ...{
        http_method: "post",
        request_body: "{}",
        auth_username: "watch",
        auth_password: "pa55",
        request_timeout: 15,
      },
      ...{ request_headers: [{ id: "1", name: "X-A", value: "b" }], ssl_expiration: 14, ip_version: "ipv6" },
      ...{
        follow_redirects: false,
        paused_at: "2026-09-01T14:17:46.000Z",
        confirmation_period: 120,
        recovery_period: 60,
      },
    }),
  );
  expect(monitor).toEqual({
    ...{ name: "Shop", type: "HTTP", enabled: false, confirmations: 6, recoveries: 3 },
    config: {
      ...{
        url: "https://shop.example.com/",
        interval: 180,
        method: "POST",
        headers: { "X-A": "b" },
        body: "{}",
      },
      ...{ basicAuth: { user: "watch", password: "pa55" }, timeout: 15, expiryWarning: 14, ipFamily: 6 },
      expect: { status: ["2xx"] },
    },
  });
  expect(lines).toEqual([]);
});

const ANY = ["200-999"];

test.each<[Record<string, unknown>, Record<string, unknown>]>([
  [{ monitor_type: "status" }, { status: ["2xx"] }],
  [{ monitor_type: "expected_status_code", expected_status_codes: [301, 404] }, { status: [301, 404] }],
  [
    { monitor_type: "keyword", required_keyword: "Basket" },
    { status: ANY, contains: "Basket" },
  ],
  [
    { monitor_type: "keyword_absence", required_keyword: "error" },
    { status: ANY, lacks: "error" },
  ],
])("behavior 16.129: %j is what must be there, and never the opposite", (attributes, wanted) => {
  expect(configOf(attributes)?.expect).toEqual(wanted);
});

test.each([
  [{ monitor_type: "playwright", scenario_name: "Sign in", url: "" }, 'the type "playwright"'],
  [{ monitor_type: "udp", port: "53", required_keyword: "x" }, 'the type "udp"'],
  [{ monitor_type: "expected_status_code" }, "it expects no status code"],
  [{ monitor_type: "keyword_absence" }, "it has no keyword"],
  [{ monitor_type: "tcp", url: "db.example.com" }, "it has no port"],
  [{ monitor_type: "dns", url: "dns.example.com", request_body: "example.com" }, "its DNS server has a name"],
  [{ monitor_type: "dns", url: "192.0.2.53" }, "it has no name to look up"],
  [{ http_method: "trace" }, "stillup does not send TRACE"],
  [{ monitor_type: "constructor" }, 'the type "constructor"'],
])("behavior 16.103, 16.129: %j is left out, with the reason", (attributes, why) => {
  const { monitor, lines, lost } = monitorFrom(listedMonitor(attributes));
  expect([monitor, lost]).toEqual([undefined, true]);
  expect(lines.join()).toContain(why);
});

test.each<[Record<string, unknown>, Record<string, unknown>]>([
  [
    { monitor_type: "ping", url: "router.example.com" },
    { host: "router.example.com", protocol: "icmp", timeout: 2 },
  ],
  [
    { monitor_type: "tcp", url: "db.example.com", port: "5432" },
    { host: "db.example.com", port: 5432 },
  ],
  [
    { monitor_type: "smtp", url: "mx.example.com", port: "25" },
    { port: 25, protocol: "smtp" },
  ],
  [
    { monitor_type: "imap", url: "mx.example.com", port: "993", verify_ssl: false },
    { protocol: "imap", tls: "direct", verifyTls: false },
  ],
  [
    { monitor_type: "pop", url: "mx.example.com", port: "995" },
    { protocol: "pop3", tls: "direct" },
  ],
  [
    { monitor_type: "dns", url: "192.0.2.53", request_body: "example.com" },
    { hostname: "example.com", servers: ["192.0.2.53"] },
  ],
  [
    { monitor_type: "dns", url: "2001:db8::53", request_body: "example.com", port: "5353" },
    { servers: ["[2001:db8::53]:5353"] },
  ],
])("behavior 16.129: %j is a monitor of that kind, with a timeout in milliseconds", (attributes, wanted) => {
  expect(configOf({ request_timeout: 2000, ...attributes })).toMatchObject(wanted);
});

test("behavior 16.103, 16.129: values that do not fit have a line with both", () => {
  const { monitor, lines } = monitorFrom(
    listedMonitor({
      confirmation_period: 900,
      check_frequency: 30,
      request_timeout: 45,
      ...{ recovery_period: 7 },
    }),
  );
  expect(monitor).toMatchObject({ confirmations: 10, recoveries: 1, config: { timeout: 30 } });
  expect(lines).toEqual([
    'monitor "Shop", request_timeout: it is 45 s; stillup takes whole seconds, up to 60 and the interval: it is 30 s here',
    'monitor "Shop", confirmation_period: it is 900 s; at most 10 further checks are possible, which take 150 s here',
  ]);
  const ports = monitorFrom(
    listedMonitor({ monitor_type: "smtp", url: "mx.example.com", port: "25,465", request_timeout: 5000 }),
  );
  expect(ports.lines).toEqual([
    'monitor "Shop", port: a monitor has one port, which is 25 here: create others for 465',
  ]);
});

test("behavior 16.129: a monitor behind a proxy is paused, and the proxy is in no line", () => {
  const { monitor, lines } = monitorFrom(
    listedMonitor({ proxy_host: "user:secret@proxy.example.com", proxy_port: 3128 }),
  );
  expect(monitor).toMatchObject({ enabled: false });
  expect(lines).toEqual([
    'monitor "Shop", proxy_host: the answer does not say which protocol the proxy has, as config.proxy needs it: the monitor is paused',
  ]);
});

test("behavior 16.129: HEAD with a keyword is GET, and a body with GET is listed", () => {
  const { monitor, lines } = monitorFrom(
    listedMonitor({ monitor_type: "keyword", required_keyword: "x", http_method: "head", request_body: "y" }),
  );
  expect(monitor?.config).not.toContainAnyKeys(["method", "body"]);
  expect(lines.map((line) => line.split(":")[0])).toEqual([
    'monitor "Shop", http_method',
    'monitor "Shop", request_body',
  ]);
});

test("behavior 16.129: what all monitors have is listed once", () => {
  const attributes = {
    call: true,
    policy_id: "7",
    regions: ["us", "eu"],
    domain_expiration: 30,
    remember_cookies: false,
  };
  const imported = fromAnswers({
    data: [listedMonitor(attributes), listedMonitor({ ...attributes, pronounceable_name: "B" }, "3")],
  });
  expect(linesOf(imported).map((line) => line.split(":")[0])).toEqual([
    "call, policy_id of monitors",
    "regions of monitors",
    "remember_cookies of monitors",
    "domain_expiration of shop.example.com",
  ]);
});

test("behavior 16.129: a heartbeat is a job with its token, so that only the host of its address changes", () => {
  const { document, notes } = fromAnswers({ data: [listedHeartbeat({ period: 5, paused: true })] });
  expect(document.monitors?.backup).toEqual({
    ...{ name: "Backup", type: "SCHEDULED", enabled: false },
    config: { period: 10, grace: 300, pushToken: "abcd1234abcd1234abcd1234" },
  });
  expect(notes).toEqual([
    'heartbeat "Backup": its job calls /ping/abcd1234abcd1234abcd1234 of this server in place of https://uptime.betterstack.com/api/v1/heartbeat/abcd1234abcd1234abcd1234',
  ]);
  const { lines } = monitorFrom(listedHeartbeat({ server_timezone: "Europe/Berlin", url: "x" }));
  expect(lines.map((line) => line.split(":")[0])).toEqual([
    'heartbeat "Backup", server_timezone',
    'heartbeat "Backup", url',
  ]);
});

const WINDOW = { maintenance_from: "22:00:00", maintenance_to: "02:00:00", maintenance_timezone: "Berlin" };
const EVERY_DAY = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

test.each<[Record<string, unknown>, object[]]>([
  [{ maintenance_days: EVERY_DAY }, [{ cron: "0 22 * * *", timezone: "Europe/Berlin", duration: 14_400 }]],
  [
    { maintenance_days: ["sat", "sun"] },
    [
      { cron: "0 22 * * 6,7", timezone: "Europe/Berlin", duration: 7200 },
      { cron: "0 0 * * 6,7", timezone: "Europe/Berlin", duration: 7200 },
    ],
  ],
  [{ maintenance_days: ["mon"], maintenance_to: "23:30:00" }, [{ cron: "0 22 * * 1", duration: 5400 }]],
  [{ maintenance_days: ["mon"], maintenance_to: "00:00:00" }, [{ cron: "0 22 * * 1", duration: 7200 }]],
])("behavior 16.129: the daily window with %j is a maintenance for its days", (attributes, wanted) => {
  const { document } = fromAnswers({ data: [listedMonitor({ ...WINDOW, ...attributes })] });
  expect(Object.values(document.maintenances ?? {})).toMatchObject(wanted);
});

test("behavior 16.129: equal windows are one maintenance, and one that is not clear is listed", () => {
  const daily = { ...WINDOW, maintenance_days: EVERY_DAY };
  const two = fromAnswers({
    data: [listedMonitor(daily), listedMonitor({ ...daily, pronounceable_name: "B" }, "3")],
  });
  expect(Object.values(two.document.maintenances ?? {})).toMatchObject([
    { selector: { monitorIds: ["shop", "b"] } },
  ]);
  for (const wrong of [
    { maintenance_timezone: "Atlantis" },
    { maintenance_to: null },
    { maintenance_days: ["someday"] },
  ]) {
    const { document, omitted } = fromAnswers({ data: [listedMonitor({ ...daily, ...wrong })] });
    expect([document.maintenances, omitted.length]).toEqual([undefined, 1]);
  }
});

test.each([
  ["UTC", "UTC"],
  ["Amsterdam", "Europe/Amsterdam"],
  ["Eastern Time (US & Canada)", "America/New_York"],
  ["Hong Kong", "Asia/Hong_Kong"],
  ["Wellington", "Pacific/Auckland"],
  ["Europe/Berlin", "Europe/Berlin"],
  ["constructor", undefined],
  ["Nowhere", undefined],
])("behavior 16.129: the time zone %s is %s", (name, zone) => {
  expect(zoneOf(name)).toBe(zone);
});
