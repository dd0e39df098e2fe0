import type { Clock } from "../../clock.ts";
import { MINUTE } from "../../domain/duration.ts";
import type { Selector } from "../../domain/monitors/selector.ts";
import type { MonitorPast, ReplayedPast } from "../../domain/replay/history.ts";

/** Which past a replay needs. @property version see `Store.replays.version` @property slowerThan, warnDays see `KeptTraits` */
export interface NeededPast {
  organizationId: string;
  selector: Selector;
  days: number;
  version: string;
  slowerThan?: number | undefined;
  warnDays?: number | undefined;
}

interface KnownPast extends NeededPast {
  past: ReplayedPast;
  bytes: number;
  forget: () => void;
}

/** How long a past is used again, although usual checks were made since. */
const KEPT_FOR = MINUTE;

const MAX_BYTES = 24 * 1024 * 1024;

/**
 * The pasts of the latest replays, for replays of the same monitors with other changes: these read nothing again (behavior 25.35). They are
 * forgotten after a minute, and the oldest ones earlier if they need too much memory.
 */
export class KnownPasts {
  readonly #clock: Pick<Clock, "after">;
  readonly #most: number;
  /** Oldest first. */
  readonly #known = new Set<KnownPast>();

  constructor(clock: Pick<Clock, "after">, most = MAX_BYTES) {
    this.#clock = clock;
    this.#most = most;
  }

  /** @param load reads a past that is not known */
  async find(needed: NeededPast, load: () => Promise<ReplayedPast>): Promise<ReplayedPast> {
    for (const known of this.#known) if (covers(known, needed)) return known.past;
    const past = await load();
    this.#keep({ ...needed, past, bytes: bytesOf(past) });
    return past;
  }

  #keep(loaded: Omit<KnownPast, "forget">): void {
    if (loaded.bytes > this.#most) return;
    let left = this.#most - loaded.bytes;
    for (const known of [...this.#known].toReversed()) {
      left -= known.bytes;
      if (left < 0 || covers(loaded, known)) this.#forget(known);
    }
    const known: KnownPast = { ...loaded, forget: () => {} };
    known.forget = this.#clock.after(KEPT_FOR, () => this.#known.delete(known));
    this.#known.add(known);
  }

  #forget(known: KnownPast): void {
    known.forget();
    this.#known.delete(known);
  }

  /** Forgets all, so that no timer is left. */
  clear(): void {
    for (const known of this.#known) this.#forget(known);
  }
}

/** Whether a past has all that another one would have. */
function covers(known: NeededPast, needed: NeededPast): boolean {
  const { slowerThan = Number.POSITIVE_INFINITY, warnDays } = needed;
  return (
    known.organizationId === needed.organizationId &&
    known.days === needed.days &&
    known.version === needed.version &&
    Bun.deepEquals(known.selector, needed.selector) &&
    (known.slowerThan ?? Number.POSITIVE_INFINITY) <= slowerThan &&
    (warnDays === undefined || known.warnDays === warnDays)
  );
}

/** About how much memory an object takes, in bytes: measured with 1,000 monitors. */
const BYTES = { monitor: 1000, settings: 800, kind: 200, outage: 300, notification: 200 };

function bytesOf({ monitors }: ReplayedPast): number {
  let bytes = 0;
  for (const one of monitors.values()) bytes += bytesOfMonitor(one);
  return bytes;
}

function bytesOfMonitor({ checks, settings, outages, notifications }: MonitorPast): number {
  const { times, kindOf, latencies, isAfterUsual, kinds } = checks;
  const columns = [times, kindOf, latencies, isAfterUsual].reduce((sum, one) => sum + one.byteLength, 0);
  return (
    BYTES.monitor +
    columns +
    BYTES.settings * settings.length +
    BYTES.kind * kinds.length +
    BYTES.outage * outages.length +
    BYTES.notification * notifications.length
  );
}
