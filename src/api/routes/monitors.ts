import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import {
  assertIntervalAllowed,
  MonitorConfigSchema,
  MonitorType,
  parseConfig,
} from "../../domain/monitors/monitor.ts";
import { RangeSchema } from "../../domain/results/range-schema.ts";
import { Name } from "../../domain/schemas/format.ts";
import { closed, described, open } from "../../domain/schemas/schema.ts";
import { allowed, authentication, bodyFor } from "../auth/authentication.ts";
import { DeletedBody, deletedExample } from "../bodies/deleted-body.ts";
import {
  CreatedMonitorBody,
  createdMonitorBody,
  EnrichedMonitorBody,
  enrichedMonitorBody,
  examples,
  MonitorBody,
  monitorBody,
  requestExamples,
} from "../bodies/monitor-body.ts";
import { jsonText, sendJson } from "../http/json-stream.ts";
import { dataOf, idOf, operation } from "../http/openapi.ts";
import type { Services } from "../http/services.ts";

const MonitorId = idOf("a monitor");
const tag = "Monitors";
const AlertChannelIds = Type.Array(Type.String(), {
  description: "The channels that are told of its changes.",
});

const NewMonitor = Type.Object(
  {
    name: Name,
    type: MonitorType,
    config: MonitorConfigSchema,
    alertChannelIds: Type.Optional(AlertChannelIds),
  },
  { ...closed, examples: requestExamples.create },
);

const MonitorChanges = Type.Object(
  {
    name: Type.Optional(Name),
    config: Type.Optional(MonitorConfigSchema),
    enabled: Type.Optional(Type.Boolean()),
    alertChannelIds: Type.Optional(AlertChannelIds),
  },
  { ...closed, examples: requestExamples.change },
);

const ListQuery = Type.Object(
  {
    type: Type.Optional(described(MonitorType, "Only monitors of this type.")),
    range: Type.Optional(
      described(RangeSchema, "How far `history` and `latestResult` look back; 90d unless given."),
    ),
  },
  open,
);
const PausedBody = Type.Object({ paused: Type.Integer({ minimum: 0 }) }, closed);

/** Interface 4.2. */
export function monitorRoutes({ store, callers, log, onDue, baseUrl }: Services) {
  const admin = { role: "admin" } as const;
  return new Elysia({ prefix: "/api/v1/monitors", normalize: false })
    .use(authentication(callers))
    .get(
      "",
      async ({ caller, query: { type, range = "90d" } }) => {
        const slices = store.monitors.list(caller.organizationId, { type, range }, Date.now());
        return sendJson<{ data: ReturnType<typeof enrichedMonitorBody>[] }>(
          jsonText(['{"data":[', () => "]}"], slices, enrichedMonitorBody),
          { log },
        );
      },
      {
        query: ListQuery,
        detail: operation({
          tag,
          operationId: "listMonitors",
          summary: "List the monitors",
          answer: dataOf(Type.Array(EnrichedMonitorBody)),
          example: { data: [examples.enriched] },
          errors: [422],
        }),
      },
    )
    .post(
      "",
      async ({ caller, body: { name, type, config, alertChannelIds }, status }) => {
        if (type !== "SCHEDULED") assertIntervalAllowed(caller.plan, config);
        const parsed = parseConfig(type, config, caller.plan);
        const values = { name: name.trim(), type, config: parsed, alertChannelIds };
        const monitor = await store.monitors.create(caller, values, Date.now());
        onDue();
        return status(201, { data: createdMonitorBody(monitor, baseUrl()) });
      },
      {
        parse: bodyFor(callers, { role: "admin", subscription: true }),
        body: NewMonitor,
        detail: operation({
          tag,
          operationId: "createMonitor",
          summary: "Create a monitor",
          description:
            "It is checked at once. Without `alertChannelIds` it gets the organization's default channels.",
          answer: dataOf(CreatedMonitorBody),
          example: { data: examples.created },
          status: 201,
          errors: [402, 403, 413, 422],
        }),
      },
    )
    .post(
      "/pause-all",
      async ({ caller }) => ({
        data: { paused: await store.monitors.pauseAll(caller.organizationId, Date.now()) },
      }),
      {
        beforeHandle: allowed(admin),
        detail: operation({
          tag,
          operationId: "pauseAllMonitors",
          summary: "Pause every monitor",
          answer: dataOf(PausedBody),
          example: { data: { paused: 12 } },
          errors: [403],
        }),
      },
    )
    .get(
      "/:id",
      async ({ caller, params }) => ({
        data: monitorBody(await store.monitors.find(caller.organizationId, params.id)),
      }),
      {
        params: MonitorId,
        detail: operation({
          tag,
          operationId: "getMonitor",
          summary: "Get a monitor",
          answer: dataOf(MonitorBody),
          example: { data: examples.monitor },
          errors: [404],
        }),
      },
    )
    .patch(
      "/:id",
      async ({ caller, params, body: { name, ...changes } }) => {
        const trimmed = { ...changes, name: name?.trim() };
        const monitor = await store.monitors.update(caller, params.id, trimmed, Date.now());
        onDue();
        return { data: monitorBody(monitor) };
      },
      {
        params: MonitorId,
        parse: bodyFor(callers, admin),
        body: MonitorChanges,
        detail: operation({
          tag,
          operationId: "updateMonitor",
          summary: "Change a monitor",
          description: "`config` and `alertChannelIds` each replace what was there in full.",
          answer: dataOf(MonitorBody),
          example: { data: examples.monitor },
          errors: [403, 404, 413, 422],
        }),
      },
    )
    .delete(
      "/:id",
      async ({ caller, params }) => ({ data: await store.monitors.delete(caller.organizationId, params.id) }),
      {
        params: MonitorId,
        beforeHandle: allowed(admin),
        detail: operation({
          tag,
          operationId: "deleteMonitor",
          summary: "Delete a monitor and its results",
          answer: dataOf(DeletedBody),
          example: { data: deletedExample },
          errors: [403, 404],
        }),
      },
    );
}
