import { FormatRegistry, Type } from "@sinclair/typebox";
import { isCronExpression, isTimezone } from "../heartbeats/cron.ts";
import { isIPv4, isIPv6 } from "../network/ip-address.ts";

/**
 * The rules for strings that a length or a pattern can't tell, each with the words that an error uses for it.
 * They are registered as JSON Schema formats, so that one schema validates, documents and explains.
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
  time: {
    expected: "an ISO 8601 time with an offset, as 2027-01-31T00:00:00Z",
    accepts: (text: string) => parseTime(text) !== null,
  },
  email: {
    expected: "one e-mail address, as ops@example.com",
    accepts: isEmail,
  },
  host: {
    expected: "a host name or an IP address, without scheme, port or path",
    accepts: isHost,
  },
  cron: {
    expected: "a cron expression of five fields that comes to run, as 30 2 * * 1-5",
    accepts: isCronExpression,
  },
  timezone: {
    expected: "the IANA name of a time zone, as Europe/Berlin",
    accepts: isTimezone,
  },
};

/** By the name of the format. */
const demands = new Map<string, string>();

for (const [format, rule] of Object.entries(formats)) defineFormat(format, rule);

/** Adds a rule for strings. Its words stand behind "must be" or, where that does not fit, behind "must". */
export function defineFormat(
  format: string,
  { accepts, ...words }: { accepts: (text: string) => boolean } & ({ expected: string } | { must: string }),
): void {
  FormatRegistry.Set(format, accepts);
  demands.set(format, "must" in words ? words.must : `be ${words.expected}`);
}

/** What a format demands, to stand behind "must"; nothing for a format that isn't ours. */
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
/** As it stands in a query: digits. */
export const PageSize = Type.String({ format: "page-size" });
export const Time = Type.String({ format: "time", examples: ["2027-01-31T00:00:00Z"] });

function between(least: number, value: number, most: number): boolean {
  return value >= least && value <= most;
}

function isHttpUrl(text: string): boolean {
  const url = URL.parse(text);
  if (!url || !/^https?:\/\//i.test(text)) return false;
  return url.hostname !== "" && url.username === "" && url.password === "";
}

/**
 * The moment that an ISO 8601 time with an offset tells, in milliseconds since 1970, or null for any other text. It is
 * one that can be written again with a year of four digits.
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

/** Not February 30, which `Date.parse` takes for March 2. */
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

/** One part of a name in the DNS. Underscores are allowed: internal names and records such as `_dmarc` have them. */
function isLabel(label: string): boolean {
  return between(1, label.length, 63);
}

/** Without quotes, comments or lists, so that nothing but the one address can be read from it. */
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
