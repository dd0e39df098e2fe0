/** Random values that follow from a seed. */
export interface Draw {
  /** From 0, less than 1. */
  fraction(): number;
  /** @param to exclusive */
  between(from: number, to: number): number;
  /** A whole number. @param to inclusive */
  whole(from: number, to: number): number;
  /** Small values are as frequent as large ones: each doubling has the same share. */
  spread(from: number, to: number): number;
  chance(probability: number): boolean;
  pick<T>(values: readonly [T, ...T[]]): T;
  /** Its values don't depend on how many this one has drawn. */
  fork(name: string | number): Draw;
}

export function createDraw(seed: string | number): Draw {
  const key = String(seed);
  let state = hash(key);
  function fraction(): number {
    state = (state + 0x6d2b79f5) | 0;
    return mix(state) / 2 ** 32;
  }
  const between = (from: number, to: number) => from + fraction() * (to - from);
  return {
    fraction,
    between,
    whole: (from, to) => Math.floor(between(from, to + 1)),
    spread: (from, to) => Math.exp(between(Math.log(from), Math.log(to))),
    chance: (probability) => fraction() < probability,
    pick: (values) => values[Math.floor(fraction() * values.length)] ?? values[0],
    fork: (name) => createDraw(`${key}/${name}`),
  };
}

/** From 0, less than 1; equal for equal arguments. */
export function noise(key: number, at: number): number {
  const low = at >>> 0;
  return mix(Math.imul(key ^ low, 0x9e3779b1) ^ Math.floor(at / 2 ** 32)) / 2 ** 32;
}

/** FNV-1a of 32 bits. */
export function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return value >>> 0;
}

/** The last step of Mulberry32. */
function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 15), 1 | value);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return (mixed ^ (mixed >>> 14)) >>> 0;
}
