import { AppError } from "../../../errors.ts";
import type { Plan } from "../../accounts/organization.ts";
import { type AlertTiming, AT_ONCE } from "../../alerts/alert-binding.ts";
import { assertIntervalAllowed, parseConfig } from "../monitor.ts";
import type { MonitorChanges } from "../monitor-update.ts";
import { uniqueTags } from "../tags.ts";
import type { BulkChange, SelectableMonitor } from "./bulk-request.ts";

/** The numbers of the channels in a change. */
export type ChangedChannels = Record<"added" | "removed", readonly number[]>;

/** @property bindings by the number of the channel; undefined if they stay @property changed the names of the changed fields */
export interface PlannedChange {
  changes: MonitorChanges;
  bindings: Map<number, AlertTiming> | undefined;
  changed: string[];
}

/**
 * Plans the part of a change of many monitors that concerns one of them (behavior 16.261). Nothing changes if it has the values already.
 *
 * @throws AppError `invalid` if the monitor cannot have these values
 */
function planChange(
  monitor: SelectableMonitor,
  change: BulkChange,
  { plan, bindings, channels }: { plan: Plan; bindings: Bindings; channels: ChangedChannels },
): PlannedChange {
  const changes = {
    ...pausing(monitor, change),
    ...tagging(monitor, change),
    ...pacing(monitor, change, plan),
  };
  const bound = bindingsAfter(bindings, channels);
  return {
    changes,
    bindings: bound,
    changed: [...Object.keys(changes), ...(bound ? ["alertBindings"] : [])],
  };
}

/** Like `planChange`. @returns the message of the error if the monitor cannot have these values */
export function tryChange(...parameters: Parameters<typeof planChange>): PlannedChange | { error: string } {
  try {
    return planChange(...parameters);
  } catch (error) {
    if (error instanceof AppError && error.kind === "invalid") return { error: error.message };
    throw error;
  }
}

function pausing({ enabled: before }: SelectableMonitor, { enabled = before }: BulkChange): MonitorChanges {
  return enabled === before ? {} : { enabled };
}

function tagging({ tags }: SelectableMonitor, { addTags = [], removeTags = [] }: BulkChange): MonitorChanges {
  const after = uniqueTags([...tags, ...addTags].filter((tag) => !removeTags.includes(tag)));
  const isSame = after.length === tags.length && after.every((tag, at) => tag === tags[at]);
  return isSame ? {} : { tags: after };
}

/** The interval of a job is fixed. */
function pacing(
  { type, config: before }: SelectableMonitor,
  { interval }: BulkChange,
  plan: Plan,
): MonitorChanges {
  if (interval === undefined || type === "SCHEDULED" || interval === before.interval) return {};
  const config = { ...before, interval };
  assertIntervalAllowed(plan, config);
  parseConfig(type, config, plan, before);
  return { config };
}

type Bindings = ReadonlyMap<number, AlertTiming>;

/** @returns undefined if they stay the same */
function bindingsAfter(
  before: Bindings,
  { added, removed }: ChangedChannels,
): Map<number, AlertTiming> | undefined {
  const isSame = added.every((pk) => before.has(pk)) && !removed.some((pk) => before.has(pk));
  if (isSame) return undefined;
  const after = new Map(before);
  for (const pk of added) if (!before.has(pk)) after.set(pk, AT_ONCE);
  for (const pk of removed) after.delete(pk);
  return after;
}
