import type { MonitorConfig } from "../../../../src/domain/monitors/monitor.ts";
import type { Ledger } from "../../ledger.ts";
import type { Bounds } from "../bounds.ts";
import { accepted } from "../calm/spells.ts";
import type { MonitorLife } from "./monitor-life.ts";

const [SECOND, MINUTE] = [1000, 60_000];

/** After so many check-ins, five runs have ended for certain. */
const KNOWN_AFTER = 8;

type Start = Ledger["starts"][number];

/**
 * A run that may take too long, or does.
 *
 * @property limitAt when it has taken too long, if it is open then
 * @property isCertain whether it is open then, for all that the server knows
 */
export interface OpenRun {
  start: Start;
  limitAt: Bounds;
  isCertain: boolean;
}

/**
 * How long a run may take by the config or, if it is learned, by runs of less than a second; milliseconds. After an edit, the
 * configs before and after it are possible while the run is open.
 */
export function limitOf({ monitor, ledger }: Pick<MonitorLife, "monitor" | "ledger">, start: number): Bounds {
  const { maxRunTime } = monitor.config as MonitorConfig<"SCHEDULED">;
  if (maxRunTime === undefined) return { low: MINUTE, high: MINUTE + 2 * SECOND };
  const edits = accepted(ledger, "edit").filter(({ request }) => request.monitor === monitor.name);
  const limits = [maxRunTime, ...edits.map(({ request }) => request.changes.maxRunTime ?? maxRunTime)];
  const longest = Math.max(...limits) * SECOND;
  const first = edits.findLastIndex(({ to }) => to + SECOND < start) + 1;
  const last = edits.findLastIndex(({ from }) => from < start + longest + MINUTE) + 1;
  const possible = limits.slice(first, last + 1).map((limit) => limit * SECOND);
  return { low: Math.min(...possible), high: Math.max(...possible) };
}

/** The runs of a job that no report surely ends within their limit. */
export function openRuns(life: MonitorLife): OpenRun[] {
  const { monitor, ledger, pauses, disturbed, span, until } = life;
  const own = <One extends { monitor: string }>(all: readonly One[]) =>
    all.filter((one) => one.monitor === monitor.name);
  const [starts, checkins] = [own(ledger.starts), own(ledger.checkins)];
  const isLearned = !("maxRunTime" in monitor.config);
  return starts.flatMap((start): OpenRun[] => {
    const limit = limitOf(life, start.at);
    const taught = checkins.filter(
      ({ at, status, accepted }) => accepted && at < start.at && status === "ok",
    ).length;
    const isKnown = !isLearned || taught >= KNOWN_AFTER;
    // A limit that becomes known later ends a run that hangs at that moment.
    const limitAt = {
      low: start.at + limit.low,
      high: isKnown ? latestLimit(start.at, limit.high, life) : until,
    };
    const closes = [...checkins, ...starts].filter(
      ({ at, rid }) => start.at < at && at < limitAt.high + SECOND && rid === start.rid,
    );
    if (closes.some(({ at, accepted }) => accepted && at < limitAt.low)) return [];
    const before = { from: isLearned ? span.from : start.at - SECOND, to: limitAt.high + SECOND };
    // Without a disturbance, the limit is known after five runs, and every report is taken.
    const isDisturbed = [...disturbed, ...pauses].some(
      ({ from, to }) => from <= before.to && to >= before.from,
    );
    const isInWindow = life.runs.some(({ from, to }) => from <= before.to && to >= limitAt.low);
    const isCertain =
      start.accepted && closes.length === 0 && !isDisturbed && !isInWindow && before.to < until && isKnown;
    return [{ start, limitAt, isCertain }];
  });
}

/** The limit counts again from the end of each fault of the server and, if it is reached in a window, is judged at the end of the window. */
export function latestLimit(start: number, limit: number, { disturbed, runs }: MonitorLife): number {
  let latest = start + limit;
  for (const { from, to } of [...disturbed, ...runs].sort((one, other) => one.from - other.from))
    if (from <= latest && to >= start) latest = Math.max(latest, to + limit);
  return latest;
}
