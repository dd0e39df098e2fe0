import { expect, test } from "bun:test";
import { freePort } from "../../support/free-port.ts";
import { judged, startWebTarget } from "../../support/import/judged.ts";
import { fromAnswers, listedMonitor, oldMonitor } from "../../support/import/uptimerobot.ts";
import { TcpTarget } from "../../support/servers/targets.ts";

/* The judgement of UptimeRobot about these monitors, written down from its documentation. */

const keyword = (keywordType: string, keywordValue: string, keywordCaseType = 0) => ({
  ...{ type: "KEYWORD", keywordType, keywordValue, keywordCaseType },
});
const api = (property: string, comparison: string, target?: unknown) => ({
  type: "API",
  config: { apiAssertions: { logic: "AND", checks: [{ property, comparison, target }] } },
});
const old = (keyword_type: number, keyword_value: string) => ({
  ...{ type: 2, keyword_type, keyword_value, keyword_case_type: 0 },
});

interface Case {
  path?: string;
  /** The fields of a monitor of version 3. */
  fields?: object;
  /** The fields of a monitor of version 2. */
  version2?: object;
  judged: "up" | "degraded" | "down";
}

const CASES: Case[] = [
  ...[200, 204, 299, 304].map((code) => ({ path: `status/${code}`, judged: "up" as const })),
  ...[400, 401, 404, 500, 503].map((code) => ({ path: `status/${code}`, judged: "down" as const })),
  ...[200, 304].map((code) => ({ path: `status/${code}`, version2: {}, judged: "up" as const })),
  ...[401, 500].map((code) => ({ path: `status/${code}`, version2: {}, judged: "down" as const })),
  { path: "status/404", fields: { successHttpResponseCodes: ["404"] }, judged: "up" },
  { path: "status/200", fields: { successHttpResponseCodes: ["404"] }, judged: "down" },
  { path: "status/503", fields: { successHttpResponseCodes: ["5xx"] }, judged: "up" },
  { path: "status/404", version2: { custom_http_statuses: "404:1" }, judged: "up" },
  { path: "status/200", version2: { custom_http_statuses: "200:0" }, judged: "down" },
  { path: "redirect", judged: "up" },
  { path: "redirect", fields: { successHttpResponseCodes: ["2xx"] }, judged: "up" },
  {
    path: "redirect",
    fields: { followRedirections: false, successHttpResponseCodes: ["2xx"] },
    judged: "down",
  },
  { path: "redirect", version2: { custom_http_statuses: "302:0" }, judged: "down" },
  // Alert if it exists: the keyword is the sign of a failure.
  { path: "body", fields: keyword("ALERT_EXISTS", "Welcome"), judged: "down" },
  { path: "body", fields: keyword("ALERT_EXISTS", "broken"), judged: "up" },
  { path: "body", fields: keyword("ALERT_NOT_EXISTS", "Welcome"), judged: "up" },
  { path: "body", fields: keyword("ALERT_NOT_EXISTS", "broken"), judged: "down" },
  { path: "body", fields: keyword("ALERT_NOT_EXISTS", "welcome"), judged: "down" },
  { path: "fail", fields: keyword("ALERT_NOT_EXISTS", "broken"), judged: "down" },
  { path: "body", version2: old(1, "Welcome"), judged: "down" },
  { path: "body", version2: old(1, "broken"), judged: "up" },
  { path: "body", version2: old(2, "Welcome"), judged: "up" },
  { path: "body", version2: old(2, "broken"), judged: "down" },
  // Version 2 looks for a keyword whatever the status is.
  { path: "fail", version2: old(2, "broken"), judged: "up" },
  { path: "fail", version2: old(1, "broken"), judged: "down" },
  { path: "json", fields: api("$.status", "equals", "ok"), judged: "up" },
  { path: "json", fields: api("$.status", "equals", "OK"), judged: "down" },
  { path: "json", fields: api("$.depth", "greater_than", 5), judged: "down" },
  { path: "json", fields: api("$.depth", "greater_than", 4.99), judged: "up" },
  { path: "json", fields: api("$.depth", "less_than", 5), judged: "down" },
  { path: "json", fields: api("$.depth", "less_than", 5.01), judged: "up" },
  { path: "slow", fields: { regionalData: { THRESHOLD: { eu: 1 } } }, judged: "degraded" },
  { path: "slow", fields: { regionalData: { THRESHOLD: { eu: 30_000 } } }, judged: "up" },
  { path: "key/x-key", fields: { customHttpHeaders: { "X-Key": "k" } }, judged: "up" },
  { path: "key/x-key", fields: { customHttpHeaders: { "X-Key": "wrong" } }, judged: "down" },
  {
    path: "user",
    fields: { authType: "HTTP_BASIC", httpUsername: "watch", httpPassword: "pa55" },
    judged: "up",
  },
  { path: "user", version2: { http_username: "watch", http_password: "pa55" }, judged: "up" },
  { path: "user", version2: { http_username: "watch", http_password: "wrong" }, judged: "down" },
  {
    path: "echo",
    fields: {
      ...keyword("ALERT_NOT_EXISTS", "POST application/x-www-form-urlencoded a=1&b=2"),
      ...{ httpMethodType: "POST", postValueData: { a: 1, b: "2" }, postValueType: "KEY_VALUE" },
    },
    judged: "up",
  },
  { fields: { url: "http://127.0.0.1:CLOSED/" }, judged: "down" },
  { fields: { type: "PORT", url: "127.0.0.1", port: "OPEN" }, judged: "up" },
  { fields: { type: "PORT", url: "127.0.0.1", port: "CLOSED" }, judged: "down" },
  { version2: { type: 4, sub_type: 99, url: "127.0.0.1", port: "OPEN" }, judged: "up" },
  { version2: { type: 4, sub_type: 99, url: "127.0.0.1", port: "CLOSED" }, judged: "down" },
];

test("behavior 16.128: the monitors of an account judge the same answers as UptimeRobot", async () => {
  await using web = startWebTarget();
  await using open = await TcpTarget.start();
  const ports: Record<string, string> = { OPEN: String(open.port), CLOSED: String(freePort()) };
  const [old, listed] = [true, false].map((isOld) =>
    CASES.flatMap(({ path, fields, version2 }, at) => {
      if ((version2 !== undefined) !== isOld) return [];
      const usual = { id: at, url: `http://127.0.0.1:${web.port}/${path}` };
      const monitor = isOld
        ? oldMonitor({ ...usual, friendly_name: `case ${at}`, alert_contacts: [], ...version2 })
        : listedMonitor({ ...usual, friendlyName: `case ${at}`, ...fields });
      return [JSON.parse(JSON.stringify(monitor).replaceAll(/OPEN|CLOSED/g, (name) => ports[name] ?? ""))];
    }),
  );
  const { document, omitted } = fromAnswers({ stat: "ok", monitors: old }, { data: listed, nextLink: null });
  expect(omitted.map(({ why }) => why)).toEqual(["none is followed, because some of them count as failures"]);
  const statuses = await judged(document);
  expect(CASES.map((one, at) => `${at} ${JSON.stringify(one)}: ${statuses.get(`case-${at}`)}`)).toEqual(
    CASES.map((one, at) => `${at} ${JSON.stringify(one)}: ${one.judged}`),
  );
});
