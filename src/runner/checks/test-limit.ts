import { tooMany } from "../../errors.ts";
import { maxChecks } from "./concurrency-limit.ts";

/** Concurrent tests of one organization. */
const MAX_PER_ORGANIZATION = 10;

/** Concurrent tests for each concurrent check, so that the sockets of both fit. */
const SHARE_OF_CHECKS = 1 / 16;

/** Limits the concurrent tests of monitors and channels: each holds sockets for up to 10 seconds. */
export interface TestLimit {
  /** @throws AppError `too_many` if too many tests of the organization, or of all organizations, are running */
  run<T>(organizationId: string, test: () => Promise<T>): Promise<T>;
}

/** @param max concurrent tests of all organizations */
export function createTestLimit(max = maxTests()): TestLimit {
  const running = new Map<string, number>();
  let total = 0;
  return {
    async run(organizationId, test) {
      const own = running.get(organizationId) ?? 0;
      if (own >= MAX_PER_ORGANIZATION || total >= max) throw tooMany("tests at the same time", 1);
      running.set(organizationId, own + 1);
      total++;
      try {
        return await test();
      } finally {
        total--;
        const left = (running.get(organizationId) ?? 1) - 1;
        if (left > 0) running.set(organizationId, left);
        else running.delete(organizationId);
      }
    },
  };
}

/** How many tests, at least one, may run at the same time with this number of file descriptors. */
export function maxTests(descriptors?: number): number {
  return Math.ceil(maxChecks(descriptors) * SHARE_OF_CHECKS);
}
