import { type Static, Type } from "@sinclair/typebox";
import { invalid } from "../../../errors.ts";
import { isMatch } from "../../overview/selection.ts";
import { closed, described, oneOf } from "../../schemas/schema.ts";
import { MONITOR_KINDS } from "../kinds/kinds.ts";
import { type Monitor, MonitorType } from "../monitor.ts";
import { isSelected, Selector } from "../selector.ts";
import { type Attendance, attended, STANDINGS } from "../standing.ts";
import { Tags } from "../tags.ts";

/** The filters of the overview. */
const Matching = Type.Object(
  {
    search: Type.Optional(
      Type.String({ minLength: 1, description: "A text in the name, the target or the tags." }),
    ),
    type: Type.Optional(MonitorType),
    kind: Type.Optional(described(oneOf(MONITOR_KINDS), "As in the overview.")),
    status: Type.Optional(oneOf(STANDINGS)),
    tags: Type.Optional(described(Tags, "All of them.")),
  },
  { ...closed, minProperties: 1, description: "The monitors that match all of these filters." },
);

/** Which monitors a bulk change applies to: those that any part names (behavior 16.260). */
export const BulkSelector = Type.Object(
  {
    ...Selector.properties,
    withoutChannels: Type.Optional(
      Type.Literal(true, {
        description: "The enabled monitors that notify nobody: none of their channels is enabled.",
      }),
    ),
    matching: Type.Optional(Matching),
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
    addTags: Type.Optional(Type.Intersect([Tags, Type.Array(Type.String(), { minItems: 1 })])),
    removeTags: Type.Optional(Type.Intersect([Tags, Type.Array(Type.String(), { minItems: 1 })])),
    enabled: Type.Optional(Type.Boolean({ description: "`false` pauses, `true` resumes." })),
    interval: Type.Optional(
      Type.Integer({ description: "Seconds between two checks. A `SCHEDULED` monitor stays as it is." }),
    ),
    delete: Type.Optional(
      Type.Literal(true, { description: "Deletes the monitors. Not with other changes." }),
    ),
  },
  { ...closed, minProperties: 1 },
);
export type BulkChange = Static<typeof BulkChange>;

/** @throws AppError `invalid` for changes that contradict each other */
export function assertConsistent(change: BulkChange): void {
  if (change.delete && Object.keys(change).length > 1)
    throw invalid("change.delete must not be combined with other changes");
  for (const [add, remove] of [
    ["addChannels", "removeChannels"],
    ["addTags", "removeTags"],
  ] as const) {
    const both = change[add]?.findIndex((one) => change[remove]?.includes(one)) ?? -1;
    if (both >= 0) throw invalid(`change.${add}.${both} must not be in ${remove} too`);
  }
}

/** @property isNotified whether one of its channels is enabled */
export interface SelectableMonitor
  extends Pick<Monitor, "id" | "name" | "type" | "config" | "tags" | "enabled" | "status"> {
  isNotified: boolean;
}

export function isSelectedInBulk(
  selector: BulkSelector,
  monitor: SelectableMonitor,
  attendance: Attendance,
): boolean {
  const { withoutChannels, matching } = selector;
  if (withoutChannels && monitor.enabled && !monitor.isNotified) return true;
  if (matching) {
    const { search = "", type = "", kind = "", status = "", tags = [] } = matching;
    if (isMatch(attended(monitor, attendance), { search, type, kind, state: status, tags })) return true;
  }
  return isSelected(selector, monitor);
}
