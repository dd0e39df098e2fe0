import type { MaintenanceTimes } from "../../../domain/maintenance/maintenance.ts";

/** The fields of a maintenance that decide when it has windows; ISO 8601. */
export interface TimesBody {
  startsAt: string | null;
  endsAt: string | null;
  cron: string | null;
  timezone: string | null;
  /** Seconds. */
  duration: number | null;
  until: string | null;
}

/** The times of the API, from which the domain computes windows. */
export function parsedTimes({ startsAt, endsAt, until, ...others }: TimesBody): MaintenanceTimes {
  const { cron, timezone, duration } = others;
  return {
    startsAt: parse(startsAt),
    endsAt: parse(endsAt),
    cron,
    timezone,
    duration,
    until: parse(until),
    endedRun: null,
    endedRunAt: null,
  };
}

function parse(at: string | null): number | null {
  return at === null ? null : Date.parse(at);
}
