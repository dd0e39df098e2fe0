import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { type AlertBinding, AT_ONCE, NewAlertBinding } from "../domain/alerts/alert-binding.ts";
import { NewHours } from "../domain/alerts/hours.ts";
import { NotifyOn } from "../domain/alerts/notify.ts";
import { type MonitorConfig, MonitorType } from "../domain/monitors/monitor.ts";
import type { ReplayRequest } from "../domain/replay/changes.ts";
import { needSchedules, type PlannedApply, type PresentAlerting } from "../domain/replay/planned-changes.ts";
import { nullable } from "../domain/schemas/schema.ts";
import type { ServerClient } from "./configuration-client.ts";

/* The requests to the API of a server for a replay of the changes of a plan (behavior 25.45). The version of the server may be another one. */

type Send = ServerClient["request"];

const Figure = Type.Union([Type.Number(), Type.Object({ min: Type.Number(), max: Type.Number() })]);
const Counts = Type.Object({ outages: Figure, notifications: Figure, downSeconds: Figure });
const Replay = Type.Object({
  present: Counts,
  changed: Counts,
  later: Type.Object({ medianSeconds: Figure, maxSeconds: Figure }),
  missed: Type.Array(Type.Unknown()),
  gone: Type.Array(Type.Unknown()),
});

/** An answer of the API: an outcome whose times are texts. */
export type ReplayAnswer = Static<typeof Replay>;

/** Milliseconds. A server replays one after the other for an organization. */
const PATIENCE = 10 * 60_000;

/** Waits while another replay of the organization runs. */
export function replay(request: Send, asked: ReplayRequest): Promise<ReplayAnswer> {
  return request("replay", { data: Replay, method: "POST", body: JSON.stringify(asked), patience: PATIENCE });
}

const Stored = { id: Type.String(), ref: nullable(Type.String()) };
const Binding = Type.Object({
  monitorId: Type.String(),
  ...NewAlertBinding.properties,
  hours: Type.Optional(Type.Required(NewHours)),
});
const ListedMonitors = Type.Array(
  Type.Object({
    ...Stored,
    name: Type.String(),
    type: MonitorType,
    config: Type.Object({}),
    tags: Type.Array(Type.String()),
  }),
);
const ListedChannels = Type.Array(
  Type.Object({ ...Stored, notifyOn: NotifyOn, bindings: Type.Array(Binding) }),
);
const ListedSchedules = Type.Array(Type.Object(Stored));
const DefaultChannels = Type.Object({ defaultAlertChannelIds: Type.Array(Type.String()) });
const BoundMonitor = Type.Object({ alertBindings: Type.Array(Binding) });

/** The list of channels has the bindings to channels; only the answer about one monitor has those to schedules. */
export async function readAlerting(
  request: Send,
  apply: Omit<PlannedApply, "present">,
): Promise<PresentAlerting> {
  const get = <T extends TSchema>(path: string, data: T) => request(path, { data, method: "GET" });
  const listed = await get("monitors?range=1d", ListedMonitors);
  const channels = await get("alerts", ListedChannels);
  const schedules = await get("schedules", ListedSchedules);
  const { defaultAlertChannelIds: defaultChannelIds } = await get("organization", DefaultChannels);
  const bindings = Map.groupBy(
    channels.flatMap((channel) => channel.bindings),
    ({ monitorId }) => monitorId,
  );
  const monitors = listed.map(({ config, ...monitor }) => {
    const alertBindings = (bindings.get(monitor.id) ?? []).map(bindingIn);
    return { ...monitor, config: config as MonitorConfig, alertBindings };
  });
  const present = { defaultChannelIds, channels, schedules, monitors };
  if (schedules.length === 0) return present;
  const needed = new Set(needSchedules({ ...apply, present }));
  for (const monitor of monitors.filter(({ id }) => needed.has(id))) {
    const { alertBindings } = await get(`monitors/${monitor.id}`, BoundMonitor);
    monitor.alertBindings = alertBindings.map(bindingIn);
  }
  return present;
}

function bindingIn({ monitorId: _, ...binding }: Static<typeof Binding>): AlertBinding {
  return { ...AT_ONCE, ...binding };
}
