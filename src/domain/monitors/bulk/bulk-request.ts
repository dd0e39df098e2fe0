import { type Static, Type } from "@sinclair/typebox";
import { invalid } from "../../../errors.ts";
import type { AlertTiming } from "../../alerts/alert-binding.ts";
import { closed, described } from "../../schemas/schema.ts";
import { isSelected, Selector } from "../selector.ts";

/** Which monitors a bulk change applies to: those that any part names (behavior 16.260). */
export const BulkSelector = Type.Object(
  {
    ...Selector.properties,
    withoutChannels: Type.Optional(
      Type.Literal(true, {
        description: "The enabled monitors that notify nobody: none of their channels is enabled.",
      }),
    ),
  },
  { ...closed, minProperties: 1 },
);
export type BulkSelector = Static<typeof BulkSelector>;

const ChannelIds = Type.Array(Type.String(), { minItems: 1 });

/** The changes of each selected monitor. Its other values stay (behavior 16.261). */
export const BulkChange = Type.Object(
  {
    addChannels: Type.Optional(
      described(ChannelIds, "Channels that are notified too. A monitor keeps the timing of those it has."),
    ),
    removeChannels: Type.Optional(described(ChannelIds, "Channels that are no longer notified.")),
  },
  { ...closed, minProperties: 1 },
);
export type BulkChange = Static<typeof BulkChange>;

/** @throws AppError `invalid` if a channel is to be added and removed */
export function assertConsistent({ addChannels = [], removeChannels = [] }: BulkChange): void {
  const both = addChannels.findIndex((id) => removeChannels.includes(id));
  if (both >= 0) throw invalid(`change.addChannels.${both} must not be in removeChannels too`);
}

/** @property isNotified whether one of its channels is enabled */
export interface SelectableMonitor {
  id: string;
  tags: readonly string[];
  enabled: boolean;
  isNotified: boolean;
}

export function isSelectedInBulk(selector: BulkSelector, monitor: SelectableMonitor): boolean {
  if (selector.withoutChannels && monitor.enabled && !monitor.isNotified) return true;
  return isSelected(selector, monitor);
}

/**
 * The bindings of a monitor after a change, by the number of the channel.
 *
 * @returns undefined if they stay the same
 */
export function bindingsAfter(
  before: ReadonlyMap<number, AlertTiming>,
  { added, removed }: Record<"added" | "removed", readonly number[]>,
): Map<number, AlertTiming> | undefined {
  const isSame = added.every((pk) => before.has(pk)) && !removed.some((pk) => before.has(pk));
  if (isSame) return undefined;
  const after = new Map(before);
  for (const pk of added) if (!before.has(pk)) after.set(pk, { after: 0, every: 0 });
  for (const pk of removed) after.delete(pk);
  return after;
}
