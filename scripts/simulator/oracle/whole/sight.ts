import { checkTimeout } from "../../../../src/domain/checks/check-slot.ts";
import type { StatusGroup } from "../../../../src/domain/monitors/status.ts";
import type { Pace, SimMonitor } from "../../ledger.ts";
import { remaining, united } from "../calm/stretches.ts";
import { furtherCheckDelay } from "../due-checks.ts";
import { doneBy, type Stretch } from "../own-faults.ts";
import { mayBeOf as mayBeOfJob } from "./job-sight.ts";
import type { MonitorLife } from "./monitor-life.ts";
import { mayBeOf as mayBeOfPlaces } from "./place-sight.ts";

const SECOND = 1000;

/** From the end of a check until its status is committed; milliseconds. */
const COMMIT = 3 * SECOND;

/** A group of statuses as the truth knows it; `unknown` before the first check, and after a pause. */
export type Seen = StatusGroup | "unknown";

export const SEEN: readonly Seen[] = ["healthy", "warning", "down", "unknown"];

/** Stretches in which a monitor may be in each group. */
export type MayBe = Record<Seen, Stretch[]>;

/**
 * The status of a monitor by the truth alone. A target that stays the same for longer than the monitor needs to notice it has
 * one possible status; before that, its previous statuses are possible too.
 */
export class Sight {
  readonly #must = new Map<Seen, Stretch[]>();

  constructor(
    readonly may: MayBe,
    private readonly span: Stretch,
  ) {}

  static of(life: MonitorLife): Sight {
    const may = life.isJob
      ? mayBeOfJob(life)
      : life.monitor.places
        ? mayBeOfPlaces(life)
        : mayBeOfTarget(life);
    for (const free of life.free) for (const group of SEEN) may[group].push(free);
    const exists = (stretches: Stretch[]) => united(stretches).filter(({ from }) => from < life.until);
    const cut = Object.fromEntries(SEEN.map((group) => [group, exists(may[group])])) as MayBe;
    return new Sight(cut, { from: life.span.from, to: life.until });
  }

  /** When the monitor is in a group for certain. */
  must(group: Seen): Stretch[] {
    const known = this.#must.get(group);
    if (known) return known;
    const others = SEEN.filter((one) => one !== group).flatMap((one) => this.may[one]);
    const must = remaining([this.span], united(others));
    this.#must.set(group, must);
    return must;
  }
}

export function nothing(): MayBe {
  return { healthy: [], warning: [], down: [], unknown: [] };
}

const GROUPS: Record<string, StatusGroup> = {
  good: "healthy",
  moved: "warning",
  down: "down",
  missing: "down",
};

/** A target that only the server itself checks. */
function mayBeOfTarget(life: MonitorLife): MayBe {
  const { monitor, span, disturbed } = life;
  const may = nothing();
  const lag = noticedWithin(monitor, life.paces);
  for (const { from, to, kind } of monitor.segments ?? [])
    may[GROUPS[kind] ?? "down"].push({ from, to: doneBy(to, lag, disturbed) });
  may.unknown.push({ from: span.from, to: doneBy(span.from, firstCheckWithin(monitor), disturbed) });
  return may;
}

export function firstCheckWithin({ config }: SimMonitor): number {
  return checkTimeout({ interval: config.interval ?? 300 }) + 2 * COMMIT;
}

/** How long it takes at most until the status of a monitor follows its target; milliseconds. @param paces all that it ever has */
export function noticedWithin({ config, ...own }: SimMonitor, paces: readonly Pace[]): number {
  const all = [{ ...own, interval: config.interval ?? 300 }, ...paces];
  const interval = SECOND * Math.max(...all.map((pace) => pace.interval ?? 0));
  const rows = Math.max(
    ...all.flatMap(({ confirmations = 0, recoveries = 0 }) => [confirmations, recoveries]),
  );
  const timeout = checkTimeout({ interval: interval / SECOND });
  // A row may confirm a warning first, and then the rest of it what is worse.
  return interval + timeout + 2 * rows * (furtherCheckDelay(interval) + timeout + COMMIT) + COMMIT;
}
