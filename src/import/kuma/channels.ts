import { parseChannelConfig } from "../../domain/alerts/channel.ts";
import type { RefNames } from "../../domain/configuration/placeholder.ts";
import { faultIn } from "../checked.ts";
import { cut, named, type Report } from "../imported.ts";
import { literals, type Secrets, writeChannelConfig } from "../output-config.ts";
import {
  flagOf,
  groupedBy,
  idOf,
  isRow,
  jsonOf,
  type KumaData,
  MAX_NAME,
  type Refused,
  type Row,
  textIn,
} from "./fields.ts";
import { channelsOf, type MappedChannel } from "./services.ts";

/** The channels of the document, and which of them each monitor notifies. */
export interface Channels {
  entries: Record<string, Record<string, unknown>>;
  /** The refs of the channels of a monitor of Uptime Kuma. */
  refsOf: (monitor: Row) => string[];
  /** How many of its notifications are no channels here. */
  lostOf: (monitor: Row) => number;
}

interface ChannelContext {
  refOf: RefNames;
  secrets: Secrets;
  report: Report;
}

/** Behavior 16.98. */
export function channelsFrom(
  { notifications, monitorNotifications }: Pick<KumaData, "notifications" | "monitorNotifications">,
  context: ChannelContext,
): Channels {
  const entries: Channels["entries"] = {};
  const refs = new Map<number | undefined, string[]>();
  for (const row of notifications) {
    const added = channelEntries(row, context);
    Object.assign(entries, Object.fromEntries(added));
    const addedRefs = added.map(([ref]) => ref);
    if (idOf(row) !== undefined) refs.set(idOf(row), addedRefs);
  }
  const bound = groupedBy(monitorNotifications, "monitor_id");
  const taken = (row: Row) => refs.get(idOf(row, "notification_id")) ?? [];
  return {
    lostOf: (monitor) => (bound.get(idOf(monitor)) ?? []).filter((row) => taken(row).length === 0).length,
    entries,
    refsOf: (monitor) => {
      const rows = bound.get(idOf(monitor)) ?? [];
      return [...new Set(rows.flatMap(taken))];
    },
  };
}

/** A notification to several recipients can be several channels. */
function channelEntries(
  row: Row,
  { refOf, secrets, report }: ChannelContext,
): [string, Record<string, unknown>][] {
  const name = textIn(row, "name");
  const channels = mappedFrom(row);
  if ("why" in channels) {
    report.omit(named("notification", name), channels.why);
    return [];
  }
  return channels.flatMap((channel) => {
    const fault = faultIn(() => parseChannelConfig(channel.type, channel.config));
    if (fault !== undefined) {
      report.omit(named("notification", name), fault);
      return [];
    }
    for (const { part, why } of channel.omitted) report.omit(named("notification", name, part), why);
    for (const note of channel.notes) report.note(`${named("notification", name)}: ${note}`);
    if ([...name].length > MAX_NAME)
      report.omit(named("notification", name, "name"), `it has more than ${MAX_NAME} characters: it is cut`);
    const shown = channels.length > 1 ? `${name} ${channel.label}` : name;
    const ref = refOf(shown);
    return [[ref, entryOf(row, { ref, shown, channel, secrets })]];
  });
}

function mappedFrom(row: Row): MappedChannel[] | Refused {
  const config = jsonOf(row, "config");
  if (!isRow(config)) return { why: "its settings are not readable" };
  const type = textIn(config, "type");
  const why = `stillup has no channels of the type ${JSON.stringify(type.slice(0, 40))}`;
  return channelsOf(type, config) ?? { why };
}

function entryOf(
  row: Row,
  { ref, shown, channel, secrets }: { ref: string; shown: string; channel: MappedChannel; secrets: Secrets },
): Record<string, unknown> {
  const name = cut(shown, MAX_NAME);
  return {
    ...(name !== "" && name !== ref && { name: literals(name) }),
    type: channel.type,
    config: writeChannelConfig(channel.config, { type: channel.type, ref, secrets }),
    ...(!flagOf(row, "active", true) && { enabled: false }),
  };
}
