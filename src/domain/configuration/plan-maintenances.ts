import { AppError } from "../../errors.ts";
import { assertNotOver, TIME_FIELDS } from "../maintenance/request.ts";
import { definedEnd, stateAt } from "../maintenance/windows.ts";
import { pick } from "../pick.ts";
import { fieldOf } from "../schemas/field-name.ts";
import { asFault, type Fault } from "./fault.ts";
import { changedFieldsOf } from "./field-names.ts";
import type { ParsedDocument, ParsedMaintenance } from "./parsed-document.ts";
import type { PlannedMaintenance, Step } from "./plan.ts";
import {
  byRef,
  type Key,
  keysById,
  type StoredConfiguration,
  type StoredMaintenance,
} from "./stored-configuration.ts";

/** @param now milliseconds since 1970 */
export function planMaintenances(
  { maintenances }: ParsedDocument,
  stored: StoredConfiguration,
  now: number,
): { steps: Step<PlannedMaintenance>[]; faults: Fault[] } {
  const known = byRef(stored.maintenances);
  const keys = { monitors: keysById(stored.monitors), channels: keysById(stored.channels) };
  const [steps, faults]: [Step<PlannedMaintenance>[], Fault[]] = [[], []];
  for (const [ref, entry] of maintenances) {
    const before = known.get(ref);
    try {
      const step = before ? planUpdate(ref, entry, { before, keys }, now) : planCreation(ref, entry, now);
      if (step) steps.push(step);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      faults.push(asFault(error, fieldOf("maintenances", ref)));
    }
  }
  return { steps, faults };
}

/** A maintenance that is over is not created, so that a document may keep it (behavior 16.25). */
function planCreation(
  ref: string,
  entry: ParsedMaintenance,
  now: number,
): Step<PlannedMaintenance> | undefined {
  if (stateAt(entry.times, now) === "ended") return undefined;
  return { ref, id: null, fields: entry.given, values: entry };
}

interface Keys {
  monitors: ReadonlyMap<string, Key>;
  channels: ReadonlyMap<string, Key>;
}

/** @throws AppError `invalid` for other times that are over */
function planUpdate(
  ref: string,
  entry: ParsedMaintenance,
  { before, keys }: { before: StoredMaintenance; keys: Keys },
  now: number,
): Step<PlannedMaintenance> | undefined {
  const fields = changedFieldsOf(comparable(asPlanned(before, keys)), comparable(entry));
  if (TIME_FIELDS.some((name) => fields.includes(name))) assertNotOver(entry.times, now);
  return fields.length > 0 ? { ref, id: before.id, fields, values: entry } : undefined;
}

type Comparable = Omit<PlannedMaintenance, "given">;

/** A stored maintenance with keys in place of IDs, and with the end of its definition. */
function asPlanned(
  { title, message, selector, notifyChannelIds, ...times }: StoredMaintenance,
  keys: Keys,
): Comparable {
  const { monitorIds, ...others } = selector;
  return {
    title,
    message,
    selector: {
      ...others,
      ...(monitorIds && { monitorIds: monitorIds.flatMap((id) => keys.monitors.get(id) ?? []) }),
    },
    notifyChannelIds: notifyChannelIds.flatMap((id) => keys.channels.get(id) ?? []),
    times: { ...times, endsAt: definedEnd(times) },
  };
}

/** The fields under the names of the API. */
function comparable({ title, message, selector, times, notifyChannelIds }: Comparable) {
  return { title, message, selector, ...pick(times, TIME_FIELDS), notifyChannelIds };
}
