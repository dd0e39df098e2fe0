import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import {
  createMonitor,
  deleteMonitor,
  findMonitor,
  listMonitors,
  type MonitorWithBindings,
  updateMonitor,
} from "../db/monitors.ts";
import { Name } from "../domain/format.ts";
import { RANGES, Range, rangeStart } from "../domain/history.ts";
import { assertIntervalAllowed, type Monitor, MonitorType, parseConfig } from "../domain/monitor.ts";
import { allowed, authentication, bodyFor } from "./authentication.ts";
import type { Services } from "./services.ts";
import { iso } from "./time.ts";

const closed = { additionalProperties: false };
const Config = Type.Object({}, { additionalProperties: true });
const AlertChannelIds = Type.Array(Type.String());

const NewMonitor = Type.Object(
  { name: Name, type: MonitorType, config: Config, alertChannelIds: Type.Optional(AlertChannelIds) },
  closed,
);

const MonitorChanges = Type.Object(
  {
    name: Type.Optional(Name),
    config: Type.Optional(Config),
    enabled: Type.Optional(Type.Boolean()),
    alertChannelIds: Type.Optional(AlertChannelIds),
  },
  closed,
);

const ListQuery = Type.Object({ type: Type.Optional(MonitorType), range: Type.Optional(Range) });

/** Interface 4.2. */
export function monitorRoutes({ db, onDue, baseUrl }: Services) {
  return new Elysia({ prefix: "/api/v1/monitors", normalize: false })
    .use(authentication(db))
    .get(
      "/",
      async ({ caller, query: { type, range = RANGES[3] } }) => {
        const now = Date.now();
        const monitors = await listMonitors(db, caller.organizationId, {
          type,
          since: rangeStart(range, now),
        });
        return { data: monitors.map(enrichedView) };
      },
      { query: ListQuery },
    )
    .post(
      "/",
      async ({ caller, body: { name, type, config, alertChannelIds = [] }, set }) => {
        const parsed = parseConfig(type, config, caller.plan);
        if (type !== "SCHEDULED") assertIntervalAllowed(caller.plan, parsed);
        const values = { name: name.trim(), type, config: parsed, alertChannelIds };
        const monitor = await createMonitor(db, caller, values, Date.now());
        onDue();
        set.status = 201;
        return {
          data: { ...monitorView(monitor), ...(type === "SCHEDULED" && checkinUrl(baseUrl(), monitor)) },
        };
      },
      { parse: bodyFor(db, { role: "admin", subscription: true }), body: NewMonitor },
    )
    .get("/:id", async ({ caller, params }) => ({
      data: boundView(await findMonitor(db, caller.organizationId, params.id)),
    }))
    .patch(
      "/:id",
      async ({ caller, params, body: { name, ...changes } }) => {
        const trimmed = { ...changes, name: name?.trim() };
        const monitor = await updateMonitor(db, caller, params.id, trimmed, Date.now());
        onDue();
        return { data: boundView(monitor) };
      },
      { parse: bodyFor(db, { role: "admin" }), body: MonitorChanges },
    )
    .delete(
      "/:id",
      async ({ caller, params }) => ({ data: await deleteMonitor(db, caller.organizationId, params.id) }),
      { beforeHandle: allowed({ role: "admin" }) },
    );
}

function monitorView({ id, name, type, config, status, enabled, createdAt, updatedAt }: Monitor) {
  return { id, name, type, config, status, enabled, createdAt: iso(createdAt), updatedAt: iso(updatedAt) };
}

function boundView(monitor: MonitorWithBindings) {
  const alertBindings = monitor.alertChannelIds.map((alertChannelId) => ({
    monitorId: monitor.id,
    alertChannelId,
  }));
  return { ...monitorView(monitor), alertBindings };
}

function enrichedView(monitor: Awaited<ReturnType<typeof listMonitors>>[number]) {
  const { latestResult } = monitor;
  return {
    ...monitorView(monitor),
    latestResult: latestResult && { ...latestResult, createdAt: iso(latestResult.createdAt) },
  };
}

function checkinUrl(baseUrl: string, { id }: Monitor) {
  return { checkinUrl: `${baseUrl}/api/v1/monitors/${id}/checkin` };
}
