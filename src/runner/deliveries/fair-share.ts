/** A number of places that organizations share. */
export interface FairShare {
  /** Takes a place if one is left for this organization. */
  take(organizationPk: number): boolean;
  release(organizationPk: number): void;
}

/**
 * An organization gets no more places than it leaves free: half of them if it is alone, a third beside a second one. So
 * the next organization always finds a place.
 */
export function createFairShare(places: number): FairShare {
  const taken = new Map<number, number>();
  let total = 0;

  function add(organizationPk: number, change: 1 | -1): void {
    const own = (taken.get(organizationPk) ?? 0) + change;
    if (own === 0) taken.delete(organizationPk);
    else taken.set(organizationPk, own);
    total += change;
  }

  return {
    take(organizationPk) {
      if ((taken.get(organizationPk) ?? 0) >= places - total) return false;
      add(organizationPk, 1);
      return true;
    },
    release: (organizationPk) => add(organizationPk, -1),
  };
}
