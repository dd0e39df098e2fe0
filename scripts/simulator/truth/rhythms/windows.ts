import type { SimMaintenance } from "../../ledger.ts";
import type { Draw } from "../draw.ts";
import type { Pattern } from "./patterns.ts";

const [HOUR, MINUTES_OF_DAY] = [3_600_000, 24 * 60];

/** Windows that recur over the runs of a job, or over its deadlines only. */
export function drawWindows(
  draw: Draw,
  { job, pattern, channels }: { job: string; pattern: Pattern; channels: string[] },
): SimMaintenance[] {
  if (draw.chance(0.4)) return [];
  return Array.from({ length: draw.chance(0.3) ? 2 : 1 }, (_, number) => ({
    name: `${job} window ${number}`,
    selector: { monitors: [job] },
    notifies: draw.chance(0.1) ? channels : [],
    window: drawWindow(draw, pattern),
  }));
}

/** @returns a window that begins up to an hour before a run, or between a run and its deadline */
function drawWindow(draw: Draw, { schedule, minuteOfDay, regular }: Pattern): SimMaintenance["window"] {
  const timezone = draw.chance(0.9) && schedule.timezone ? { timezone: schedule.timezone } : {};
  if (regular === HOUR && draw.chance(0.6)) {
    const lead = draw.whole(2, 10);
    const cron = `${(minuteOfDay - lead + 60) % 60} * * * *`;
    return { cron, ...timezone, duration: (lead + draw.whole(2, 20)) * 60 };
  }
  const isOverRun = draw.chance(0.6);
  const lead = isOverRun ? draw.whole(5, 60) : -draw.whole(20, 58);
  const start = (minuteOfDay - lead + MINUTES_OF_DAY) % MINUTES_OF_DAY;
  const cron = `${start % 60} ${Math.floor(start / 60)} * * ${draw.chance(0.8) ? "*" : draw.whole(0, 6)}`;
  return { cron, ...timezone, duration: (Math.max(0, lead) + draw.whole(10, 120)) * 60 };
}
