import { tooMany } from "../../errors.ts";
import { mostChecks } from "./concurrency-limit.ts";

/** How many trials of one organization run at once. */
const MOST_OF_ONE = 10;

/** How many trials run at once for each check that may, so that their sockets fit beside those of the checks. */
const SHARE_OF_CHECKS = 1 / 16;

/** Bounds how many trials of monitors and channels are under way: each holds sockets for up to 10 seconds. */
export interface TestLimit {
  /** @throws AppError `too_many` if too many of the organization, or of all, are under way */
  run<T>(organizationId: string, trial: () => Promise<T>): Promise<T>;
}

/** @param most how many of all organizations at once */
export function createTestLimit(most = mostTests()): TestLimit {
  const underWay = new Map<string, number>();
  let total = 0;
  return {
    async run(organizationId, trial) {
      const own = underWay.get(organizationId) ?? 0;
      if (own >= MOST_OF_ONE || total >= most) throw tooMany("tests at the same time", 1);
      underWay.set(organizationId, own + 1);
      total++;
      try {
        return await trial();
      } finally {
        total--;
        const left = (underWay.get(organizationId) ?? 1) - 1;
        if (left > 0) underWay.set(organizationId, left);
        else underWay.delete(organizationId);
      }
    },
  };
}

/** How many trials, at least one, may be under way at once with this number of file descriptors. */
export function mostTests(descriptors?: number): number {
  return Math.ceil(mostChecks(descriptors) * SHARE_OF_CHECKS);
}
