import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { iso } from "../domain/iso-time.ts";
import { Timestamp } from "../domain/schemas/format.ts";
import { closed, named, oneOf } from "../domain/schemas/schema.ts";
import { AppError, StorageFault } from "../errors.ts";
import { isHealthy } from "../runner/health.ts";
import {
  certificateGauges,
  deliveryGauges,
  locationGauges,
  monitorGauges,
} from "../runner/metrics/gauges.ts";
import { METRICS_TYPE } from "../runner/metrics/metrics.ts";
import type { NodeSummary } from "../store/nodes.ts";
import { authenticate, authentication } from "./auth/authentication.ts";
import { operation } from "./http/openapi.ts";
import type { Services } from "./http/services.ts";

export const NodeBody = Type.Object(
  {
    name: Type.String(),
    version: Type.String(),
    lastSeenAt: Timestamp,
    checksPerSecond: Type.Number(),
  },
  named("Node"),
);

export function nodeBody({ lastSeenAt, ...node }: NodeSummary): Static<typeof NodeBody> {
  return { ...node, lastSeenAt: iso(lastSeenAt) };
}

const Part = oneOf(["ok", "failing"]);

const HealthBody = Type.Object(
  {
    status: Part,
    database: oneOf(["ok", "failing", "away"]),
    probes: oneOf(["ok", "failing", "blind"]),
    blind: Type.Integer({ minimum: 0 }),
    overdue: Type.Integer({ minimum: 0 }),
    nodes: Type.Integer(),
    network: Type.Optional(oneOf(["online", "offline"])),
    ping: Type.Optional(Type.Literal("closed")),
    draining: Type.Optional(Type.Literal(true)),
    config: Type.Optional(Type.String()),
    nodeList: Type.Optional(Type.Array(NodeBody)),
  },
  closed,
);

/** Behavior 7.71: for load balancers, containers and `stillup health`. */
export function healthRoutes(services: Services) {
  return new Elysia({ normalize: false }).get(
    "/healthz",
    async ({ request, set }) => {
      const list = await nodeList(services, request);
      const report = services.health();
      const healthy = isHealthy(report);
      if (!healthy) set.status = 503;
      return { status: healthy ? "ok" : "failing", ...report, ...list };
    },
    {
      detail: operation({
        tag: "Status",
        operationId: "getHealth",
        summary: "Check whether stillup is healthy",
        description:
          "`database` is `failing` while results cannot be written, `probes` while checks do not start on time. `probes` is `blind` " +
          "if at least half of the monitors are: `blind` is how many monitors no check has said anything about. " +
          "`overdue` is how many wait for a check for longer than their interval, which leaves the status as it is. " +
          "The database is `away` if several nodes share it and it can't be reached. The status is 503 if one of both is not " +
          "`ok`. `nodes` is how many servers share the database. With `--network-check`, `network` is `offline` while none of its " +
          "servers can be connected to: checks without any answer then count as not made. `ping` is there, and `closed`, if monitors are to be pinged and the system does " +
          "not let stillup ping. `draining` is there, and the status 503, in the time of `--drain` before a stop. `config` is there if the file of `--config` could not be applied " +
          "later than at the start, and says why: all stays as it was. The key of an owner is not required; with it, `nodeList` " +
          "has the nodes of the last hour.",
        answer: HealthBody,
        example: { status: "ok", database: "ok", probes: "ok", blind: 0, overdue: 0, nodes: 1 },
        unhealthy: { status: "failing", database: "failing", probes: "ok", blind: 0, overdue: 0, nodes: 1 },
        errors: [431],
        open: true,
      }),
    },
  );
}

/** Milliseconds. A health check does not wait for a database that is silent. */
const LIST_TIMEOUT = 2000;

/** The nodes, for an owner. A missing or wrong key changes nothing else, because programs that watch the health have none. */
async function nodeList(
  services: Services,
  request: Request,
): Promise<{ nodeList?: ReturnType<typeof nodeBody>[] }> {
  const { clock, health } = services;
  const isAnonymous = !request.headers.has("authorization") && !request.headers.has("cookie");
  if (isAnonymous || health().database === "away") return {};
  return Promise.race([listForOwner(services, request), clock.sleep(LIST_TIMEOUT).then(() => ({}))]);
}

async function listForOwner({ authenticator, store, clock }: Services, request: Request) {
  try {
    const { role } = await authenticate(authenticator, request);
    return role === "owner" ? { nodeList: (await store.nodes.list(clock.now())).map(nodeBody) } : {};
  } catch (error) {
    if (error instanceof AppError || error instanceof StorageFault) return {};
    throw error;
  }
}

/**
 * Behavior 7.72. The metrics of monitors, channels and certificates cover the organization of the key; metrics of the
 * process are the same for all organizations.
 */
export function metricsRoutes({ store, clock, authenticator, metrics, processGauges }: Services) {
  return new Elysia({ normalize: false }).use(authentication({ authenticator, store })).get(
    "/metrics",
    async ({ caller: { organizationId }, set }) => {
      const standings = await Array.fromAsync(
        store.monitors.listSnapshots(organizationId, { now: clock.now() }),
      );
      const now = {
        ...monitorGauges(standings.flat()),
        ...certificateGauges(await store.monitors.listCertificateExpiries(organizationId)),
        ...deliveryGauges(await store.deliveries.countPending(organizationId)),
        ...locationGauges(await store.locations.listReports(organizationId)),
        ...(await processGauges()),
      };
      set.headers["content-type"] = METRICS_TYPE;
      return metrics.expose(organizationId, now);
    },
    // The OpenAPI document has only responses in JSON.
    { detail: { hide: true } },
  );
}
