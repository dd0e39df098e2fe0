import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from "react";
import { locale } from "../languages/locale.ts";
import { formatDuration, formatShortDuration } from "./durations.ts";

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

interface DateFormat {
  format(date: Date | number): string;
}

/** A format in the reader's language and zone, created at its first use: on a phone that takes up to 50 ms. */
export function dateFormat(options: Intl.DateTimeFormatOptions): DateFormat {
  let created: Intl.DateTimeFormat | undefined;
  return {
    format(date) {
      created ??= new Intl.DateTimeFormat(locale, options);
      return created.format(date);
    },
  };
}

function formatUtc(at: string): string {
  return `${at.slice(0, 19).replace("T", " ")} UTC`;
}

const TICK = 5000;

/** The current time, updated every few seconds for all who show it. */
class Clock {
  /** Milliseconds since 1970. */
  now = Date.now();
  readonly #listeners = new Set<() => void>();

  /** @returns a function that stops the clock */
  start(): () => void {
    const timer = setInterval(() => {
      this.now = Date.now();
      for (const listener of this.#listeners) listener();
    }, TICK);
    return () => clearInterval(timer);
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
}

const CurrentClock = createContext<Clock | null>(null);

export function ClockProvider({ children }: { children: ReactNode }) {
  const [clock] = useState(() => new Clock());
  useEffect(() => clock.start(), [clock]);
  return <CurrentClock value={clock}>{children}</CurrentClock>;
}

/** The result of `read` for the current time. The component renders again only if the result changes. */
export function useClock<Value>(read: (now: number) => Value): Value {
  const clock = useContext(CurrentClock);
  if (!clock) throw new Error("a time needs a ClockProvider around it");
  return useSyncExternalStore(clock.subscribe, () => read(clock.now));
}
