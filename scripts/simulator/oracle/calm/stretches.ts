import { type Stretch, without } from "../own-faults.ts";

/**
 * When something is the case. The times of commits are not known exactly, so there are moments at which it may be the case or
 * not: `possibly` contains them, and `surely` does not.
 */
export interface Known {
  surely: Stretch[];
  possibly: Stretch[];
}

/** The rest of some stretches without others. */
export function remaining(stretches: readonly Stretch[], others: readonly Stretch[]): Stretch[] {
  return stretches.flatMap((stretch) => without(stretch, others));
}

export function intersection(some: readonly Stretch[], others: readonly Stretch[]): Stretch[] {
  return some.flatMap((one) =>
    others
      .map(({ from, to }) => ({ from: Math.max(one.from, from), to: Math.min(one.to, to) }))
      .filter(({ from, to }) => from < to),
  );
}

/** Whether each moment of a stretch is in one of some stretches. */
export function covers(stretches: readonly Stretch[], whole: Stretch): boolean {
  return without(whole, stretches).length === 0;
}

export function has(stretches: readonly Stretch[], at: number): boolean {
  return stretches.some(({ from, to }) => from <= at && at <= to);
}

/** Longer at both ends. */
export function widened(stretches: readonly Stretch[], byMs: number): Stretch[] {
  return stretches.map(({ from, to }) => ({ from: from - byMs, to: to + byMs }));
}

/** Shorter at both ends. */
export function narrowed(stretches: readonly Stretch[], byMs: number): Stretch[] {
  return widened(stretches, -byMs).filter(({ from, to }) => from < to);
}

/** Merges stretches that overlap. */
export function united(stretches: readonly Stretch[]): Stretch[] {
  const all: Stretch[] = [];
  for (const { from, to } of stretches.toSorted((a, b) => a.from - b.from)) {
    const last = all.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else all.push({ from, to });
  }
  return all;
}

/** Whether both hold. */
export function both(one: Known, other: Known): Known {
  return {
    surely: intersection(one.surely, other.surely),
    possibly: intersection(one.possibly, other.possibly),
  };
}

/** Whether any holds. */
export function any(...all: readonly Known[]): Known {
  return {
    surely: united(all.flatMap(({ surely }) => surely)),
    possibly: united(all.flatMap(({ possibly }) => possibly)),
  };
}

/** Whether it does not hold. */
export function not({ surely, possibly }: Known, span: Stretch): Known {
  return { surely: without(span, possibly), possibly: without(span, surely) };
}
