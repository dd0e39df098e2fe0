import { expect, test } from "bun:test";
import type { Imported } from "../../src/import/imported.ts";
import {
  fromAnswers as fromBetterStack,
  listedMonitor as listedByBetterStack,
  listedHeartbeat,
} from "../support/import/betterstack.ts";
import { fromAnswers as fromUptimeRobot, listedMonitor, oldMonitor } from "../support/import/uptimerobot.ts";

/*
 * Each field of an entry, as the documentation of the API names it, is taken over, or has a line, or is on the list of those that say
 * nothing about what is checked: without the field, the import says something else, or the field is on the list.
 */

type Fields = Record<string, unknown>;

const http = {
  ...{ authType: "HTTP_BASIC", httpUsername: "a", httpPassword: "b", customHttpHeaders: { "X-A": "b" } },
  ...{ httpMethodType: "POST", postValueData: { a: 1 }, postValueType: "KEY_VALUE", timeout: 20 },
  ...{
    checkSSLErrors: false,
    sslExpirationReminder: true,
    domainExpirationReminder: true,
    followRedirections: false,
  },
  ...{ successHttpResponseCodes: ["404"], responseTimeThreshold: 5, status: "PAUSED", interval: 60 },
  ...{ regionalData: { REGION: ["eu"], THRESHOLD: { eu: 7 } }, config: { ipVersion: "ipv4Only" } },
  ...{ assignedAlertContacts: [{ alertContactId: 1, threshold: 0, recurrence: 0 }], groupId: 3 },
  ...{ tags: [{ id: 1, name: "a" }], customFields: { b: "c" } },
  ...{
    maintenanceWindows: [
      { id: 1, name: "W", autoAddMonitors: false, interval: "daily", time: "01:00:00", duration: 5 },
    ],
  },
  psps: [{ id: 1, friendlyName: "P", urlKey: "x", monitorIds: [7] }],
};
const contact = {
  id: 1,
  friendlyName: "C",
  type: "Email",
  value: "a@example.com",
  enableNotificationsFor: "UpAndDown",
};

/** By kind of entry: entries in which all fields matter, how they are imported, and the fields that say nothing. */
const KINDS: Record<string, { entries: Fields[]; read: (entry: Fields) => Imported; ignored: string[] }> = {
  "monitor of version 3 of UptimeRobot": {
    entries: [
      listedMonitor(http),
      listedMonitor({
        type: "KEYWORD",
        keywordType: "ALERT_EXISTS",
        keywordValue: "x",
        keywordCaseType: 0,
        httpMethodType: "GET",
      }),
      listedMonitor({ type: "PORT", port: 5 }),
      listedMonitor({ type: "HEARTBEAT", gracePeriod: 5, url: "https://h/m1-abcdefgh" }),
    ],
    read: (entry) =>
      fromUptimeRobot({ data: [entry, listedMonitor({ id: 8, friendlyName: "Other" }), contact] }),
    ignored: [
      ...[
        "sslBrand",
        "sslExpiryDateTime",
        "domainExpireDate",
        "currentStateDuration",
        "lastIncidentId",
        "userId",
      ],
      ...["lastDayUptimes", "createDateTime", "apiKey"],
    ],
  },
  "monitor of version 2 of UptimeRobot": {
    entries: [
      oldMonitor({
        ...{ http_username: "a", http_password: "b", http_auth_type: 2, http_method: 3, post_type: 1 },
        ...{ post_value: '{"a":"b"}', post_content_type: 1, custom_http_headers: { "X-A": "b" }, status: 0 },
        ...{ custom_http_statuses: "404:1", ssl: { ignore_errors: 1 }, timeout: 20, interval: 60 },
        alert_contacts: [{ id: 1, type: 2, value: "a@example.com", threshold: 0, recurrence: 0 }],
        mwindows: [
          { id: 1, type: 2, friendly_name: "W", start_time: "01:00", duration: 5, value: "", status: 1 },
        ],
      }),
      oldMonitor({ type: 2, keyword_type: 1, keyword_value: "x", keyword_case_type: 0 }),
      oldMonitor({ post_type: 2, post_value: "text", post_content_type: 0, http_method: 3 }),
      oldMonitor({ http_username: "a", http_password: "b" }),
      oldMonitor({ type: 4, sub_type: 3, port: 99 }),
      oldMonitor({ type: 4, port: 99 }),
      oldMonitor({ status: 0 }),
    ],
    read: (entry) =>
      fromUptimeRobot({
        ...{ stat: "ok", monitors: [entry, oldMonitor({ id: 8, friendly_name: "Other" })] },
        psps: [{ id: 1, friendly_name: "P", monitors: [7], status: 1 }],
      }),
    ignored: ["create_datetime"],
  },
  "monitor of Better Stack": {
    entries: [
      listedByBetterStack({
        ...{
          http_method: "post",
          request_body: "x",
          request_headers: [{ name: "X-A", value: "b" }],
          auth_username: "a",
        },
        ...{
          auth_password: "b",
          follow_redirects: false,
          verify_ssl: false,
          ssl_expiration: 5,
          domain_expiration: 5,
        },
        ...{
          ip_version: "ipv4",
          proxy_host: "p",
          proxy_port: 1,
          regions: ["us"],
          call: true,
          sms: true,
          email: true,
        },
        ...{
          push: true,
          critical_alert: true,
          team_wait: 5,
          policy_id: "1",
          expiration_policy_id: 2,
          port: "5",
        },
        ...{
          confirmation_period: 60,
          recovery_period: 60,
          monitor_group_id: 5,
          check_frequency: 60,
          request_timeout: 20,
        },
        ...{ maintenance_from: "01:00:00", maintenance_to: "02:00:00", maintenance_timezone: "Berlin" },
        ...{ maintenance_days: ["mon"], paused_at: "2026-01-01" },
      }),
      listedByBetterStack({ monitor_type: "keyword", required_keyword: "x", remember_cookies: false }),
      listedByBetterStack({
        monitor_type: "expected_status_code",
        expected_status_codes: [404],
        status: "paused",
      }),
      listedByBetterStack({ paused_at: "2026-01-01" }),
      listedByBetterStack({ monitor_type: "tcp", port: "5", url: "a", request_timeout: 2000 }),
    ].map(({ attributes }) => attributes as Fields),
    read: (attributes) =>
      fromBetterStack({ data: [{ id: "2", type: "monitor", attributes }, listedHeartbeat()] }),
    ignored: [
      ...["last_checked_at", "team_name", "created_at", "updated_at", "checks_version", "proxy_port"],
      // Only monitors of a browser script have them, and stillup has none.
      ...["playwright_script", "scenario_name", "environment_variables"],
    ],
  },
  "heartbeat of Better Stack": {
    entries: [
      listedHeartbeat({
        ...{
          period: 60,
          grace: 5,
          server_timezone: "Europe/Berlin",
          call: true,
          sms: true,
          email: true,
          push: true,
        },
        ...{
          critical_alert: true,
          team_wait: 5,
          policy_id: "1",
          heartbeat_group_id: 5,
          paused_at: "2026-01-01",
        },
        ...{ maintenance_from: "01:00:00", maintenance_to: "02:00:00", maintenance_timezone: "Berlin" },
        maintenance_days: ["mon"],
      }),
      listedHeartbeat({ status: "paused" }),
      listedHeartbeat({ paused: true }),
    ].map(({ attributes }) => attributes as Fields),
    read: (attributes) =>
      fromBetterStack({ data: [{ id: "2", type: "heartbeat", attributes }, listedByBetterStack()] }),
    ignored: ["team_name", "sort_index", "created_at", "updated_at"],
  },
};

/** The document and the lines of an import, in a form that can be compared. */
function saidBy({ document, omitted, notes }: Imported): string {
  return JSON.stringify([document, omitted, notes]);
}

test.each(Object.keys(KINDS))(
  "behavior 16.127: each field of a %s counts, has a line, or says nothing",
  (kind) => {
    const { entries, read, ignored } = KINDS[kind] ?? {
      entries: [],
      read: () => fromUptimeRobot(),
      ignored: [],
    };
    const fields = new Set(entries.flatMap((entry) => Object.keys(entry)));
    const counts = (field: string) =>
      entries.some((entry) => {
        const { [field]: value, ...others } = entry;
        return value !== undefined && saidBy(read(others)) !== saidBy(read(entry));
      });
    expect([...fields].filter((field) => !counts(field)).toSorted()).toEqual(ignored.toSorted());
  },
);

test.each(Object.keys(KINDS))(
  "behavior 16.127: a field of a %s that nobody knows has a line, unless it is empty",
  (kind) => {
    const { entries, read } = KINDS[kind] ?? { entries: [], read: () => fromUptimeRobot() };
    const [entry = {}] = entries;
    const lines = (value: unknown) => read({ ...entry, brandNew: value }).omitted.map(({ what }) => what);
    for (const value of [1, true, false, "x", ["x"], { a: 1 }])
      expect(lines(value).join()).toContain("brandNew");
    for (const value of [null, "", [], {}]) expect(lines(value).join()).not.toContain("brandNew");
  },
);

test("behavior 16.127: unknown fields of contacts, windows, pages and nested settings have a line", () => {
  const { omitted } = fromUptimeRobot({
    data: [
      listedMonitor({ config: { newSetting: 1 }, regionalData: { REGION: [], NEW: 1 } }),
      { ...contact, newOption: 1 },
      {
        id: 5,
        name: "W",
        interval: "daily",
        time: "01:00:00",
        duration: 5,
        autoAddMonitors: true,
        newDay: 1,
      },
      { id: 6, friendlyName: "P", urlKey: "x", homepageLink: null, monitorIds: [7], newLook: 1 },
      { id: 7, nothing: 1 },
    ],
  });
  expect(omitted.map(({ what }) => what)).toEqual(
    expect.arrayContaining([
      'alert contact "C", newOption',
      'monitor "Shop", config.newSetting',
      'monitor "Shop", regionalData.NEW',
      'maintenance window "W", newDay',
      'status page "P", newLook',
      "an entry with id, nothing",
    ]),
  );
});
