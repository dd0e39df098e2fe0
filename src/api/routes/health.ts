import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { closed, oneOf } from "../../domain/schemas/schema.ts";
import { isHealthy } from "../../runner/health.ts";
import { operation } from "../http/openapi.ts";
import type { Services } from "../http/services.ts";

const Part = oneOf(["ok", "failing"]);

const HealthBody = Type.Object({ status: Part, database: Part, probes: Part }, closed);

/** For load balancers, containers and `stillup health`: an extension of the interface, without a key and without data. */
export function healthRoutes({ health }: Services) {
  return new Elysia({ normalize: false }).get(
    "/healthz",
    ({ set }) => {
      const report = health();
      const well = isHealthy(report);
      if (!well) set.status = 503;
      return { status: well ? "ok" : "failing", ...report };
    },
    {
      detail: operation({
        tag: "Status",
        operationId: "getHealth",
        summary: "Tell whether this service is well",
        description:
          "`database` fails while results can't be written, `probes` while checks are not started on time. " +
          "503 where either fails.",
        answer: HealthBody,
        example: { status: "ok", database: "ok", probes: "ok" },
        unwell: { status: "failing", database: "failing", probes: "ok" },
        open: true,
      }),
    },
  );
}
