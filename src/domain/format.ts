import { isIP } from "node:net";
import { FormatRegistry, Type } from "@sinclair/typebox";
import { isCronExpression, isTimezone } from "./cron.ts";

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
    accepts: isTime,
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

for (const [format, { accepts }] of Object.entries(formats)) FormatRegistry.Set(format, accepts);

/** The words for what a format accepts, or nothing for a format that isn't ours. */
export function expectedFormat(format: string | undefined): string | undefined {
  return formats[format as keyof typeof formats]?.expected;
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

function isTime(text: string): boolean {
  return (
    /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/i.test(text) &&
    !Number.isNaN(Date.parse(text))
  );
}

function isHost(text: string): boolean {
  if (isIP(text)) return true;
  if (/[\s/\\:@?#[\]%]/.test(text)) return false;
  const ascii = URL.parse(`http://${text}/`)?.hostname;
  return ascii?.replace(/\.$/, "").split(".").every(isLabel) ?? false;
}

/** One part of a name in the DNS. Underscores are allowed: internal names and records such as `_dmarc` have them. */
function isLabel(label: string): boolean {
  return between(1, label.length, 63);
}
