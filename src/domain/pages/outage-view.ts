import { durationInWords } from "../duration.ts";
import { type DownStretch, downFor, downPart } from "../outages/outage.ts";

/** An outage with the stretches in which its monitor was down. */
export interface ViewedOutage extends MeasuredOutage {
  downs: readonly DownStretch[];
}

/**
 * How a page shows an outage (behavior 15.26): as down if the part that was down is longer than `minOutage`, else as degraded.
 *
 * @property startedAt when the shown part began @property endedAt when that part ended; null while the outage continues
 * @property changedAt since when it is shown like this
 * @property lengthMs how long the shown part has lasted
 * @property downUntil when it was last down, if the outage continues without being down; otherwise null
 */
export interface OutageView {
  isDown: boolean;
  startedAt: number;
  endedAt: number | null;
  changedAt: number;
  lengthMs: number;
  downUntil: number | null;
}

/** When the part of an outage that was down becomes longer than `minOutage`: infinite if it is not. @param minOutage seconds */
export function longDownFrom(outage: ViewedOutage, minOutage: number): number {
  const { startedAt, windowEndsAt, downs } = outage;
  if (windowEndsAt === null) return Number.POSITIVE_INFINITY;
  return downFor(downs, { from: Math.max(startedAt, windowEndsAt ?? startedAt), ms: minOutage * 1000 + 1 });
}

/** @param minOutage seconds @param now milliseconds since 1970 */
export function viewOf(outage: ViewedOutage, minOutage: number, now: number): OutageView {
  const { startedAt, endedAt, downs } = outage;
  const to = endedAt ?? now;
  const downFrom = longDownFrom(outage, minOutage);
  const down = downFrom <= to ? downPart(downs, { to }) : null;
  if (!down) {
    const changedAt = longFrom(outage, minOutage);
    return { isDown: false, startedAt, endedAt, changedAt, lengthMs: to - startedAt, downUntil: null };
  }
  const lastDown = downs.at(-1)?.to ?? null;
  return {
    isDown: true,
    startedAt: down.since,
    endedAt: endedAt && Math.min(lastDown ?? endedAt, endedAt),
    changedAt: downFrom,
    lengthMs: down.ms,
    downUntil: endedAt === null ? lastDown : null,
  };
}

/**
 * An outage of a component.
 *
 * @property windowEndsAt the end of the maintenance window in which it began: null if that is open, undefined if it began in
 *   none
 */
interface MeasuredOutage {
  startedAt: number;
  /** Null while it continues. */
  endedAt: number | null;
  windowEndsAt?: number | null | undefined;
}

/**
 * When an outage that continues becomes longer than `minOutage`, in milliseconds since 1970; infinite while the window in which
 * it began is open (behavior 15.15).
 *
 * @param minOutage seconds
 */
export function longFrom({ startedAt, windowEndsAt }: MeasuredOutage, minOutage: number): number {
  if (windowEndsAt === null) return Number.POSITIVE_INFINITY;
  return Math.max(startedAt, windowEndsAt ?? startedAt) + minOutage * 1000 + 1;
}

/** Whether an outage is longer than `minOutage`, and so shown as an incident (behavior 15.15). */
export function isLong(
  outage: MeasuredOutage,
  { minOutage, now }: { minOutage: number; now: number },
): boolean {
  return (outage.endedAt ?? now) >= longFrom(outage, minOutage);
}

interface Window {
  maintenanceId: string;
  startsAt: number;
  /** Null while it is open. */
  endsAt: number | null;
}

/** The end of the window in which an outage began, as `MeasuredOutage` has it. @param windows of any maintenances */
export function windowEndOf(
  { startedAt, maintenanceId }: { startedAt: number; maintenanceId: string | null },
  windows: readonly Window[],
): number | null | undefined {
  const window = windows.find(
    ({ startsAt, endsAt, ...run }) =>
      run.maintenanceId === maintenanceId && startsAt <= startedAt && (endsAt === null || endsAt > startedAt),
  );
  return window?.endsAt;
}

/*
 * The generated texts of an outage (behavior 15.26). The texts of its updates contain no name, because they are Markdown,
 * in which a name could have a meaning. No text contains a reason.
 */

/** The title of an outage. @param name of the component, which is no Markdown in a title */
export function outageTitle(name: string, isDown: boolean): string {
  return `${name} is ${isDown ? "down" : "degraded"}`;
}

/** @param startedAt milliseconds since 1970 */
export function startText(isDown: boolean, startedAt: number): string {
  return `It has been ${isDown ? "down" : "degraded"} since ${timeInWords(startedAt)}.`;
}

/** The text of an outage that goes on after its monitor was down. @param length of the part that was down, milliseconds */
export function degradedText(length: number): string {
  return `It was down for ${durationInWords(length)}, and is degraded now.`;
}

/** @param length milliseconds */
export function endText(length: number): string {
  return `It lasted ${durationInWords(length)}.`;
}

/** For example `Nov 22, 15:05 UTC`. @param at milliseconds since 1970 */
export function timeInWords(at: number): string {
  const [, day, month, , time] = new Date(at).toUTCString().split(" ");
  return `${month} ${Number(day)}, ${time?.slice(0, 5)} UTC`;
}
