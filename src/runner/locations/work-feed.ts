import type { Clock } from "../../clock.ts";
import { POLL_FOR, type Work } from "../../domain/locations/protocol.ts";
import { unauthorized } from "../../errors.ts";
import type { Store } from "../../store/store.ts";
import type { ProbeCaller } from "../authenticator.ts";

/** What a probe already has: `revision` and `after` of its latest answer. Without them, it has nothing. */
export interface WorkRequest {
  revision: number | undefined;
  after: number | undefined;
}

/** Answers the requests of probes for work, as soon as there is something new (behavior 13.34). */
export interface WorkFeed {
  /**
   * @param signal ends a request that is held, if the client closes the connection
   * @throws AppError `unauthorized` if the location was deleted
   */
  next(probe: ProbeCaller, request: WorkRequest, signal: AbortSignal): Promise<Work>;
  /** Answers all requests that are held, and holds no more. */
  stop(): void;
}

/** How often a request that is held looks for something new, in milliseconds. */
const LOOK_EVERY = 250;

/** A probe whose connection broke sends another request, while its previous one is still held. */
const MOST_HELD = 2;

/** A request that is held. */
interface Held {
  isReleased: boolean;
  /** Ends the pause between two looks. */
  release(): void;
  released: Promise<void>;
}

export function createWorkFeed({
  store,
  clock,
}: {
  store: Pick<Store, "locations">;
  clock: Pick<Clock, "now" | "monotonic" | "sleep">;
}): WorkFeed {
  const { findMarker, findWork, findRechecks } = store.locations;
  /** By the number of the location, the oldest first. */
  const heldBy = new Map<number, Held[]>();
  let isStopped = false;

  function hold(pk: number): Held {
    const held = createHeld();
    const all = [...(heldBy.get(pk) ?? []), held];
    heldBy.set(pk, all);
    if (isStopped) held.release();
    if (all.length > MOST_HELD) all[0]?.release();
    return held;
  }

  function drop(pk: number, held: Held): void {
    const others = (heldBy.get(pk) ?? []).filter((one) => one !== held);
    if (others.length > 0) heldBy.set(pk, others);
    else heldBy.delete(pk);
  }

  /** @returns the present marker, when it is another one than that of the request, or the request ends */
  async function wait(pk: number, { revision, after }: WorkRequest, held: Held) {
    const until = clock.monotonic() + POLL_FOR;
    for (;;) {
      const marker = await findMarker(pk);
      if (!marker) throw unauthorized();
      const isNew = marker.revision !== revision || (marker.rechecks !== 0 && marker.rechecks !== after);
      if (isNew || held.isReleased || clock.monotonic() >= until) return marker;
      await Promise.race([clock.sleep(LOOK_EVERY), held.released]);
    }
  }

  async function answer({ pk, id, name }: ProbeCaller, revision: number, isKnown: boolean): Promise<Work> {
    const work = isKnown ? { revision, ...(await findRechecks(pk)) } : await findWork(pk);
    if (!work) throw unauthorized();
    return { location: { id, name }, now: clock.now(), ...work };
  }

  return {
    async next(probe, request, signal) {
      const held = hold(probe.pk);
      signal.addEventListener("abort", held.release);
      try {
        const { revision } = await wait(probe.pk, request, held);
        return await answer(probe, revision, revision === request.revision);
      } finally {
        signal.removeEventListener("abort", held.release);
        drop(probe.pk, held);
      }
    },
    stop() {
      isStopped = true;
      for (const held of [...heldBy.values()].flat()) held.release();
    },
  };
}

function createHeld(): Held {
  const { promise, resolve } = Promise.withResolvers<void>();
  const held: Held = {
    isReleased: false,
    release() {
      held.isReleased = true;
      resolve();
    },
    released: promise,
  };
  return held;
}
