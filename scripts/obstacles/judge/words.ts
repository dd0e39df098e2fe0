import type { Recorded, Span } from "./run.ts";

export function describe({ status, reason }: Pick<Recorded, "status" | "reason">): string {
  return reason ? `${status} (${reason})` : status;
}

/** @param at milliseconds since 1970 */
export function whenOf(spans: Span[], at: number): string {
  const stage = spans.findLastIndex(({ begin }) => begin <= at);
  const span = spans[stage];
  return span
    ? `${seconds(at - span.begin)} after the begin of stage ${stage + 1}`
    : "before the first stage";
}

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}
