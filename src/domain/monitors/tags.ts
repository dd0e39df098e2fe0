import { Type } from "@sinclair/typebox";
import { fault } from "../faults/fault.ts";
import type { FormatRule } from "../schemas/schema.ts";

export const MAX_TAGS = 20;

const PATTERN = "^[a-z0-9][a-z0-9:_.-]{0,49}$";

export const tagRule: FormatRule = {
  must: "be 1 to 50 characters of a-z, 0-9 and : _ . -, and begin with a letter or a digit",
  accepts: (text) => new RegExp(PATTERN).test(text),
};

/** Behavior 14.1. */
export const Tag = Type.String({ format: "tag", pattern: PATTERN, examples: ["web"] });

/** Repeated ones count once, so that more of them are allowed here than a monitor may have. */
export const Tags = Type.Array(Tag, { description: "Labels of the monitor, for filters and selectors." });

/** Each once, in the given order. */
export function withoutRepetitions(tags: readonly string[]): string[] {
  return [...new Set(tags)];
}

/** The tags of a monitor as they are stored (behavior 14.1). @throws AppError `invalid` if there are too many */
export function uniqueTags(tags: readonly string[]): string[] {
  const unique = withoutRepetitions(tags);
  if (unique.length <= MAX_TAGS) return unique;
  throw fault("different", { field: "tags", count: MAX_TAGS, got: unique.length });
}
