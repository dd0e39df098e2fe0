import { pushTokenOf } from "../monitors/push-token.ts";
import { fieldOf } from "../schemas/field-name.ts";
import { MASK } from "../schemas/mask.ts";
import type { Fault } from "./fault.ts";
import type { ParsedDocument } from "./parsed-document.ts";
import type { Deletion } from "./plan.ts";
import type { StoredConfiguration } from "./stored-configuration.ts";

/** The push tokens of a document, without those that it keeps. */
export function pushTokensOf({ monitors }: Pick<ParsedDocument, "monitors">): Map<string, string> {
  const tokens = new Map<string, string>();
  for (const [ref, { config }] of monitors) {
    const token = pushTokenOf(config);
    if (token !== null && token !== MASK) tokens.set(ref, token);
  }
  return tokens;
}

/** Push tokens that two monitors would have: entries of the document, those that it does not name, and those of other organizations. */
export function pushTokenFaults(
  document: Pick<ParsedDocument, "monitors">,
  stored: Pick<StoredConfiguration, "monitors" | "foreignPushTokens">,
  deletions: readonly Deletion[],
): Fault[] {
  const tokens = pushTokensOf(document);
  const deleted = new Set(deletions.map(({ id }) => id));
  const taken = new Set(stored.foreignPushTokens);
  for (const { id, ref, config } of stored.monitors) {
    const isPlanned = ref !== null && document.monitors.has(ref) && !isKept(document, ref);
    const token = pushTokenOf(config);
    if (token !== null && !isPlanned && !deleted.has(id)) taken.add(token);
  }
  return [...tokens].flatMap(([ref, token]): Fault[] => {
    const path = `${fieldOf("monitors", ref)}.config.pushToken`;
    if (taken.has(token)) return [{ path, message: "is taken: it must be unique on this server" }];
    taken.add(token);
    return [];
  });
}

function isKept({ monitors }: Pick<ParsedDocument, "monitors">, ref: string): boolean {
  const entry = monitors.get(ref);
  return entry !== undefined && pushTokenOf(entry.config) === MASK;
}
