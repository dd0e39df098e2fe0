import { Type } from "@sinclair/typebox";
import { invalid } from "../../errors.ts";
import { type Hint, hint } from "../faults/fault.ts";
import { type FormatRule, hinted, nullable } from "./schema.ts";

/* Strings whose format is in `format-rules.ts`. */

export const Name = Type.String({ format: "name", examples: ["Shop front"] });
export const PersonName = Type.String({ format: "person-name", examples: ["Ana"] });
export const HttpUrl = Type.String({
  format: "http-url",
  maxLength: 2048,
  examples: ["https://example.com/"],
});
export const Host = Type.String({ format: "host", maxLength: 253, examples: ["example.com"] });
export const HostName = Type.String({ format: "host-name", maxLength: 253, examples: ["example.com"] });
const SHORTHANDS: Record<string, string> = {
  ...{ "@yearly": "0 0 1 1 *", "@annually": "0 0 1 1 *", "@monthly": "0 0 1 * *", "@weekly": "0 0 * * 0" },
  ...{ "@daily": "0 0 * * *", "@midnight": "0 0 * * *", "@hourly": "0 * * * *" },
};

export const CronExpression = hinted(
  Type.String({ format: "cron", maxLength: 200, examples: ["30 2 * * 1-5"] }),
  hintOfCron,
);

/** Other dialects of cron (behavior 3.10). */
function hintOfCron(value: unknown): Hint | undefined {
  const text = String(value).trim();
  const shorthand = SHORTHANDS[text.toLowerCase()];
  if (shorthand !== undefined) return hint("cronShorthand", { cron: shorthand });
  if (/^(CRON_)?TZ=/.test(text)) return hint("cronTimezone", {});
  const fields = text.split(/\s+/);
  if (fields.length === 6) return hint("cronSixFields", { cron: fields.slice(1).join(" ") });
  return undefined;
}
export const Timezone = Type.String({ format: "timezone", maxLength: 64, examples: ["Europe/Berlin"] });
export const Email = Type.String({ format: "email", maxLength: 254, examples: ["ops@example.com"] });
/** A whole number as it is in a query: digits. */
export const PageSize = Type.String({ format: "page-size" });
export const Month = Type.String({ format: "month" });
export const Time = Type.String({ format: "date-time", examples: ["2027-01-31T00:00:00Z"] });
/** In a response. */
export const Timestamp = Type.String({ format: "date-time" });

/* The name under which a configuration file knows a monitor, channel, maintenance or page (behavior 16.1). */

const PATTERN = "^[a-z0-9][a-z0-9._-]{0,99}$";

export const refRule: FormatRule = {
  must: "be 1 to 100 characters of a-z, 0-9 and . _ -, and begin with a letter or a digit",
  accepts: (text) => new RegExp(PATTERN).test(text),
};

export const Ref = Type.String({
  format: "ref",
  pattern: PATTERN,
  description: "The name under which a configuration file knows it. Unique in the organization for its kind.",
  examples: ["shop"],
});

/** In a response. */
export const StoredRef = nullable(Ref);

/* The ref of a monitor of a discovery begins with its source and a slash (behavior 28.10). Nobody else can give one. */

const DISCOVERED = "(docker|kubernetes|files|http)/[a-z0-9][a-z0-9._-]{0,99}";

export const discoveredRefRule: FormatRule = {
  must: "be docker, kubernetes, files or http, a slash, and 1 to 100 characters of a-z, 0-9 and . _ -, of which the first is a letter or a digit",
  accepts: (text) => new RegExp(`^${DISCOVERED}$`).test(text),
};

export function isDiscovered(ref: string): boolean {
  return ref.includes("/");
}

/** In a response. */
export const StoredMonitorRef = nullable(
  Type.String({
    pattern: `^(${PATTERN.slice(1, -1)}|${DISCOVERED})$`,
    description: `${Ref.description} One that a discovery has given begins with its source and a slash, such as \`docker/web\`.`,
    examples: Ref.examples as string[],
  }),
);

/** Behavior 16.6. @throws AppError `invalid` */
export function assertSameType(stored: string, requested: string): void {
  if (stored === requested) return;
  throw invalid(`type must be ${stored}: the type of what exists cannot change`);
}
