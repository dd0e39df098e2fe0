/** How quick the last check of a monitor was: how many sockets it held at most if it was quick, else one of these. */
export type Pace = number;
export const UNKNOWN = 254;
export const SLOW = 255;

/** The numbers of monitors above this one are not remembered: their checks count as of unknown speed. */
const MAX_PK = 2 ** 25;

/** The paces of all monitors: a byte for each, because there may be a million. */
export interface Paces {
  of(pk: number): Pace;
  set(pk: number, pace: Pace): void;
}

export function createPaces(): Paces {
  let paces = new Uint8Array(1024).fill(UNKNOWN);

  function grow(pk: number): void {
    const more = new Uint8Array(2 * (pk + 1)).fill(UNKNOWN, paces.length);
    more.set(paces);
    paces = more;
  }

  return {
    of: (pk) => paces[pk] ?? UNKNOWN,
    set(pk, pace) {
      if (pk > MAX_PK) return;
      if (pk >= paces.length) grow(pk);
      paces[pk] = pace;
    },
  };
}

export function isQuick(pace: Pace): boolean {
  return pace < UNKNOWN;
}
