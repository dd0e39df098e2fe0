import { Type } from "@sinclair/typebox";

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
export const CronExpression = Type.String({ format: "cron", maxLength: 200, examples: ["30 2 * * 1-5"] });
export const Timezone = Type.String({ format: "timezone", maxLength: 64, examples: ["Europe/Berlin"] });
export const Email = Type.String({ format: "email", maxLength: 254, examples: ["ops@example.com"] });
/** A whole number as it is in a query: digits. */
export const PageSize = Type.String({ format: "page-size" });
export const Month = Type.String({ format: "month" });
export const Time = Type.String({ format: "date-time", examples: ["2027-01-31T00:00:00Z"] });
/** In a response. */
export const Timestamp = Type.String({ format: "date-time" });
