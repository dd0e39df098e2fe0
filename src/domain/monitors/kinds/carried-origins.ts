import { namesIn, parseSource } from "../../checks/carried-values.ts";
import { isObject } from "./fields.ts";

/** Steps that are not validated yet, or stored ones. */
type Given = Record<string, unknown>;

/**
 * From which recipients of requests to which other ones steps carry values, one text for each, with the place of the first step that
 * does (behavior 26.88). A recipient is an origin with its header `Host`.
 */
export function carriedOrigins(steps: readonly unknown[]): Map<string, number> {
  /** Who may have given a value, by its name. */
  const givers = new Map<string, Set<string>>();
  const carried = new Map<string, number>();
  const before = new Set<string>();
  for (const [at, step] of steps.entries()) {
    const recipient = isObject(step) ? recipientOf(step) : undefined;
    if (!isObject(step) || recipient === undefined) continue;
    for (const giver of namesInRequest(step).flatMap((name) => [...(givers.get(name) ?? [])]))
      if (giver !== recipient && !carried.has(`${giver}\n${recipient}`))
        carried.set(`${giver}\n${recipient}`, at);
    before.add(recipient);
    for (const [name, text] of Object.entries(isObject(step.take) ? step.take : {})) {
      // A cookie may be of any step before.
      const isCookie = typeof text === "string" && parseSource(text)?.from === "cookie";
      givers.set(name, new Set([...(givers.get(name) ?? []), ...(isCookie ? before : [recipient])]));
    }
  }
  return carried;
}

/** @returns undefined for an invalid URL, whose own error is reported later */
function recipientOf({ url, headers }: Given): string | undefined {
  const parsed = typeof url === "string" ? URL.parse(url) : null;
  const [, host] = Object.entries(Object(headers)).find(([name]) => name.toLowerCase() === "host") ?? [];
  return parsed ? `${parsed.origin} ${host ?? parsed.host}` : undefined;
}

/** The names that a request sends, also one that is not validated yet. */
export function namesInRequest({ url, headers, body }: Given): string[] {
  return namesIn(JSON.stringify([url, headers, body]));
}
