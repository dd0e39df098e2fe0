import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { closed, oneOf } from "../../domain/schemas/schema.ts";
import { isHealthy } from "../../runner/health.ts";
import { operation } from "../http/openapi.ts";
import type { Services } from "../http/services.ts";

const Part = oneOf(["ok", "failing"]);

const HealthBody = Type.Object({ status: Part, database: Part, probes: Part }, closed);

/** Behavior 7.71: for load balancers, containers and `stillup health`. */
export function healthRoutes({ health }: Services) {
  return new Elysia({ normalize: false }).get(
    "/healthz",
    ({ set }) => {
      const report = health();
      const healthy = isHealthy(report);
      if (!healthy) set.status = 503;
      return { status: healthy ? "ok" : "failing", ...report };
    },
    {
      detail: operation({
        tag: "Status",
        operationId: "getHealth",
        summary: "Check whether stillup is healthy",
        description:
          "`database` is `failing` while results cannot be written, `probes` while checks do not start on time. " +
          "The status is 503 if either is failing.",
        answer: HealthBody,
        example: { status: "ok", database: "ok", probes: "ok" },
        unhealthy: { status: "failing", database: "failing", probes: "ok" },
        open: true,
      }),
    },
  );
}
