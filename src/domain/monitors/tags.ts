import { Type } from "@sinclair/typebox";

export const MAX_TAGS = 20;

/** Behavior 14.1. */
export const Tag = Type.String({ pattern: "^[a-z0-9][a-z0-9:_.-]{0,49}$", examples: ["web"] });

/** Repeated ones count once, so that more of them are allowed here than a monitor may have. */
export const Tags = Type.Array(Tag, { description: "Labels of the monitor, for filters and selectors." });

/** Each once, in the given order. */
export function withoutRepetitions(tags: readonly string[]): string[] {
  return [...new Set(tags)];
}
