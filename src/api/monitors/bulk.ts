import { Type } from "@sinclair/typebox";
import { BulkChange, BulkSelector } from "../../domain/monitors/bulk/bulk-request.ts";
import { PROBED_TYPES } from "../../domain/monitors/kinds/kinds.ts";
import { MonitorConfigSchema, MonitorType, parseConfig } from "../../domain/monitors/monitor.ts";
import { StatusSchema } from "../../domain/monitors/status-schema.ts";
import { closed, named, nullable, oneOf, open, parameter } from "../../domain/schemas/schema.ts";
import { invalid } from "../../errors.ts";
import { bodyFor, resource } from "../auth/authentication.ts";
import { answering } from "../http/openapi.ts";
import type { Services } from "../http/services.ts";

const BulkQuery = Type.Object(
  {
    dryRun: Type.Optional(
      parameter(oneOf(["true", "false"]), "Whether only to say what would change. Default: `false`."),
    ),
    undo: Type.Optional(
      parameter(
        oneOf(["true", "false"]),
        "Whether to answer with `auditIds`, with which the change can be undone. Default: `false`.",
      ),
    ),
  },
  open,
);

const BulkBody = Type.Object(
  {
    selector: BulkSelector,
    change: BulkChange,
    expectedMatched: Type.Optional(
      Type.Integer({
        description: "Changes nothing, with a 422, if another number of monitors is selected.",
      }),
    ),
  },
  {
    ...closed,
    examples: [{ selector: { tags: ["shop"] }, change: { addChannels: ["rNj4BrzNPTECyp1AhuvTuk"] } }],
  },
);

/** The most changed, and the most refused, monitors that an answer names. */
const MAX_NAMED = 100;

const Count = Type.Integer({ minimum: 0 });

const example = {
  matched: 12,
  changedCount: 1,
  changed: [{ id: "gwMk6bQBonMDcGzUMCvgWu", name: "Shop front", changed: ["alertBindings"] }],
  refusedCount: 0,
  refused: [],
};
const BulkOutcomeBody = Type.Object(
  {
    matched: { ...Count, description: "How many monitors are selected." },
    changedCount: { ...Count, description: "How many of them get other values." },
    changed: Type.Array(
      Type.Object(
        { id: Type.String(), name: Type.String(), changed: Type.Array(Type.String()) },
        named("BulkChangedMonitor"),
      ),
      { description: "The first 100 of these, oldest first, with the names of the changed fields." },
    ),
    refusedCount: { ...Count, description: "How many cannot have the values. These stay as they are." },
    refused: Type.Array(
      Type.Object(
        { id: Type.String(), name: Type.String(), error: Type.String() },
        named("BulkRefusedMonitor"),
      ),
      { description: "The first 100 of these, oldest first, with the reason." },
    ),
    auditIds: Type.Optional(
      Type.Array(Type.String(), {
        description:
          "Only with `undo`: the entries of the audit log about the changes, for `POST /api/v1/audit/undo/bulk`; empty after a deletion.",
      }),
    ),
  },
  named("BulkOutcome", example),
);

/** Behavior 16.260 to 16.263. */
export function bulkRoutes({ store, clock, authenticator, bodies }: Services) {
  return resource({ authenticator, store }, "/monitors/bulk", "Monitors").post(
    "",
    async ({ authored, caller, body, query: { dryRun, undo } }) => {
      const options = { isDryRun: dryRun === "true", forUndo: undo === "true" };
      const { matched, changed, refused, auditIds } = await authored().monitors.changeInBulk(
        caller.organizationId,
        body,
        options,
        clock.now(),
      );
      return {
        data: {
          matched,
          changedCount: changed.length,
          changed: changed.slice(0, MAX_NAMED),
          refusedCount: refused.length,
          refused: refused.slice(0, MAX_NAMED),
          ...(auditIds && { auditIds }),
        },
      };
    },
    {
      query: BulkQuery,
      ...bodyFor({ authenticator, bodies }, BulkBody, { role: "admin" }),
      detail: answering({
        operationId: "changeMonitors",
        summary: "Change many monitors",
        description:
          "Changes all selected monitors in one transaction, or none. Monitors that have the values already, or cannot " +
          "have them, stay as they are. Each changed monitor has an entry in the audit log.",
        answer: BulkOutcomeBody,
        errors: [403, 413, 422],
      }),
    },
  );
}

const Target = Type.Object(
  {
    type: MonitorType,
    config: MonitorConfigSchema,
    monitorId: Type.Optional(
      Type.String({ description: "The monitor whose stored secrets replace each `•••` in `config`." }),
    ),
  },
  {
    ...closed,
    examples: [
      { type: "TCP", config: { host: "db.example.com", port: 5432, interval: 60 } },
      {
        type: "HTTP",
        config: { url: "https://shop.example.com/", interval: 60, headers: { "X-Api-Key": "•••" } },
        monitorId: "gwMk6bQBonMDcGzUMCvgWu",
      },
    ],
  },
);

const AnswerBody = Type.Object(
  {
    statusCode: Type.Integer(),
    headers: Type.Array(Type.Object({ name: Type.String(), value: Type.String() }, closed)),
    durationMs: Type.Number({ description: "Milliseconds to the end of what was read." }),
    body: nullable(Type.String({ description: "The first 2 KiB, decoded; null if it could not be read." })),
    isBodyCut: Type.Boolean({ description: "Whether the body is longer." }),
    isPrivate: Type.Boolean({
      description:
        "Whether the answer came from a private address: then `headers` is empty and `body` is null.",
    }),
  },
  { ...named("ProbeAnswer"), description: "The answer to an HTTP check. It is not stored." },
);

const OutcomeBody = Type.Object(
  {
    status: StatusSchema,
    latencyMs: nullable(Type.Number()),
    detail: nullable(Type.Object({}, { additionalProperties: true })),
    answer: nullable(AnswerBody),
    failedExpectation: nullable(Type.String()),
  },
  named("ProbeOutcome"),
);

const PROBED = `${PROBED_TYPES.slice(0, -1).join(", ")} or ${PROBED_TYPES.at(-1)}`;

/** Behavior 7.43: one check before a monitor is saved. */
export function probeRoutes({ store, authenticator, bodies, testLimit, testMonitor, accessRules }: Services) {
  return resource({ authenticator, store }, "/probe", "Monitors").post(
    "",
    async ({ caller, body: { type, config, monitorId } }) => {
      if (type === "SCHEDULED") throw invalid(`type must be ${PROBED}, got SCHEDULED`);
      const stored =
        monitorId === undefined
          ? undefined
          : await store.monitors.findConfig(caller.organizationId, monitorId);
      const target = { type, config: parseConfig(type, config, caller.plan, stored) };
      await accessRules.confirm(target.config);
      return { data: await testLimit.run(caller.organizationId, () => testMonitor(target)) };
    },
    {
      ...bodyFor({ authenticator, bodies }, Target, { role: "admin" }),
      detail: answering({
        operationId: "probe",
        summary: "Check a target once",
        description:
          "Runs one check and records nothing. An organization may run 10 tests of channels and monitors at the same time.",
        answer: OutcomeBody,
        example: {
          status: "up",
          latencyMs: 41.5,
          detail: { statusCode: 200 },
          answer: null,
          failedExpectation: null,
        },
        errors: [403, 409, 413, 422],
      }),
    },
  );
}
