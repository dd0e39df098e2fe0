import { isSet, numberOf } from "../api-answers.ts";
import { listOf, parsedJson, recordOf, textOf } from "../imported.ts";

/* Entries of version 2 of the API as version 3 writes them. A field that has no counterpart keeps its name. */

type Entry = Record<string, unknown>;

const TYPES = ["", "HTTP", "KEYWORD", "PING", "PORT", "HEARTBEAT"];
const METHODS = ["", "HEAD", "GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** By the number of a usual service. */
const PORTS = ["", 80, 443, 21, 25, 110, 143];

/** Figures of the past, and what follows from other fields. */
const FIGURES = [
  ...["create_datetime", "logs", "response_times", "average_response_time", "all_time_uptime_ratio"],
  ...["all_time_uptime_durations", "custom_uptime_ratio", "custom_uptime_ratios", "custom_uptime_ranges"],
  ...[
    "custom_down_durations",
    "custom_uptime_durations",
    "http_request_details",
    "timezone",
    "is_group_main",
  ],
];

/** The fields of version 2 that `monitorOfVersion2` reads. */
const READ = [
  ...["friendly_name", "type", "sub_type", "port", "status", "keyword_type", "keyword_case_type"],
  ...["keyword_value", "http_username", "http_password", "http_auth_type", "auth_type", "http_method"],
  ...["post_type", "post_value", "post_content_type", "custom_http_headers", "custom_http_statuses"],
  ...["ignore_ssl_errors", "ssl", "disable_domain_expire_notifications", "alert_contacts", "mwindows"],
];

export function monitorOfVersion2(given: Entry): Entry {
  const entry: Entry = { ...recordOf(given.http_request_details), ...given };
  const ssl = recordOf(entry.ssl);
  const ignoresTls = entry.ignore_ssl_errors ?? ssl.ignore_errors;
  const isDomainMuted = entry.disable_domain_expire_notifications ?? ssl.disable_domain_expire_notifications;
  return {
    ...without(entry, [...READ, ...FIGURES]),
    friendlyName: entry.friendly_name,
    type: named(entry.type, TYPES),
    status: numberOf(entry.status) === 0 ? "PAUSED" : undefined,
    port: portOf(entry),
    ...keywordOf(entry),
    httpUsername: entry.http_username,
    httpPassword: entry.http_password,
    authType: authOf(entry),
    httpMethodType: isSet(entry.http_method) ? named(entry.http_method, METHODS) : undefined,
    ...bodyOf(entry),
    customHttpHeaders: entry.custom_http_headers,
    // Version 2 has codes only for monitors of HTTP: any status will do for a keyword.
    ...(named(entry.type, TYPES) === "KEYWORD" && { successHttpResponseCodes: ["2xx", "3xx", "4xx", "5xx"] }),
    ...(isSet(entry.custom_http_statuses) && statusesOf(entry.custom_http_statuses)),
    checkSSLErrors: isSet(ignoresTls) ? !isTrue(ignoresTls) : undefined,
    domainExpirationReminder: isSet(isDomainMuted) ? !isTrue(isDomainMuted) : undefined,
    ...("alert_contacts" in entry && contactsOf(entry)),
    ...("mwindows" in entry && {
      maintenanceWindows: listOf(entry.mwindows).map((one) => windowOfVersion2(recordOf(one))),
    }),
  };
}

function without(entry: Entry, fields: readonly string[]): Entry {
  return Object.fromEntries(Object.entries(entry).filter(([field]) => !fields.includes(field)));
}

/** The name for a number; any other value as a text. */
function named(value: unknown, names: readonly string[]): string {
  return names[numberOf(value) ?? 0] || (textOf(value) ?? "");
}

function isTrue(value: unknown): boolean {
  return value === true || numberOf(value) === 1 || value === "true";
}

function portOf({ sub_type, port }: Entry): unknown {
  const usual = PORTS[numberOf(sub_type) ?? 0];
  return usual || (isSet(port) ? port : undefined);
}

function keywordOf({ keyword_type, keyword_case_type, keyword_value }: Entry): Entry {
  const types = ["", "ALERT_EXISTS", "ALERT_NOT_EXISTS"];
  return {
    keywordType: isSet(keyword_type) ? named(keyword_type, types) : undefined,
    keywordCaseType: isSet(keyword_case_type) ? keyword_case_type : undefined,
    keywordValue: keyword_value,
  };
}

function authOf({ http_auth_type, auth_type, http_username, http_password }: Entry): string | undefined {
  const type = http_auth_type ?? auth_type;
  if (isSet(type)) return named(type, ["NONE", "HTTP_BASIC", "DIGEST"]);
  // An answer may leave the type out.
  return isSet(http_username) || isSet(http_password) ? "HTTP_BASIC" : undefined;
}

function bodyOf({ post_type, post_value, post_content_type }: Entry): Entry {
  if (!isSet(post_value)) return {};
  const value = typeof post_value === "string" ? (parsedJson(post_value) ?? post_value) : post_value;
  const isForm = numberOf(post_type) === 1;
  return {
    postValueData: isForm ? value : post_value,
    postValueType: isForm ? "KEY_VALUE" : numberOf(post_content_type) === 0 ? "RAW_TEXT" : "RAW_JSON",
  };
}

/**
 * The codes that count as up beside the usual codes, and the codes that do not. They are written as `404:0_200:1`, or as an object, by code
 * or with the lists `up` and `down`.
 */
function statusesOf(given: unknown): Entry {
  const { up, down, ...others } = recordOf(given);
  const pairs =
    typeof given === "string"
      ? given.split("_").map((pair) => pair.split(":"))
      : Object.entries(others).map(([code, isUp]) => [code, textOf(isUp) ?? ""]);
  const codesThat = (isUp: RegExp) =>
    pairs.flatMap(([code = "", way = ""]) => (isUp.test(way) ? [code] : []));
  const codesIn = (list: unknown) =>
    (Array.isArray(list) ? list : [list]).flatMap((code) => textOf(code) ?? []);
  const successes = [...codesThat(/^(1|true|up)$/), ...codesIn(up)];
  const failures = [...codesThat(/^(0|false|down)$/), ...codesIn(down)];
  if (successes.length + failures.length === 0) return { custom_http_statuses: given };
  return { successHttpResponseCodes: ["2xx", "3xx", ...successes], failureCodes: failures };
}

function contactsOf(entry: Entry): Entry {
  const contacts = listOf(entry.alert_contacts).map(recordOf);
  return {
    assignedAlertContacts: contacts.map(({ id, threshold, recurrence }) => ({
      ...{ alertContactId: id, threshold: threshold ?? 0, recurrence: recurrence ?? 0 },
    })),
    alertContacts: contacts.map((contact) =>
      contactOfVersion2(without(contact, ["threshold", "recurrence"])),
    ),
  };
}

/** By number. */
const CONTACT_TYPES: Record<number, string | undefined> = {
  ...{ 1: "SMS", 2: "Email", 3: "Twitter", 4: "Boxcar", 5: "Webhook", 6: "Pushbullet", 7: "Zapier" },
  ...{ 8: "ProSms", 9: "Pushover", 10: "HipChat", 11: "Slack", 14: "VoiceCall", 15: "Splunk" },
  ...{ 16: "PagerDuty", 17: "Opsgenie", 18: "Telegram", 20: "MSTeams", 21: "GoogleChat", 23: "Discord" },
};

export function contactOfVersion2(entry: Entry): Entry {
  const { friendly_name, type, status, ...others } = entry;
  const number = numberOf(type);
  return {
    ...others,
    ...(isSet(friendly_name) && { friendlyName: friendly_name }),
    type: number === undefined ? type : (CONTACT_TYPES[number] ?? String(number)),
    ...(isSet(status) && { status: numberOf(status) === 2 ? "Active" : "Paused" }),
  };
}

const INTERVALS = ["", "once", "daily", "weekly", "monthly"];

/** A window of version 2 has no list of monitors: these name it. */
export function windowOfVersion2(entry: Entry): Entry {
  const { friendly_name, type, start_time, value, status, user: _, ...others } = entry;
  const interval = named(type, INTERVALS);
  const seconds = interval === "once" ? numberOf(start_time) : undefined;
  const days = (textOf(value) ?? "").split(/[-,]/).flatMap((day) => numberOf(day) ?? []);
  return {
    ...others,
    ...(isSet(friendly_name) && { name: friendly_name }),
    interval,
    ...(seconds === undefined
      ? { time: start_time }
      : { startsAt: new Date(seconds * 1000).toISOString().replace(".000", "") }),
    ...(days.length > 0 && { days }),
    ...(isSet(status) && { status: numberOf(status) === 0 ? "paused" : "active" }),
  };
}

/** A page of version 2 does not say whether it has a password. */
export function pageOfVersion2(entry: Entry): Entry {
  const { friendly_name, monitors, status, standard_url: _, custom_url, sort: __, ...others } = entry;
  const isAll = !Array.isArray(monitors) && (numberOf(monitors) ?? 0) === 0;
  return {
    ...others,
    friendlyName: friendly_name,
    monitorIds: isAll ? [0] : Array.isArray(monitors) ? monitors : [monitors],
    status: numberOf(status) === 0 ? "PAUSED" : "ENABLED",
    customDomain: custom_url,
    mayHavePassword: true,
  };
}
