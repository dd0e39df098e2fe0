import { HERE } from "../../domain/locations/location.ts";
import type { Recording } from "../../domain/monitors/recording-plan.ts";
import { hourOf } from "../../domain/results/rollup.ts";

/**
 * Splits events into batches that can be planned at once: all events of one monitor are of the same hour, because its
 * baseline is loaded for one hour, and a claimed event is the first of its monitor, because its claim is compared with
 * the stored state.
 */
export function splitEvents(events: readonly Recording[]): Recording[][] {
  const batches: Recording[][] = [];
  let batch: Recording[] = [];
  let hours = new Map<string, number>();
  for (const event of events) {
    const hour = hourOf(timeOf(event));
    const known = hours.get(event.monitorId);
    if (known !== undefined && (known !== hour || event.claim !== undefined)) {
      batches.push(batch);
      [batch, hours] = [[], new Map()];
    }
    hours.set(event.monitorId, hour);
    batch.push(event);
  }
  return batch.length > 0 ? [...batches, batch] : batches;
}

/**
 * The parts of a monitor to load.
 *
 * @property at the baselines are computed for the hour of this moment
 * @property from the numbers of the locations whose baselines are needed
 */
export interface Wanted {
  at: number;
  from: ReadonlySet<number>;
}

/** The parts that events need, by the ID of the monitor. */
export function wantedBy(events: readonly Recording[]): Map<string, Wanted> {
  const wanted = new Map<string, Wanted>();
  for (const event of events) {
    const location = event.kind === "check" ? (event.location ?? HERE) : HERE;
    const from = added(wanted.get(event.monitorId)?.from ?? NOWHERE, location);
    wanted.set(event.monitorId, { at: timeOf(event), from });
  }
  return wanted;
}

/** The parts of some monitors that an event at one moment needs. */
export function wantedAt(at: number, monitorIds: readonly string[]): Map<string, Wanted> {
  return new Map(monitorIds.map((id) => [id, { at, from: ONLY_HERE }]));
}

/** The parts of some monitors that a change without an event needs. */
export function wantedFromNowhere(at: number, monitorIds: readonly string[]): Map<string, Wanted> {
  return new Map(monitorIds.map((id) => [id, { at, from: NOWHERE }]));
}

const NOWHERE: ReadonlySet<number> = new Set();
const ONLY_HERE: ReadonlySet<number> = new Set([HERE]);

/** Almost all events are of this server: they share one set. */
function added(from: ReadonlySet<number>, location: number): ReadonlySet<number> {
  if (from.has(location)) return from;
  return from.size === 0 && location === HERE ? ONLY_HERE : new Set([...from, location]);
}

/** Late observations enter the history of their time, but the baselines of the present. */
function timeOf(event: Recording): number {
  return event.kind === "check" ? (event.receivedAt ?? event.at) : event.at;
}
