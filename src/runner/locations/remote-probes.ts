import type { Clock } from "../../clock.ts";
import {
  type BatchAnswer,
  KEPT_FOR,
  type ObservationBatch,
  type Work,
  type WorkQuery,
} from "../../domain/locations/protocol.ts";
import { StorageFault, tooMany } from "../../errors.ts";
import type { ProbeCaller, Store } from "../../store/store.ts";
import { createRateLimit } from "../rate-limit.ts";
import { createIntake } from "./intake.ts";
import { createWorkFeed } from "./work-feed.ts";

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
  /** See `Intake`. @param version of the probe, if it is known */
  record(probe: ProbeCaller, batch: ObservationBatch, version: string | null): Promise<BatchAnswer>;
  /** Answers all requests that are held. */
  stop(): void;
}

type RequestKind = "work" | "results";

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
    // A probe that may ping now, or no longer, is noted at once.
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
      const { ping = null } = query;
      await note(probe, "work", { version, waiting, dropped, ping });
      const work = await feed.next(probe, { revision, after }, signal);
      return ping === null ? withoutProtocols(work) : work;
    },
    async record(probe, batch, version) {
      await note(probe, "results", { version, lag: lagOf(batch, clock.now()) });
      return intake.record(probe, batch);
    },
    stop: feed.stop,
  };
}

/** A probe of an earlier version would check them as if they had no protocol (behavior 20.38). */
function withoutProtocols({ monitors, ...work }: Work): Work {
  const isKnown = ({ config }: { config: object }) => !("protocol" in config);
  return { ...work, ...(monitors && { monitors: monitors.filter(isKnown) }) };
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
