import { Type } from "@sinclair/typebox";
import { invalid } from "../../errors.ts";
import { type FormatRule, nullable } from "./schema.ts";

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

/** Behavior 16.6. @throws AppError `invalid` */
export function assertSameType(stored: string, requested: string): void {
  if (stored === requested) return;
  throw invalid(`type must be ${stored}: the type of what exists cannot change`);
}
