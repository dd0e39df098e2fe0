import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { MonitorConfigSchema, MonitorType, parseConfig } from "../../domain/monitors/monitor.ts";
import { StatusSchema } from "../../domain/monitors/status-schema.ts";
import { closed, nullable } from "../../domain/schemas/schema.ts";
import { AppError } from "../../errors.ts";
import { authentication, bodyFor } from "../auth/authentication.ts";
import { dataOf, operation } from "../http/openapi.ts";
import type { Services } from "../http/services.ts";

const Target = Type.Object(
  {
    type: MonitorType,
    config: MonitorConfigSchema,
  },
  { ...closed, examples: [{ type: "TCP", config: { host: "db.example.com", port: 5432, interval: 60 } }] },
);

const SeenBody = Type.Object(
  {
    status: StatusSchema,
    latencyMs: nullable(Type.Number()),
    detail: nullable(Type.Object({}, { additionalProperties: true })),
  },
  closed,
);

/** One check before a monitor is saved: an extension of the interface. */
export function probeRoutes({ callers, trials, tryMonitor }: Services) {
  return new Elysia({ prefix: "/api/v1/probe", normalize: false }).use(authentication(callers)).post(
    "",
    async ({ caller, body: { type, config } }) => {
      if (type === "SCHEDULED")
        throw new AppError("invalid", "type must be one that is checked, not SCHEDULED");
      const target = { type, config: parseConfig(type, config, caller.plan) };
      return { data: await trials.run(caller.organizationId, () => tryMonitor(target)) };
    },
    {
      parse: bodyFor(callers, { role: "admin" }),
      body: Target,
      detail: operation({
        tag: "Monitors",
        operationId: "probe",
        summary: "Check a target once, and record nothing",
        description: "An organization may run 10 of these, and tests of channels, at the same time.",
        answer: dataOf(SeenBody),
        example: { data: { status: "up", latencyMs: 41.5, detail: { statusCode: 200 } } },
        errors: [403, 409, 413, 422],
      }),
    },
  );
}
