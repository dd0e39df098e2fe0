import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { iso } from "../domain/iso-time.ts";
import { describeUnreached } from "../domain/on-call/schedule.ts";
import { Timestamp } from "../domain/schemas/format.ts";
import { closed, named, oneOf, open } from "../domain/schemas/schema.ts";
import { AppError, StorageFault } from "../errors.ts";
import { HEALTH_PURPOSES, type HealthPurpose, isHealthy } from "../runner/health.ts";
import {
  certificateGauges,
  deliveryGauges,
  discoveryGauges,
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
    discovery: Type.Optional(Type.String()),
    nodeList: Type.Optional(Type.Array(NodeBody)),
    warnings: Type.Optional(Type.Union([Type.Integer({ minimum: 1 }), Type.Array(Type.String())])),
  },
  closed,
);

const Purpose = Type.Unsafe<HealthPurpose>(
  Type.Union(
    HEALTH_PURPOSES.map((purpose) => Type.Literal(purpose)),
    { description: "The question that the status answers. Without it, the status is that of all parts." },
  ),
);

const HealthQuery = Type.Object({ for: Type.Optional(Purpose) }, open);

/** Behavior 7.71: for load balancers, containers and `stillup health`. */
export function healthRoutes(services: Services) {
  const countWarnings = warningCounter(services);
  return new Elysia({ normalize: false }).get(
    "/healthz",
    async ({ request, set, query }) => {
      const list = await detailsFor(services, request, countWarnings);
      const report = services.health();
      const healthy = isHealthy(report, query.for);
      if (!healthy) set.status = 503;
      return { status: healthy ? "ok" : "failing", ...report, ...list };
    },
    {
      query: HealthQuery,
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
          "later than at the start, and says why: all stays as it was. `discovery` is there while what runs here has a fault, and says what is wrong: what it " +
          "concerns stays as it is. The key of an owner is not required; with it, `nodeList` " +
          "has the nodes of the last hour. `warnings` is there if bindings use schedules that reach nobody now: their number, or for an owner a sentence for each. " +
          "With `for=liveness`, the status is 503 only while `probes` is `failing`, which a restart may fix. With `for=readiness`, it is 503 only " +
          "while `database` is `away`, or `draining` is there: another node can do better.",
        answer: HealthBody,
        example: { status: "ok", database: "ok", probes: "ok", blind: 0, overdue: 0, nodes: 1 },
        unhealthy: { status: "failing", database: "failing", probes: "ok", blind: 0, overdue: 0, nodes: 1 },
        errors: [422, 431],
        open: true,
      }),
    },
  );
}

/** Milliseconds. A health check does not wait for a database that is silent. */
const LIST_TIMEOUT = 2000;

interface Details {
  nodeList?: ReturnType<typeof nodeBody>[];
  warnings?: number | string[];
}

/**
 * The nodes and the warnings in words, for an owner; the number of all warnings for others. A missing or wrong key changes nothing else,
 * because programs that watch the health have none.
 */
async function detailsFor(
  services: Services,
  request: Request,
  countWarnings: () => Promise<number>,
): Promise<Details> {
  const { clock, health } = services;
  if (health().database === "away") return {};
  return Promise.race([
    findDetails(services, request, countWarnings),
    clock.sleep(LIST_TIMEOUT).then(() => ({})),
  ]);
}

async function findDetails(
  services: Services,
  request: Request,
  countWarnings: () => Promise<number>,
): Promise<Details> {
  try {
    const ofOwner = await listForOwner(services, request);
    if (ofOwner) return ofOwner;
    const count = await countWarnings();
    return count > 0 ? { warnings: count } : {};
  } catch (error) {
    if (error instanceof AppError || error instanceof StorageFault) return {};
    throw error;
  }
}

/** @returns undefined without the key of an owner */
async function listForOwner(
  { authenticator, store, clock }: Services,
  request: Request,
): Promise<Details | undefined> {
  const isAnonymous = !request.headers.has("authorization") && !request.headers.has("cookie");
  if (isAnonymous) return undefined;
  const caller = await authenticate(authenticator, request).catch((error) => {
    if (error instanceof AppError) return undefined;
    throw error;
  });
  if (caller?.role !== "owner") return undefined;
  const unreached = await store.schedules.listUnreached(clock.now(), caller.organizationId);
  const nodeList = (await store.nodes.list(clock.now())).map(nodeBody);
  return { nodeList, ...(unreached.length > 0 && { warnings: unreached.map(describeUnreached) }) };
}

/** Milliseconds for which the number of warnings is kept: everybody may ask for the health, however often. */
const COUNT_KEPT = 250;

function warningCounter({ store, clock }: Services): () => Promise<number> {
  let counted = { at: Number.NEGATIVE_INFINITY, count: Promise.resolve(0) };
  return () => {
    if (clock.monotonic() - counted.at >= COUNT_KEPT) {
      const count = store.schedules.listUnreached(clock.now()).then((all) => all.length);
      counted = { at: clock.monotonic(), count };
    }
    return counted.count;
  };
}

/**
 * Behavior 7.72. The metrics of monitors, channels and certificates cover the organization of the key; metrics of the
 * process are the same for all organizations.
 */
export function metricsRoutes({ store, clock, authenticator, metrics, processGauges, discovery }: Services) {
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
        ...discoveryGauges(await discovery?.report(organizationId)),
        ...(await processGauges()),
      };
      set.headers["content-type"] = METRICS_TYPE;
      return metrics.expose(organizationId, now);
    },
    // The OpenAPI document has only responses in JSON.
    { detail: { hide: true } },
  );
}
