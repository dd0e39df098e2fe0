import { formatDuration } from "../../../../domain/duration.ts";

/** A channel of a monitor. Seconds: how long trouble lasts before it is notified, and how often it is reminded; 0 for neither. */
export interface Binding {
  alertChannelId: string;
  after: number;
  every: number;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const AFTER = [0, MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 15 * MINUTE, 20 * MINUTE, 30 * MINUTE].concat([
  45 * MINUTE,
  HOUR,
  2 * HOUR,
  4 * HOUR,
  8 * HOUR,
  12 * HOUR,
  DAY,
]);
const EVERY = [0, 5 * MINUTE, 10 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR].concat([
  8 * HOUR,
  12 * HOUR,
  DAY,
  2 * DAY,
  7 * DAY,
]);

interface Choice {
  seconds: number;
  label: string;
}

/** What the form offers for `after`. @param stored seconds; offered as well, because the API accepts any number */
export function offeredAfter(stored: number): Choice[] {
  return choices(AFTER, stored, (seconds) =>
    seconds === 0 ? "At once" : `After ${formatDuration(seconds * 1000)}`,
  );
}

/** What the form offers for `every`. @param stored as of `offeredAfter` */
export function offeredEvery(stored: number): Choice[] {
  return choices(EVERY, stored, (seconds) =>
    seconds === 0 ? "No reminder" : `Remind every ${formatDuration(seconds * 1000)}`,
  );
}

function choices(offered: number[], stored: number, label: (seconds: number) => string): Choice[] {
  const all = offered.includes(stored) ? offered : [...offered, stored].sort((a, b) => a - b);
  return all.map((seconds) => ({ seconds, label: label(seconds) }));
}

/** The names of the form values of a channel. */
export function bindingNames(channelId: string) {
  return { after: `after ${channelId}`, every: `every ${channelId}` };
}

/** The channels that are selected in the form; undefined if it does not offer any. */
export function bindingsOf(data: FormData): Binding[] | undefined {
  if (!data.has("hasBindings")) return undefined;
  return data.getAll("alertChannelIds").map((id) => {
    const names = bindingNames(String(id));
    return {
      alertChannelId: String(id),
      after: Number(data.get(names.after) ?? 0),
      every: Number(data.get(names.every) ?? 0),
    };
  });
}
