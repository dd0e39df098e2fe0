import type { AlertMessage } from "../message.ts";

/** The reason and the facts of a message as fields, such as `Seen from`. */
export function factsOf({ reason, facts }: AlertMessage): Record<string, string> {
  return Object.fromEntries([["Reason", reason], ...facts.map(({ label, value }) => [label, value])]);
}
