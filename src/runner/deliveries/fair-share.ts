/** A number of places that organizations share. */
export interface FairShare {
  /** Takes one, if there is one for this organization. */
  take(organizationPk: number): boolean;
  leave(organizationPk: number): void;
}

/**
 * An organization gets no more places than it leaves free: alone half of them, with a second one a third. So whoever comes
 * next finds room, however many others want more than there is.
 */
export function createFairShare(most: number): FairShare {
  const taken = new Map<number, number>();
  let all = 0;

  function add(organizationPk: number, change: 1 | -1): void {
    const its = (taken.get(organizationPk) ?? 0) + change;
    if (its === 0) taken.delete(organizationPk);
    else taken.set(organizationPk, its);
    all += change;
  }

  return {
    take(organizationPk) {
      if ((taken.get(organizationPk) ?? 0) >= most - all) return false;
      add(organizationPk, 1);
      return true;
    },
    leave: (organizationPk) => add(organizationPk, -1),
  };
}
