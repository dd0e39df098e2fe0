import type { Client } from "../../test/support/requests/client.ts";
import { post } from "../bed/server.ts";
import type { LoggedMonitor } from "./log.ts";
import { CHANNELS, GRACE, INTERVAL, type PlannedTarget, TIMEOUT } from "./plan/scenario.ts";
import type { Listening } from "./world/messages.ts";

const SECOND = 1000;

/** The resources that the scenario needs. */
export interface Created {
  monitors: LoggedMonitor[];
  /** By name. */
  channels: Record<string, string>;
  /** Paths of check-in URLs, by name of the monitor. */
  checkins: Record<string, string>;
}

/** Creates the channels and the monitors of a scenario. */
export async function createMonitors(
  client: Client,
  { targets, listening, address }: { targets: PlannedTarget[]; listening: Listening; address: string },
): Promise<Created> {
  const created: Created = { monitors: [], channels: {}, checkins: {} };
  for (const name of CHANNELS) {
    const config = { url: listening.receivers[name] };
    created.channels[name] = (await post(client, "/api/v1/alerts", { name, type: "WEBHOOK", config })).id;
  }
  for (const target of targets) {
    const { name, type, channels } = target;
    const alertChannelIds = channels.map((channel) => created.channels[channel]);
    const config = configOf(target, { address, port: listening.ports[name] ?? 0 });
    const monitor = await post(client, "/api/v1/monitors", { name, type, config, alertChannelIds });
    const window = (windowOf(target) ?? 0) * SECOND;
    const timeout = (type === "HTTP" || type === "TCP" ? TIMEOUT : INTERVAL) * SECOND;
    const times = { interval: INTERVAL * SECOND, timeout, window, createdAt: Date.now() };
    created.monitors.push({ name, id: monitor.id, type, channels, ...times });
    if (monitor.checkinUrl) created.checkins[name] = new URL(monitor.checkinUrl).pathname;
  }
  return created;
}

function configOf(target: PlannedTarget, { address, port }: { address: string; port: number }): object {
  const [interval, timeout] = [INTERVAL, TIMEOUT];
  switch (target.type) {
    case "HTTP":
      return { url: `http://${address}:${port}/`, interval, timeout };
    case "TCP":
      return { host: address, port, interval, timeout };
    case "TLS":
      return { host: address, port, interval };
    case "DNS":
      return { hostname: `${target.name}.test`, recordType: "A", interval };
    case "SCHEDULED":
      return { period: periodOf(target), grace: GRACE };
  }
}

/** In seconds. The shortest one is 10 s. */
function periodOf({ job }: PlannedTarget): number {
  return Math.max(10, (job?.every ?? 0) / SECOND);
}

/** From a check-in to its deadline, in seconds. */
function windowOf(target: PlannedTarget): number | undefined {
  return target.job && periodOf(target) + GRACE;
}
