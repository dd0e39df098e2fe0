/** A span, without its end: of time, in milliseconds since 1970, unless said otherwise. */
export interface Span {
  from: number;
  to: number;
}

/** The same time as spans that do not overlap, the earliest first. */
export function union(spans: readonly Span[]): Span[] {
  const merged: Span[] = [];
  for (const { from, to } of spans.filter((span) => span.from < span.to).sort((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else merged.push({ from, to });
  }
  return merged;
}

/** Numbers in any order, each maybe several times, as spans of those that follow each other. */
export function inRows(numbers: readonly number[]): Span[] {
  const rows: Span[] = [];
  for (const number of Float64Array.from(numbers).sort()) {
    const last = rows.at(-1);
    if (last && number <= last.to) last.to = number + 1;
    else rows.push({ from: number, to: number + 1 });
  }
  return rows;
}

/** The parts of some spans that are within a span. */
export function within(spans: readonly Span[], { from, to }: Span): Span[] {
  return spans
    .map((span) => ({ from: Math.max(span.from, from), to: Math.min(span.to, to) }))
    .filter((span) => span.from < span.to);
}

/** The parts of some spans that are in none of the others. */
export function without(spans: readonly Span[], others: readonly Span[]): Span[] {
  return union(others).reduce<Span[]>(cutOut, [...spans]);
}

function cutOut(spans: Span[], { from, to }: Span): Span[] {
  return spans.flatMap((span) =>
    span.to <= from || to <= span.from
      ? [span]
      : [
          { from: span.from, to: from },
          { from: to, to: span.to },
        ].filter((part) => part.from < part.to),
  );
}

/** How long some spans last, in milliseconds; what several of them share counts once. */
export function lengthOf(spans: readonly Span[]): number {
  return union(spans).reduce((sum, { from, to }) => sum + (to - from), 0);
}
