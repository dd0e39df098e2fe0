import type { Secrets } from "../secrets.ts";
import { literals, writeMonitorConfig } from "../written-config.ts";
import { certificateMonitors } from "./certificates.ts";
import type { Channels } from "./channels.ts";
import type { KumaData } from "./data.ts";
import type { TakenMonitor } from "./monitors.ts";

type Entry = Record<string, unknown>;

interface Written {
  channels: Channels;
  secrets: Secrets;
  data: KumaData;
  refOf: (name: string) => string;
}

/** The monitors of the document by ref. One that watches a certificate follows the first one that it is for. */
export function writeMonitors(
  monitors: readonly TakenMonitor[],
  { channels, secrets, data, refOf }: Written,
) {
  const certificates = new Map(
    certificateMonitors(monitors, { settings: data.settings, refOf }).map((one) => [one.beside[0]?.ref, one]),
  );
  const entries: Record<string, Entry> = {};
  for (const monitor of monitors) {
    entries[monitor.ref] = entryOf(monitor, { refs: channels.refsOf(monitor.row), secrets });
    const certificate = certificates.get(monitor.ref);
    if (!certificate) continue;
    const refs = [...new Set(certificate.beside.flatMap(({ row }) => channels.refsOf(row)))];
    entries[certificate.monitor.ref] = entryOf(certificate.monitor, { refs, secrets });
  }
  return entries;
}

const LONGEST_NAME = 200;

/** The channels are always named, because a monitor without this field gets the default ones of the organization. */
function entryOf(
  { ref, name, type, config, enabled, tags, confirmations, every }: TakenMonitor,
  { refs, secrets }: { refs: string[]; secrets: Secrets },
): Entry {
  const shown = [...name].slice(0, LONGEST_NAME).join("");
  return {
    ...(shown !== ref && { name: literals(shown) }),
    type,
    config: writeMonitorConfig(config, { type, ref, secrets }),
    ...(!enabled && { enabled }),
    ...(confirmations > 0 && { confirmations }),
    ...(tags.length > 0 && { tags }),
    ...(every > 0 && refs.length > 0
      ? { alertBindings: refs.map((alertChannelId) => ({ alertChannelId, every })) }
      : { alertChannelIds: refs }),
  };
}
