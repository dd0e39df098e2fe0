import { FormatRegistry, Type } from "@sinclair/typebox";
import { isCronExpression, isTimezone } from "../heartbeats/cron.ts";
import { isIPv4, isIPv6 } from "../network/ip-address.ts";

/**
 * The rules for strings that a length or a pattern cannot express, each with its words for an error message. They are
 * JSON Schema formats, so that one schema validates, documents and explains.
 */
const formats = {
  name: {
    expected: "1 to 200 characters",
    accepts: (text: string) => between(1, [...text.trim()].length, 200),
  },
  "http-url": {
    expected: "a full URL that begins with http:// or https://, without user name or password",
    accepts: isHttpUrl,
  },
  "page-size": {
    expected: "a whole number of at least 1",
    accepts: (text: string) => /^0*[1-9]\d*$/.test(text),
  },
  "date-time": {
    expected: "an ISO 8601 time with an offset, such as 2027-01-31T00:00:00Z",
    accepts: (text: string) => parseTime(text) !== null,
  },
  email: {
    expected: "one e-mail address, such as ops@example.com",
    accepts: isEmail,
  },
  host: {
    expected: "a host name or an IP address, without scheme, port or path",
    accepts: isHost,
  },
  cron: {
    expected: "a cron expression of five fields that runs at some time, such as 30 2 * * 1-5",
    accepts: isCronExpression,
  },
  timezone: {
    expected: "the IANA name of a time zone, such as Europe/Berlin",
    accepts: isTimezone,
  },
};

/** What a value must be, by the name of the format. */
const demands = new Map<string, string>();

// TypeBox finds formats only in its global registry, so they are registered before a schema can be used.
for (const [format, rule] of Object.entries(formats)) defineFormat(format, rule);

/** Registers a format. @param words follow "must be" (`expected`) or "must" (`must`) in an error message */
export function defineFormat(
  format: string,
  { accepts, ...words }: { accepts: (text: string) => boolean } & ({ expected: string } | { must: string }),
): void {
  FormatRegistry.Set(format, accepts);
  demands.set(format, "must" in words ? words.must : `be ${words.expected}`);
}

/** What a format demands, in words that follow "must"; undefined for an unknown format. */
export function demandOf(format: string | undefined): string | undefined {
  return format === undefined ? undefined : demands.get(format);
}

export const Name = Type.String({ format: "name", examples: ["Shop front"] });
export const HttpUrl = Type.String({
  format: "http-url",
  maxLength: 2048,
  examples: ["https://example.com/"],
});
export const Host = Type.String({ format: "host", maxLength: 253, examples: ["example.com"] });
export const CronExpression = Type.String({ format: "cron", maxLength: 200, examples: ["30 2 * * 1-5"] });
export const Timezone = Type.String({ format: "timezone", maxLength: 64, examples: ["Europe/Berlin"] });
export const Email = Type.String({ format: "email", maxLength: 254, examples: ["ops@example.com"] });
/** A whole number as it is in a query: digits. */
export const PageSize = Type.String({ format: "page-size" });
export const Time = Type.String({ format: "date-time", examples: ["2027-01-31T00:00:00Z"] });

function between(least: number, value: number, most: number): boolean {
  return value >= least && value <= most;
}

function isHttpUrl(text: string): boolean {
  const url = URL.parse(text);
  if (!url || !/^https?:\/\//i.test(text)) return false;
  return url.hostname !== "" && url.username === "" && url.password === "";
}

/**
 * Parses an ISO 8601 time with an offset (behavior 7.20). The years 0000 to 9999 are valid, because the API writes
 * four digits.
 *
 * @returns milliseconds since 1970; null for any other text
 */
export function parseTime(text: string): number | null {
  const [, day = "", time, fraction = "", hours, minutes = "00"] = TIME.exec(text) ?? [];
  if (!isDay(day)) return null;
  const offset = hours?.toUpperCase() === "Z" ? "Z" : `${hours}:${minutes}`;
  const moment = Date.parse(`${day}T${time}${fraction.replace(",", ".").slice(0, 4)}${offset}`);
  return moment >= FIRST_MOMENT && moment <= LAST_MOMENT ? moment : null;
}

const TIME = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d(?::\d\d)?)((?<=:\d\d:\d\d)[.,]\d+)?(Z|[+-]\d\d)(?::?(\d\d))?$/i;
const FIRST_MOMENT = Date.parse("0000-01-01T00:00:00Z");
const LAST_MOMENT = Date.parse("9999-12-31T23:59:59.999Z");

/** Whether a day exists: `Date.parse` reads February 30 as March 2. */
function isDay(day: string): boolean {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(day);
}

function isHost(text: string): boolean {
  if (isIPv4(text) || isIPv6(text)) return true;
  if (/[\s/\\:@?#[\]%]/.test(text)) return false;
  const ascii = URL.parse(`http://${text}/`)?.hostname;
  return ascii?.replace(/\.$/, "").split(".").every(isLabel) ?? false;
}

/** A label of a DNS name. Underscores are allowed, because internal names and records such as `_dmarc` have them. */
function isLabel(label: string): boolean {
  return between(1, label.length, 63);
}

/** Quotes, comments and lists are refused, so that the text cannot contain a second address. */
function isEmail(text: string): boolean {
  const [local = "", domain = "", ...more] = text.split("@");
  if (more.length > 0 || local.length > 64) return false;
  return (
    /^[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+(\.[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u.test(local) && isDomain(domain)
  );
}

function isDomain(text: string): boolean {
  return /^(?!-)[\p{L}\p{N}-]{1,63}(\.(?!-)[\p{L}\p{N}-]{1,63})*$/u.test(text);
}
