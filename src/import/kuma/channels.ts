import { parseChannelConfig } from "../../domain/alerts/channel.ts";
import type { RefNames } from "../../domain/configuration/ref-names.ts";
import { AppError } from "../../errors.ts";
import { named } from "../left.ts";
import type { Report } from "../report.ts";
import type { Secrets } from "../secrets.ts";
import { literals, writeChannelConfig } from "../written-config.ts";
import { flagOf, groupedBy, idOf, isRow, jsonOf, type KumaData, type Row, textOf } from "./data.ts";
import type { Refused } from "./fields.ts";
import { services, type TakenChannel } from "./services.ts";

/** The channels of the document, and which of them each monitor notifies. */
export interface Channels {
  entries: Record<string, Record<string, unknown>>;
  /** The refs of the channels of a monitor of Uptime Kuma. */
  refsOf: (monitor: Row) => string[];
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
  const refs = new Map<number, string[]>();
  for (const row of notifications) {
    const added = channelEntries(row, context);
    Object.assign(entries, Object.fromEntries(added));
    const id = idOf(row);
    if (id !== undefined)
      refs.set(
        id,
        added.map(([ref]) => ref),
      );
  }
  const bound = groupedBy(monitorNotifications, "monitor_id");
  return {
    entries,
    refsOf: (monitor) => {
      const rows = bound.get(idOf(monitor) ?? Number.NaN) ?? [];
      return [...new Set(rows.flatMap((row) => refs.get(idOf(row, "notification_id") ?? Number.NaN) ?? []))];
    },
  };
}

/** A notification to several recipients can be several channels. */
function channelEntries(
  row: Row,
  { refOf, secrets, report }: ChannelContext,
): [string, Record<string, unknown>][] {
  const name = textOf(row, "name");
  const channels = takenFrom(row);
  if ("why" in channels) {
    report.leave(named("notification", name), channels.why);
    return [];
  }
  return channels.flatMap((channel) => {
    const fault = faultOf(channel);
    if (fault !== undefined) {
      report.leave(named("notification", name), fault);
      return [];
    }
    for (const { part, why } of channel.left) report.leave(named("notification", name, part), why);
    for (const note of channel.notes) report.note(`${named("notification", name)}: ${note}`);
    const shown = channels.length > 1 ? `${name} ${channel.label}` : name;
    const ref = refOf(shown);
    return [[ref, entryOf(row, { ref, shown, channel, secrets })]];
  });
}

function takenFrom(row: Row): TakenChannel[] | Refused {
  const config = jsonOf(row, "config");
  if (!isRow(config)) return { why: "its settings are not readable" };
  const type = textOf(config, "type");
  const service = Object.hasOwn(services, type) ? services[type] : undefined;
  if (!service) return { why: `stillup has no channels of the type ${JSON.stringify(type.slice(0, 40))}` };
  return service(config);
}

/** Why stillup would refuse the config. */
function faultOf({ type, config }: TakenChannel): string | undefined {
  try {
    parseChannelConfig(type, config);
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}

const LONGEST_NAME = 200;

function entryOf(
  row: Row,
  { ref, shown, channel, secrets }: { ref: string; shown: string; channel: TakenChannel; secrets: Secrets },
): Record<string, unknown> {
  const name = [...shown].slice(0, LONGEST_NAME).join("");
  return {
    ...(name !== "" && name !== ref && { name: literals(name) }),
    type: channel.type,
    config: writeChannelConfig(channel.config, { type: channel.type, ref, secrets }),
    ...(!flagOf(row, "active", true) && { enabled: false }),
  };
}
