import type { Span } from "../log.ts";

/** The union of some spans, in order and without overlaps. */
export function union(spans: readonly Span[]): Span[] {
  const merged: Span[] = [];
  for (const { from, to } of [...spans].sort((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else merged.push({ from, to });
  }
  return merged;
}

/** How long a span overlaps with disjoint spans, in milliseconds. */
export function overlap(spans: readonly Span[], { from, to }: Span): number {
  const lengths = spans.map((span) => Math.min(span.to, to) - Math.max(span.from, from));
  return lengths.reduce((sum, length) => sum + Math.max(0, length), 0);
}

export function touches(spans: readonly Span[], { from, to }: Span): boolean {
  return spans.some((span) => span.from <= to && span.to >= from);
}

/** The parts of a span that disjoint spans, in order, leave free. */
export function gaps(spans: readonly Span[], { from, to }: Span): Span[] {
  const edges = [from, ...spans.flatMap((span) => [span.from, span.to]), to];
  const free = Array.from({ length: edges.length / 2 }, (_, at) => ({
    from: Math.max(from, edges[2 * at] ?? from),
    to: Math.min(to, edges[2 * at + 1] ?? to),
  }));
  return free.filter((span) => span.from < span.to);
}
