import type { Status } from "../../../../src/domain/monitors/status.ts";
import type { Ledger } from "../../ledger.ts";

/** The outages and notifications of a run, with names instead of IDs. The clock of the server gave the times. */
export interface Happened {
  outages: HappenedOutage[];
  notifications: HappenedNotification[];
}

/** @property endedAt null while it continues */
export interface HappenedOutage {
  monitor: string;
  startedAt: number;
  endedAt: number | null;
  status: Status;
}

/** A notification that was released to be sent. @property at when it was created */
export interface HappenedNotification {
  monitor: string;
  channel: string;
  status: Status;
  at: number;
  isReminder: boolean;
}

interface Stretch {
  from: number;
  to: number;
}

/** The outages and notifications of some monitors that began in a stretch of a run. */
export function recordedOf(
  { outages, deliveries }: Ledger,
  { monitors, range: { from, to } }: { monitors: readonly string[]; range: Stretch },
): Happened {
  const isMeant = (monitor: string, at: number) => monitors.includes(monitor) && at >= from && at < to;
  return {
    outages: outages
      .filter(({ monitor, startedAtWall }) => isMeant(monitor, startedAtWall))
      .map(({ monitor, startedAtWall, endedAtWall, status }) => {
        return { monitor, startedAt: startedAtWall, endedAt: endedAtWall, status };
      }),
    notifications: deliveries
      .filter(({ monitor, createdAtWall, isReleased }) => isReleased && isMeant(monitor, createdAtWall))
      .map(({ monitor, channel, newStatus, resultId, createdAtWall }) => {
        return { monitor, channel, status: newStatus, at: createdAtWall, isReminder: resultId === null };
      }),
  };
}

/** The figures of a replay. */
export interface Counts {
  outages: number;
  notifications: number;
  downSeconds: number;
}

export function countsOf({ outages, notifications }: Happened, { to }: Pick<Stretch, "to">): Counts {
  const downMs = outages.reduce(
    (sum, { startedAt, endedAt }) => sum + Math.min(endedAt ?? to, to) - startedAt,
    0,
  );
  return { outages: outages.length, notifications: notifications.length, downSeconds: downMs / 1000 };
}
