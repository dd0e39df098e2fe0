/** The minimum and the maximum of a value. */
export interface Bounds {
  low: number;
  high: number;
}

export function exactly(value: number): Bounds {
  return { low: value, high: value };
}

export function plus(one: Bounds, other: Bounds): Bounds {
  return { low: one.low + other.low, high: one.high + other.high };
}

/** Whatever either of two allows. */
export function either(one: Bounds, other: Bounds): Bounds {
  return { low: Math.min(one.low, other.low), high: Math.max(one.high, other.high) };
}

export function map({ low, high }: Bounds, change: (value: number) => number): Bounds {
  return { low: change(low), high: change(high) };
}
