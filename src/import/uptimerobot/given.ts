import { isSet, numberOf, omitUnknown } from "../api-answers.ts";
import { listOf, parsedJson, type ReportOmission, recordOf, textOf } from "../imported.ts";

type Entry = Record<string, unknown>;

/** A monitor of UptimeRobot. What its answer does not say is undefined. */
export interface GivenMonitor {
  id: string;
  name: string;
  /** Such as `KEYWORD`. */
  type: string;
  isPaused: boolean;
  url: string;
  /** Seconds, as the two below. */
  interval: number | undefined;
  timeout: number | undefined;
  grace: number | undefined;
  port: number | undefined;
  method: string | undefined;
  /** Such as `DIGEST`; `NONE` for none. */
  auth: string;
  user: string;
  password: string | undefined;
  headers: [name: string, value: string][];
  body: string;
  /** The content type of the body, if no header says it. */
  contentType: string | undefined;
  /** Such as `2xx` and `404`. The codes in `refused` are taken from them. */
  accepted: string[] | undefined;
  refused: string[];
  followsRedirects: boolean;
  checksTls: boolean | undefined;
  /** Days before the end of the certificate; empty for the usual ones. */
  certificateDays: number[] | undefined;
  watchesDomain: boolean;
  keyword: { text: string; alertIf: string; ignoresCase: boolean };
  /** Milliseconds, by region. */
  thresholds: number[];
  regions: string[];
  assertions: { logic: string; checks: Entry[] };
  records: [type: string, values: string[]][];
  ipFamily: 4 | 6 | undefined;
  retries: number | undefined;
  /** With minutes. */
  contacts: { id: string; threshold: number; recurrence: number }[] | undefined;
  windowIds: string[];
  tags: { id: string; name: string }[];
  groupId: string;
}

/** The fields of a monitor that are read, or that say nothing about what is checked. */
const FIELDS = new Set([
  ...["id", "friendlyName", "type", "status", "url", "interval", "timeout", "gracePeriod", "port"],
  ...["httpMethodType", "authType", "httpUsername", "httpPassword", "customHttpHeaders", "postValueData"],
  ...["postValueType", "successHttpResponseCodes", "failureCodes", "followRedirections", "checkSSLErrors"],
  ...["sslExpirationReminder", "domainExpirationReminder", "keywordValue", "keywordType", "keywordCaseType"],
  ...["responseTimeThreshold", "regionalData", "config", "assignedAlertContacts", "alertContacts"],
  ...["maintenanceWindows", "tags", "groupId", "customFields"],
  // Results, and what the server knows about the account.
  ...[
    "userId",
    "sslBrand",
    "sslExpiryDateTime",
    "domainExpireDate",
    "currentStateDuration",
    "lastIncidentId",
  ],
  ...["lastIncident", "lastDayUptimes", "createDateTime", "apiKey", "psps"],
]);

const CONFIG_FIELDS = new Set([
  ...["dnsRecords", "apiAssertions", "sslExpirationPeriodDays", "ipVersion", "applicationErrorRetries"],
  // Settings of types that stillup does not have.
  ...["udp", "visualComparison"],
]);

const REGION_FIELDS = new Set(["REGION", "MANUAL_SELECTED", "INFRASTRUCTURE", "THRESHOLD"]);

/** @param entry as version 3 writes it */
export function readMonitor(entry: Entry): GivenMonitor {
  const config = recordOf(entry.config);
  const { REGION, THRESHOLD } = recordOf(entry.regionalData);
  const { logic, checks } = recordOf(config.apiAssertions);
  const general = numberOf(entry.responseTimeThreshold);
  return {
    ...{ id: textOf(entry.id) ?? "", name: unescaped(textOf(entry.friendlyName)?.trim() ?? "") || "unnamed" },
    ...{ type: wordOf(entry.type), isPaused: wordOf(entry.status) === "PAUSED" },
    url: unescaped(textOf(entry.url)?.trim() ?? ""),
    ...{ interval: numberOf(entry.interval), timeout: numberOf(entry.timeout) },
    ...{ grace: numberOf(entry.gracePeriod), port: numberOf(entry.port) },
    method: isSet(entry.httpMethodType) ? wordOf(entry.httpMethodType) : undefined,
    ...{ auth: wordOf(entry.authType) || "NONE", user: textOf(entry.httpUsername) ?? "" },
    password: textOf(entry.httpPassword),
    headers: pairsIn(entry.customHttpHeaders),
    ...bodyIn(entry),
    accepted: isSet(entry.successHttpResponseCodes) ? textsIn(entry.successHttpResponseCodes) : undefined,
    refused: textsIn(entry.failureCodes),
    followsRedirects: entry.followRedirections !== false,
    checksTls: typeof entry.checkSSLErrors === "boolean" ? entry.checkSSLErrors : undefined,
    certificateDays:
      entry.sslExpirationReminder === true
        ? listOf(config.sslExpirationPeriodDays).flatMap((day) => numberOf(day) ?? [])
        : undefined,
    watchesDomain: entry.domainExpirationReminder === true,
    keyword: {
      ...{ text: textOf(entry.keywordValue) ?? "", alertIf: wordOf(entry.keywordType) },
      ignoresCase: !(
        numberOf(entry.keywordCaseType) === 0 || wordOf(entry.keywordCaseType) === "CASESENSITIVE"
      ),
    },
    thresholds: [general, ...Object.values(recordOf(THRESHOLD)).map(numberOf)].filter(
      (ms) => (ms ?? 0) > 0,
    ) as number[],
    regions: textsIn(REGION),
    assertions: { logic: wordOf(logic), checks: listOf(checks).map(recordOf) },
    records: Object.entries(recordOf(config.dnsRecords)).flatMap(([type, values]) =>
      isSet(values) ? [[type.toUpperCase(), textsIn(values)]] : [],
    ),
    ipFamily: { IPV4ONLY: 4, IPV6ONLY: 6 }[wordOf(config.ipVersion)] as 4 | 6 | undefined,
    retries: numberOf(config.applicationErrorRetries),
    contacts: Array.isArray(entry.assignedAlertContacts)
      ? entry.assignedAlertContacts.map((one) => contactIn(recordOf(one)))
      : undefined,
    windowIds: listOf(entry.maintenanceWindows).flatMap((one) => textOf(recordOf(one).id) ?? []),
    tags: listOf(entry.tags)
      .map(recordOf)
      .map(({ id, name }) => ({ id: textOf(id) ?? "", name: textOf(name) ?? "" }))
      .concat(fieldTags(entry)),
    groupId: textOf(entry.groupId) ?? "",
  };
}

/** Reports the fields of a monitor that nothing reads. */
export function omitUnread(entry: Entry, omit: ReportOmission): void {
  omitUnknown(entry, FIELDS, omit);
  omitUnknown(recordOf(entry.config), CONFIG_FIELDS, (field, why) => omit(`config.${field}`, why));
  omitUnknown(recordOf(entry.regionalData), REGION_FIELDS, (field, why) =>
    omit(`regionalData.${field}`, why),
  );
}

/** A word such as `HTTP_BASIC`, in capitals. */
function wordOf(value: unknown): string {
  return (textOf(value) ?? "").trim().toUpperCase();
}

function textsIn(value: unknown): string[] {
  return listOf(value).flatMap((one) => textOf(one) ?? []);
}

/** The custom fields of a monitor, which are pairs of texts. */
function fieldTags(entry: Entry): { id: string; name: string }[] {
  return Object.entries(recordOf(entry.customFields)).map(([key, value]) => ({
    id: "",
    name: `${key}:${textOf(value) ?? ""}`,
  }));
}

/** Names and URLs are escaped as in HTML, also more than once. */
function unescaped(text: string): string {
  const once = text
    .replaceAll(/&#(\d{1,6});/g, (_, code: string) => String.fromCodePoint(Math.min(Number(code), 0x10_ffff)))
    .replaceAll(/&#x([\da-f]{1,5});/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replaceAll(/&(lt|gt|quot|apos);/g, (_, name: string) => ENTITIES[name] ?? "")
    .replaceAll("&amp;", "&");
  return once.length < text.length ? unescaped(once) : once.toWellFormed();
}

const ENTITIES: Record<string, string> = { lt: "<", gt: ">", quot: '"', apos: "'" };

/** The pairs of an object, which may be written as JSON. */
function pairsIn(value: unknown): [string, string][] {
  const given = typeof value === "string" ? parsedJson(value) : value;
  return Object.entries(recordOf(given)).map(([name, one]) => [name, textOf(one) ?? ""]);
}

function bodyIn({ postValueData: data, postValueType }: Entry): Pick<GivenMonitor, "body" | "contentType"> {
  if (!isSet(data)) return { body: "", contentType: undefined };
  const type = wordOf(postValueType);
  const value = typeof data === "string" ? (parsedJson(data) ?? data) : data;
  if (type === "KEY_VALUE" && typeof value === "object") {
    const pairs = pairsIn(value);
    return { body: new URLSearchParams(pairs).toString(), contentType: "application/x-www-form-urlencoded" };
  }
  const body = typeof data === "string" ? data.toWellFormed() : JSON.stringify(data);
  if (type === "KEY_VALUE") return { body, contentType: "application/x-www-form-urlencoded" };
  return { body, contentType: type === "RAW_TEXT" ? "text/html" : "application/json" };
}

function contactIn({ alertContactId, threshold, recurrence }: Entry) {
  return {
    id: textOf(alertContactId) ?? "",
    threshold: numberOf(threshold) ?? 0,
    recurrence: numberOf(recurrence) ?? 0,
  };
}
