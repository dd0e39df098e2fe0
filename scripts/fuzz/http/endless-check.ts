import { Lifetime } from "../../../src/probes/lifetime.ts";
import type { TurnTaker } from "../../../src/probes/turns.ts";

/** A check without a timeout, for parts of a probe. */
export function endlessCheck(): TurnTaker {
  return {
    lifetime: new Lifetime(),
    wait: (work) => work(),
    leaveTarget() {},
    fail(error) {
      throw error;
    },
  };
}
