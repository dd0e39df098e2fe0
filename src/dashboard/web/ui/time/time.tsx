import { formatDuration } from "../../../../domain/duration.ts";
import { useClock } from "./clock.tsx";
import { dateFormat, formatUtc } from "./date-format.ts";
import { formatShortDuration } from "./duration.ts";

const dateAndTime = dateFormat({ dateStyle: "medium", timeStyle: "medium" });
const timeOfDay = dateFormat({ timeStyle: "medium" });
const minute = dateFormat({ dateStyle: "medium", timeStyle: "short" });
const minuteOfDay = dateFormat({ timeStyle: "short" });
const dateOnly = dateFormat({ dateStyle: "medium" });

/** A time in the reader's zone, and in UTC as a tooltip. Without its date if that is today. @property only its precision */
export function Time({ at, only }: { at: string; only?: "date" | "minute" }) {
  const date = new Date(at);
  const isToday = useClock((now) => date.toDateString() === new Date(now).toDateString());
  const [today, otherDay] = only === "minute" ? [minuteOfDay, minute] : [timeOfDay, dateAndTime];
  const format = only === "date" ? dateOnly : isToday ? today : otherDay;
  return (
    <time dateTime={at} title={formatUtc(at)}>
      {format.format(date)}
    </time>
  );
}

/** The duration between a time and now, with the time as a tooltip. @property short in one unit */
export function TimeSince({ at, short }: { at: string; short?: boolean }) {
  const format = short ? formatShortDuration : formatDuration;
  const text = useClock((now) => format(Math.abs(now - Date.parse(at))));
  return (
    <time dateTime={at} onPointerEnter={setTooltip}>
      {text}
    </time>
  );
}

/** Created only when a reader points at it, because a thousand rows would take a while. */
function setTooltip({ currentTarget: time }: { currentTarget: HTMLTimeElement }): void {
  time.title = `${dateAndTime.format(new Date(time.dateTime))} · ${formatUtc(time.dateTime)}`;
}
