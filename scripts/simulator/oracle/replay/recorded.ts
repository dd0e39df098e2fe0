import { groupOf, type Status } from "../../../../src/domain/monitors/status.ts";
import { parseDeliveryId } from "../../../../src/store/ids.ts";
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

/**
 * A notification that was released to be sent.
 *
 * @property at when it was created, or a repetition was due @property by when it was released at the latest
 */
export interface HappenedNotification {
  monitor: string;
  channel: string;
  status: Status;
  at: number;
  by: number;
  isReminder: boolean;
}

interface Stretch {
  from: number;
  to: number;
}

/** The outages and notifications of some monitors that began in a stretch of a run. */
export function recordedOf(
  { outages, deliveries, attempts }: Ledger,
  { monitors, range: { from, to } }: { monitors: readonly string[]; range: Stretch },
): Happened {
  const firstAttempts = new Map(attempts.map((attempt) => [attempt.id, attempt] as const).reverse());
  const isMeant = (monitor: string, at: number) => monitors.includes(monitor) && at >= from && at < to;
  return {
    outages: outages
      .filter(({ monitor, startedAtWall }) => isMeant(monitor, startedAtWall))
      .map(({ monitor, startedAtWall, endedAtWall, status }) => {
        return { monitor, startedAt: startedAtWall, endedAt: endedAtWall, status };
      }),
    notifications: deliveries.flatMap((delivery) => {
      const { id, monitor, channel, newStatus: status, createdAtWall: at, releasedByWall: by } = delivery;
      if (by === null || !isMeant(monitor, at)) return [];
      // An incident that ends without a recovery is no change of the status.
      if (firstAttempts.get(id)?.incident?.action === "resolve" && groupOf[status] !== "healthy") return [];
      return [{ monitor, channel, status, at, by, isReminder: parseDeliveryId(id) === 0 }];
    }),
  };
}

/** Without the work of the last stop of the server, after the end of the range. */
export function happenedUntil({ outages, notifications }: Happened, to: number): Happened {
  return {
    outages: outages.map((one) => ({ ...one, endedAt: (one.endedAt ?? to) < to ? one.endedAt : null })),
    notifications: notifications.filter(({ by }) => by < to),
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
