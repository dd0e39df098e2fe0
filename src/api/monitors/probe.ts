import { Type } from "@sinclair/typebox";
import { MonitorConfigSchema, MonitorType, parseConfig } from "../../domain/monitors/monitor.ts";
import { StatusSchema } from "../../domain/monitors/status-schema.ts";
import { closed, named, nullable } from "../../domain/schemas/schema.ts";
import { invalid } from "../../errors.ts";
import { bodyFor, resource } from "../auth/authentication.ts";
import { answering } from "../http/openapi.ts";
import type { Services } from "../http/services.ts";

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

/** Behavior 7.43: one check before a monitor is saved. */
export function probeRoutes({ store, authenticator, bodies, testLimit, testMonitor }: Services) {
  return resource(authenticator, "/probe", "Monitors").post(
    "",
    async ({ caller, body: { type, config, monitorId } }) => {
      if (type === "SCHEDULED") throw invalid("type must be HTTP, TCP, TLS or DNS, got SCHEDULED");
      const stored =
        monitorId === undefined
          ? undefined
          : await store.monitors.findConfig(caller.organizationId, monitorId);
      const target = { type, config: parseConfig(type, config, caller.plan, stored) };
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
