import { describeTarget as describeIn } from "../../../domain/monitors/kinds/kinds.ts";
import type { MonitorType } from "../../../domain/monitors/monitor.ts";
import type { Config } from "../data/api.ts";
import { isolated } from "../languages/locale.ts";
import { fill, texts } from "../languages/texts.ts";
import { formatDuration } from "../ui/durations.ts";

/** The target of a monitor, in one line; of a job, its schedule. */
export function describeTarget(type: MonitorType, config: Config): string {
  return type === "SCHEDULED" ? describeSchedule(config) : isolated(describeIn(type, config));
}

/** The schedule that the user set or, without one, the learned period. @param learned seconds */
export function describeSchedule({ cron, timezone, period }: Config, learned: number | null = null): string {
  const words = texts.status.schedule;
  const every = (seconds: number) => ({ duration: formatDuration(seconds * 1000) });
  if (cron !== undefined) return fill(words.cron, { cron: String(cron), zone: String(timezone ?? "UTC") });
  if (period !== undefined) return fill(words.period, every(Number(period)));
  return learned === null ? words.learning : fill(words.learned, every(learned));
}
