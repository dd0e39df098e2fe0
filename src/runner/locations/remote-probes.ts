import type { Clock } from "../../clock.ts";
import type { SentLook } from "../../domain/evidence/asked-look.ts";
import {
  type BatchAnswer,
  KEPT_FOR,
  needsReach,
  type ObservationBatch,
  POLL_FOR,
  type Work,
  type WorkQuery,
} from "../../domain/locations/protocol.ts";
import { notFound, StorageFault, tooMany, unauthorized } from "../../errors.ts";
import type { ProbeCaller, Store } from "../../store/store.ts";
import { createRateLimit } from "../rate-limit.ts";
import { createIntake } from "./intake.ts";

/** The server's side of the probes of all locations. */
export interface RemoteProbes {
  /** Counts a request. @throws AppError `too_many` */
  admit(probe: ProbeCaller, kind: RequestKind): void;
  /** See `WorkFeed`. @property version of the probe, if it is known */
  findWork(
    probe: ProbeCaller,
    query: WorkQuery & { version: string | null },
    signal: AbortSignal,
  ): Promise<Work>;
  /** See `Intake`. @property version of the probe, if it is known @property canLook whether it takes the looks of the answer */
  record(
    probe: ProbeCaller,
    batch: ObservationBatch,
    sender: { version: string | null; canLook: boolean },
  ): Promise<BatchAnswer>;
  /** Completes evidence by a look of a location. @throws AppError `not_found` if it has no such evidence any more */
  completeEvidence(probe: ProbeCaller, sent: SentLook): Promise<{ now: number }>;
  /** Answers all requests that are held. */
  stop(): void;
}

type RequestKind = "work" | "results" | "looks";

/** Requests of one kind of a location (behavior 13.36). */
const REQUEST_LIMIT = { burst: 100, perSecond: 10 };

/** How often the same kind of request of a location is noted, in milliseconds. */
const NOTE_EVERY = 1000;

export function createRemoteProbes({
  onUnnoted,
  ...parts
}: {
  /** Called if it could not be stored that a probe sent a request. */
  onUnnoted: () => void;
} & Parameters<typeof createIntake>[0] & { clock: Clock; store: Store }): RemoteProbes {
  const { store, clock, metrics } = parts;
  const requests = createRateLimit({ ...REQUEST_LIMIT, clock });
  const feed = createWorkFeed(parts);
  const intake = createIntake(parts);
  /** By kind, location and access to pings, in milliseconds of the monotonic clock. */
  const notedAt = new Map<string, number>();

  /** Stores that the probe of a location works. A full disk must not keep it from getting its work. */
  async function note({ pk }: ProbeCaller, kind: RequestKind, sign: Sign): Promise<void> {
    // A change of the permission to ping is stored immediately.
    const id = `${kind} ${pk} ${sign.ping}`;
    const now = clock.monotonic();
    if (now - (notedAt.get(id) ?? Number.NEGATIVE_INFINITY) < NOTE_EVERY) return;
    notedAt.set(id, now);
    try {
      await store.locations.noteSeen(pk, { now: clock.now(), ...sign });
    } catch (error) {
      onUnnoted();
      if (!(error instanceof StorageFault)) throw error;
    }
  }

  return {
    admit({ pk }, kind) {
      const wait = requests.take(`${kind} ${pk}`);
      if (wait === 0) return;
      metrics.refused("probe_requests");
      throw tooMany("requests of this location", wait);
    },
    async findWork(probe, { version, ...query }, signal) {
      const { revision, after, waiting, dropped } = numbersOf(query);
      const { ping = null, can } = query;
      await note(probe, "work", { version, waiting, dropped, ping });
      const work = await feed.next(probe, { revision, after }, signal);
      const known = ping === null ? withoutProtocols(work) : work;
      return can === "reach" ? known : withoutReach(known);
    },
    async record(probe, batch, { version, canLook }) {
      await note(probe, "results", { version, lag: lagOf(batch, clock.now()) });
      const { looks, ...answer } = await intake.record(probe, batch);
      return looks && canLook ? { ...answer, looks } : answer;
    },
    async completeEvidence({ pk: location }, { evidenceId: id, self, ...look }) {
      const now = clock.now();
      if (!(await store.recording.completeEvidence({ id, location, look, self, now }))) throw notFound();
      return { now };
    },
    stop: feed.stop,
  };
}

/** A probe of an earlier version would check them as if they had no protocol (behavior 20.38). */
function withoutProtocols({ monitors, ...work }: Work): Work {
  const isKnown = ({ config }: { config: object }) => !("protocol" in config);
  return { ...work, ...(monitors && { monitors: monitors.filter(isKnown) }) };
}

/** A probe of an earlier version would check them without what their configs say (behavior 26.31). */
function withoutReach({ monitors, ...work }: Work): Work {
  return { ...work, ...(monitors && { monitors: monitors.filter(({ config }) => !needsReach(config)) }) };
}

type Sign = Omit<Parameters<Store["locations"]["noteSeen"]>[1], "now">;

function numbersOf(query: WorkQuery) {
  const number = (digits: string | undefined) => (digits === undefined ? undefined : Number(digits));
  const { revision, after, waiting, dropped } = query;
  return {
    revision: number(revision),
    after: number(after),
    waiting: bounded(number(waiting)),
    dropped: bounded(number(dropped)),
  };
}

/** The largest number that both engines store as an integer. */
const MAX_COUNT = 2 ** 31 - 1;

function bounded(count: number | undefined): number | undefined {
  return count === undefined ? undefined : Math.min(count, MAX_COUNT);
}

/** How old the oldest observation of a batch is, in milliseconds. What is older than a probe keeps is refused anyway. */
function lagOf({ observations }: ObservationBatch, now: number): number {
  const lag = now - Math.min(...observations.map(({ at }) => at));
  return Math.min(Math.max(0, lag), KEPT_FOR);
}

/** The work that a probe already has: `revision` and `after` of its latest answer. Without them, it has none. */
interface WorkRequest {
  revision: number | undefined;
  after: number | undefined;
}

/** Answers the requests of probes for work, as soon as there is something new (behavior 13.34). */
export interface WorkFeed {
  /**
   * @param signal ends a request that is held, if the client closes the connection
   * @throws AppError `unauthorized` if the location was deleted, `too_many` for all monitors again and again
   */
  next(probe: ProbeCaller, request: WorkRequest, signal: AbortSignal): Promise<Work>;
  /** Answers all requests that are held, and holds no more. */
  stop(): void;
}

/** How often a request that is held looks for something new, in milliseconds. */
const LOOK_EVERY = 250;

/** How often a location is sent all of its monitors, which may be thousands (behavior 13.36). */
const WHOLE_LIMIT = { burst: 10, perSecond: 1 };

/** A probe whose connection broke sends another request, while its previous one is still held. */
const MAX_HELD = 2;

/** All monitors and re-checks, or the re-checks alone, for a probe with this revision of its monitors. */
type Answer = "all monitors" | { revision: number };

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
  const wholes = createRateLimit({ ...WHOLE_LIMIT, clock });
  /** When a location was last sent re-checks, by its number; milliseconds of the monotonic clock. */
  const askedAt = new Map<number, number>();
  let isStopped = false;

  function hold(pk: number): Held {
    const held = createHeld();
    const all = [...(heldBy.get(pk) ?? []), held];
    heldBy.set(pk, all);
    if (isStopped) held.release();
    // A request that was released before may not have ended yet.
    for (const older of all.slice(0, -MAX_HELD)) older.release();
    return held;
  }

  function drop(pk: number, held: Held): void {
    const others = (heldBy.get(pk) ?? []).filter((one) => one !== held);
    if (others.length > 0) heldBy.set(pk, others);
    else heldBy.delete(pk);
  }

  /** @returns what to send, when there is something new or the request ends */
  async function wait(pk: number, { revision, after }: WorkRequest, held: Held): Promise<Answer> {
    const until = clock.monotonic() + POLL_FOR;
    for (;;) {
      const marker = await findMarker(pk);
      if (!marker) throw unauthorized();
      const tooSoon = marker.revision === revision ? undefined : wholes.take(`${pk}`);
      if (tooSoon === 0) return "all monitors";
      if (revision === undefined) throw tooMany("requests for all monitors of this location", tooSoon ?? 1);
      const isAsked = marker.rechecks !== 0 && marker.rechecks !== after && mayAsk(pk);
      if (isAsked || held.isReleased || clock.monotonic() >= until) return { revision };
      await Promise.race([clock.sleep(LOOK_EVERY), held.released]);
    }
  }

  /** In an outage, the re-checks change with each observation. */
  function mayAsk(pk: number): boolean {
    const now = clock.monotonic();
    const isDue = now - (askedAt.get(pk) ?? Number.NEGATIVE_INFINITY) >= LOOK_EVERY;
    if (isDue) askedAt.set(pk, now);
    return isDue;
  }

  async function workFor({ pk, id, name }: ProbeCaller, answer: Answer): Promise<Work> {
    const work = answer === "all monitors" ? await findWork(pk) : { ...answer, ...(await findRechecks(pk)) };
    if (!work) throw unauthorized();
    return { location: { id, name }, now: clock.now(), ...work };
  }

  return {
    async next(probe, request, signal) {
      const held = hold(probe.pk);
      signal.addEventListener("abort", held.release);
      try {
        return await workFor(probe, await wait(probe.pk, request, held));
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
