import { Type } from "@sinclair/typebox";
import type { Caller } from "../../domain/accounts/api-key.ts";
import { MonitorType, parseConfig } from "../../domain/monitors/monitor.ts";
import { parseNewMonitor } from "../../domain/monitors/monitor-update.ts";
import { Tag } from "../../domain/monitors/tags.ts";
import { RangeSchema } from "../../domain/results/history.ts";
import { closed, described, open, parameter } from "../../domain/schemas/schema.ts";
import type { MonitorWithBindings } from "../../store/monitors/monitors.ts";
import type { EnrichedMonitor } from "../../store/store.ts";
import { allowed, operationsOf, resource } from "../auth/authentication.ts";
import { acceptsGzip, jsonText, sendJson } from "../http/json-stream.ts";
import { answering, idOf } from "../http/openapi.ts";
import type { Services } from "../http/services.ts";
import {
  CreatedMonitorBody,
  createdMonitorBody,
  EnrichedMonitorBody,
  enrichedMonitorBody,
  MonitorBody,
  monitorBody,
} from "./monitor-body.ts";
import { MonitorChanges, NewMonitor } from "./overview.ts";

const MonitorId = idOf("a monitor");
const ListQuery = Type.Object(
  {
    type: Type.Optional(described(MonitorType, "Only monitors of this type.")),
    tag: Type.Optional(parameter(Tag, "Only monitors with this tag.")),
    range: Type.Optional(described(RangeSchema, "The range of `history` and `latestResult`. Default: 90d.")),
  },
  open,
);
const PausedBody = Type.Object({ paused: Type.Integer({ minimum: 0 }) }, closed);

/** Behavior 7, monitors. */
export function monitorRoutes({
  store,
  clock,
  authenticator,
  bodies,
  alertReview,
  log,
  refreshChecks,
  baseUrl,
  registrations,
  accessRules,
}: Services) {
  const admin = { role: "admin" } as const;
  const monitor = operationsOf(
    { authenticator, bodies },
    {
      name: "Monitor",
      one: "a monitor",
      params: MonitorId,
      answer: MonitorBody,
      role: "admin",
    },
  );
  const presentWindows = async (organizationId: string) => ({
    calendar: await store.maintenances.findCalendar(organizationId),
    now: clock.now(),
  });
  const bodyOf = async (monitor: MonitorWithBindings, organizationId: string) => ({
    ...monitorBody(monitor, await presentWindows(organizationId)),
    ...(await registrations.shown(monitor.config)),
  });
  /** @param config as the request gives it */
  const confirmChange = async ({ organizationId, plan }: Caller, id: string, config: unknown) => {
    await accessRules.confirm(config, async () => (await store.monitors.find(organizationId, id)).config);
    if (Object(config).registration === undefined) return;
    const stored = await store.monitors.find(organizationId, id);
    await registrations.confirm(parseConfig(stored.type, config, plan, stored.config));
  };
  return resource({ authenticator, store }, "/monitors", "Monitors")
    .get(
      "",
      async ({ caller, query: { type, tag, range = "90d" }, request }) => {
        const windows = await presentWindows(caller.organizationId);
        const slices = store.monitors.list(caller.organizationId, { type, tag, range }, windows.now);
        const listedBody = (monitor: EnrichedMonitor) => enrichedMonitorBody(monitor, windows);
        return sendJson<{ data: ReturnType<typeof enrichedMonitorBody>[] }>(
          jsonText(['{"data":[', () => "]}"], slices, listedBody),
          { log, gzip: acceptsGzip(request) },
        );
      },
      {
        query: ListQuery,
        ...monitor.list(
          "Lists all monitors, oldest first, each with its latest result, uptime and history.",
          { answer: EnrichedMonitorBody, errors: [422] },
        ),
      },
    )
    .post(
      "",
      async ({ authored, caller, body, status }) => {
        const values = parseNewMonitor(body, caller.plan);
        await accessRules.confirm(values.config);
        await registrations.confirm(values.config);
        const monitor = await authored().monitors.create(caller, values, clock.now());
        await refreshChecks();
        const windows = await presentWindows(caller.organizationId);
        const data = createdMonitorBody(monitor, { baseUrl: baseUrl(), ...windows });
        return status(201, { data: { ...data, ...(await registrations.shown(monitor.config)) } });
      },
      monitor.create(
        NewMonitor,
        "The first check runs immediately. Without `alertChannelIds` and `alertBindings`, the monitor is bound to the " +
          "default channels of the organization.",
        { subscription: true, answer: CreatedMonitorBody, errors: [402] },
      ),
    )
    .post(
      "/pause-all",
      async ({ authored, caller }) => {
        const paused = await authored().monitors.pauseAll(caller.organizationId, clock.now());
        await refreshChecks();
        return { data: { paused } };
      },
      {
        beforeHandle: allowed(admin),
        detail: answering({
          operationId: "pauseAllMonitors",
          summary: "Pause all monitors",
          description:
            "`paused` is how many monitors were enabled before. Monitors are resumed one by one, by PATCH.",
          answer: PausedBody,
          example: { paused: 12 },
          errors: [403],
        }),
      },
    )
    .get(
      "/:id",
      async ({ caller: { organizationId }, params }) => {
        const monitor = await store.monitors.find(organizationId, params.id);
        return { data: await bodyOf(monitor, organizationId) };
      },
      monitor.read("Returns the monitor with its bindings to channels."),
    )
    .patch(
      "/:id",
      async ({ authored, caller, params, body: { name, ...changes } }) => {
        const trimmed = { ...changes, name: name?.trim() };
        await confirmChange(caller, params.id, changes.config);
        const monitor = await authored().monitors.update(caller, params.id, trimmed, clock.now());
        // No check depends on the name.
        if (Object.values(changes).some((value) => value !== undefined)) await refreshChecks();
        if (changes.dependsOn || changes.enabled === false) await alertReview.run();
        return { data: await bodyOf(monitor, caller.organizationId) };
      },
      monitor.update(
        MonitorChanges,
        "Changes only the fields that are sent. `config`, `alertChannelIds` and `alertBindings`, `tags` and `dependsOn` " +
          "replace the stored ones in full.",
      ),
    )
    .delete(
      "/:id",
      async ({ authored, caller, params }) => {
        const data = await authored().monitors.delete(caller.organizationId, params.id);
        await refreshChecks();
        await alertReview.run();
        return { data };
      },
      monitor.delete("Also deletes its results."),
    );
}
