/**
 * An outage of a component.
 *
 * @property windowEndsAt the end of the maintenance window in which it began: null if that is open, undefined if it began in
 *   none
 */
export interface MeasuredOutage {
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
