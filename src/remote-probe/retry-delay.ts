import type { LinkError, LinkProblem } from "./server-link.ts";

/** Milliseconds. After a failure of the network, each delay is twice as long as the one before. */
const FIRST = 500;
const MAX_DELAY = 30_000;

/** Other problems need an operator (behavior 13.45). */
const FIXED: Partial<Record<LinkProblem, number>> = { key_refused: 30_000, incompatible: 60_000 };

/** When a failed request is sent again. */
export interface RetryDelay {
  /** @returns milliseconds */
  after(error: LinkError): number;
  reset(): void;
}

/** @param random from 0 to 1: the probes of a server must not return at the same time after its restart */
export function createRetryDelay(random: () => number): RetryDelay {
  let failures = 0;
  return {
    after({ problem, retryAfter }) {
      const fixed = FIXED[problem];
      if (fixed !== undefined) return fixed;
      const longest = Math.min(MAX_DELAY, FIRST * 2 ** failures++);
      return Math.max(retryAfter, longest * (0.5 + random() / 2));
    },
    reset() {
      failures = 0;
    },
  };
}
