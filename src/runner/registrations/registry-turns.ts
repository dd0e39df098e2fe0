import type { Clock } from "../../clock.ts";
import type { Claimant, Store } from "../../store/store.ts";

/** Interval at which a node that waits looks whether another one is done, in milliseconds. */
const ASK_EVERY = 250;

/** Lets one request at a time go to a registry, from all nodes (behavior 20.73). */
export interface RegistryTurns {
  /**
   * Runs work when it is the turn of the registry.
   *
   * @returns undefined if other nodes did not let it have a turn in time, or after `stop`
   */
  take<Result>(registry: string, work: () => Promise<Result>): Promise<Result | undefined>;
  stop(): void;
}

/** @param longest milliseconds that work may take */
export function createRegistryTurns({
  store,
  clock,
  claimant,
  longest,
}: {
  store: Pick<Store, "claims">;
  clock: Pick<Clock, "now" | "monotonic" | "sleep">;
  claimant: () => Claimant;
  longest: number;
}): RegistryTurns {
  /** The end of the last work of each registry that has any. */
  const ends = new Map<string, Promise<unknown>>();
  let isStopped = false;

  async function afterOthers<Result>(
    registry: string,
    work: () => Promise<Result>,
  ): Promise<Result | undefined> {
    const name = `registry ${registry}`;
    const until = clock.monotonic() + longest;
    while (!isStopped) {
      const isOurs = await store.claims.take(name, claimant(), { now: clock.now(), lease: 2 * longest });
      if (isOurs) return work().finally(() => release(name));
      if (clock.monotonic() >= until) return undefined;
      await clock.sleep(ASK_EVERY);
    }
    return undefined;
  }

  /** A claim of a lease that is over. If it fails, other nodes wait until it lapses. */
  async function release(name: string): Promise<void> {
    await store.claims.take(name, claimant(), { now: clock.now(), lease: -1 }).catch(() => {});
  }

  return {
    take(registry, work) {
      const turn = (ends.get(registry) ?? Promise.resolve()).then(() => afterOthers(registry, work));
      const end = turn.catch(() => {});
      ends.set(registry, end);
      void end.then(() => ends.get(registry) === end && ends.delete(registry));
      return turn;
    },
    stop() {
      isStopped = true;
    },
  };
}
