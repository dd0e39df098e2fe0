import { expect, test } from "bun:test";
import { freePort } from "../../support/free-port.ts";
import { fromAnswers, listedMonitor } from "../../support/import/betterstack.ts";
import { judged, startWebTarget } from "../../support/import/judged.ts";
import { startDnsServer } from "../../support/servers/dns-server.ts";
import { TcpTarget } from "../../support/servers/targets.ts";

/* The judgement of Better Stack about these monitors, written down from its documentation. */

const codes = (...expected_status_codes: number[]) => ({
  monitor_type: "expected_status_code",
  expected_status_codes,
});
const keyword = (monitor_type: "keyword" | "keyword_absence", required_keyword: string) => ({
  monitor_type,
  required_keyword,
});
const local = { url: "127.0.0.1", request_timeout: 1000 };

const CASES: { path?: string; attributes?: object; judged: string }[] = [
  ...[200, 204, 299].map((code) => ({ path: `status/${code}`, judged: "up" })),
  ...[304, 401, 404, 500].map((code) => ({ path: `status/${code}`, judged: "down" })),
  { path: "status/404", attributes: codes(404), judged: "up" },
  { path: "status/200", attributes: codes(404), judged: "down" },
  { path: "redirect", judged: "up" },
  { path: "redirect", attributes: { follow_redirects: false }, judged: "down" },
  { path: "redirect", attributes: { follow_redirects: false, ...codes(302) }, judged: "up" },
  { path: "body", attributes: keyword("keyword", "Welcome"), judged: "up" },
  { path: "body", attributes: keyword("keyword", "broken"), judged: "down" },
  { path: "body", attributes: keyword("keyword_absence", "Welcome"), judged: "down" },
  { path: "body", attributes: keyword("keyword_absence", "broken"), judged: "up" },
  // A keyword says nothing about the status.
  { path: "fail", attributes: keyword("keyword", "broken"), judged: "up" },
  { path: "fail", attributes: keyword("keyword_absence", "broken"), judged: "down" },
  {
    path: "key/x-key",
    attributes: { request_headers: [{ id: "1", name: "X-Key", value: "k" }] },
    judged: "up",
  },
  { path: "key/x-key", judged: "down" },
  { path: "user", attributes: { auth_username: "watch", auth_password: "pa55" }, judged: "up" },
  { path: "user", attributes: { auth_username: "watch", auth_password: "wrong" }, judged: "down" },
  {
    path: "echo",
    attributes: {
      ...keyword("keyword", "PATCH application/json {}"),
      http_method: "patch",
      request_body: "{}",
    },
    judged: "up",
  },
  { attributes: { url: "http://127.0.0.1:CLOSED/" }, judged: "down" },
  { attributes: { ...local, monitor_type: "tcp", port: "OPEN" }, judged: "up" },
  { attributes: { ...local, monitor_type: "tcp", port: "CLOSED" }, judged: "down" },
  { attributes: { ...local, monitor_type: "smtp", port: "CLOSED" }, judged: "down" },
  {
    attributes: { ...local, monitor_type: "dns", port: "NAMES", request_body: "shop.example.com" },
    judged: "present",
  },
  {
    attributes: { ...local, monitor_type: "dns", port: "NAMES", request_body: "gone.example.com" },
    judged: "missing",
  },
];

test("behavior 16.129: the monitors of a team judge the same answers as Better Stack", async () => {
  await using web = startWebTarget();
  await using open = await TcpTarget.start();
  using names = await startDnsServer({
    "A shop.example.com": [{ type: "A", name: "shop.example.com", ttl: 60, data: "192.0.2.1" }],
    "AAAA shop.example.com": [],
  });
  const ports: Record<string, string> = {
    ...{ OPEN: String(open.port), CLOSED: String(freePort()), NAMES: String(names.port) },
  };
  const data = CASES.map(({ path, attributes }, at) => {
    const url = `http://127.0.0.1:${web.port}/${path}`;
    const monitor = listedMonitor({ url, pronounceable_name: `case ${at}`, ...attributes }, `${at}`);
    return JSON.parse(JSON.stringify(monitor).replaceAll(/OPEN|CLOSED|NAMES/g, (name) => ports[name] ?? ""));
  });
  const { document, omitted } = fromAnswers({ data });
  expect(omitted).toEqual([]);
  const statuses = await judged(document);
  expect(CASES.map((one, at) => `${at} ${JSON.stringify(one)}: ${statuses.get(`case-${at}`)}`)).toEqual(
    CASES.map((one, at) => `${at} ${JSON.stringify(one)}: ${one.judged}`),
  );
});
