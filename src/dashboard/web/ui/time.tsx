import { useSyncExternalStore } from "react";
import { durationWords, roughWords } from "./duration.ts";

const TICK = 5000;
const listeners = new Set<() => void>();
let now = Date.now();
setInterval(() => {
  now = Date.now();
  for (const listener of listeners) listener();
}, TICK);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The time, to some seconds. What depends on it is drawn again only where its text changes. */
function useClock<Text>(read: (now: number) => Text): Text {
  return useSyncExternalStore(subscribe, () => read(now));
}

const whole = formatter({ dateStyle: "medium", timeStyle: "medium" });
const clock = formatter({ timeStyle: "medium" });
const day = formatter({ dateStyle: "medium" });
const bucketHour = formatter({ month: "short", day: "numeric", hour: "2-digit", minute: "2-digit" });
const bucketDay = formatter({ month: "short", day: "numeric", timeZone: "UTC" });

/** Made at its first use: on a phone it takes a while. */
function formatter(options: Intl.DateTimeFormatOptions): { format: (date: Date) => string } {
  let made: Intl.DateTimeFormat | undefined;
  return {
    format(date) {
      made ??= new Intl.DateTimeFormat(undefined, options);
      return made.format(date);
    },
  };
}

export function utc(at: string): string {
  return `${at.slice(0, 19).replace("T", " ")} UTC`;
}

/** A moment in the reader's zone, and in UTC on hover. */
export function Moment({ at, only }: { at: string; only?: "date" }) {
  const date = new Date(at);
  const today = useClock((now) => date.toDateString() === new Date(now).toDateString());
  const text = only ? day.format(date) : today ? clock.format(date) : whole.format(date);
  return (
    <time dateTime={at} title={utc(at)}>
      {text}
    </time>
  );
}

/** How long ago, or ahead, a moment is. */
export function Distance({ to, rough }: { to: string; rough?: boolean }) {
  const words = rough ? roughWords : durationWords;
  const text = useClock((now) => words(Math.max(0, Math.abs(now - Date.parse(to)))));
  return (
    <time dateTime={to} onPointerEnter={tellWhen}>
      {text}
    </time>
  );
}

/** The moment in a title, made when it is about to be seen: for each of many rows it takes a while. */
function tellWhen({ currentTarget: time }: { currentTarget: HTMLTimeElement }): void {
  time.title = `${whole.format(new Date(time.dateTime))} · ${utc(time.dateTime)}`;
}

/** What a bucket of a history is called: hours in the reader's zone, days as they are cut, in UTC. */
export function bucketWords(start: string, isDay: boolean): string {
  return isDay ? `${bucketDay.format(new Date(start))} (UTC)` : bucketHour.format(new Date(start));
}
