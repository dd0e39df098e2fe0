import { formatDuration } from "../../../../domain/duration.ts";
import type { SelectOption } from "../../ui/filters.tsx";

/** A channel of a monitor. Seconds: how long trouble lasts before it is notified, and how often it is reminded; 0 for neither. */
export interface Binding {
  alertChannelId: string;
  after: number;
  every: number;
}

/** In minutes, up to 1 and 7 days. */
const AFTER = [0, 1, 2, 5, 10, 15, 20, 30, 45, 60, 120, 240, 480, 720, 1440];
const EVERY = [0, 5, 10, 15, 30, 60, 120, 240, 480, 720, 1440, 2880, 10_080];

/** The options of `after`. @param stored seconds; offered as well, because the API accepts any number */
export function offeredAfter(stored: number): SelectOption[] {
  return choices(AFTER, stored, (seconds) =>
    seconds === 0 ? "At once" : `After ${formatDuration(seconds * 1000)}`,
  );
}

/** The options of `every`. @param stored as of `offeredAfter` */
export function offeredEvery(stored: number): SelectOption[] {
  return choices(EVERY, stored, (seconds) =>
    seconds === 0 ? "No reminder" : `Remind every ${formatDuration(seconds * 1000)}`,
  );
}

function choices(minutes: number[], stored: number, label: (seconds: number) => string): SelectOption[] {
  const all = new Set([...minutes.map((one) => one * 60), stored]);
  return [...all].sort((a, b) => a - b).map((seconds) => ({ value: seconds, label: label(seconds) }));
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
