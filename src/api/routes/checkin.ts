import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { closed, oneOf } from "../../domain/schemas/schema.ts";
import { notFound, tooMany } from "../../errors.ts";
import { createRateLimit } from "../../runner/rate-limit.ts";
import { operation } from "../http/openapi.ts";
import { queryOf } from "../http/query.ts";
import type { Services } from "../http/services.ts";

const id = {
  name: "id",
  in: "path" as const,
  required: true,
  schema: Type.String(),
  description: "The ID of a SCHEDULED monitor.",
};

const status = {
  name: "status",
  in: "query" as const,
  schema: Type.String(),
  description: "`fail` records a failure; anything else, or nothing, a success.",
};

const CheckinBody = Type.Object({ recorded: oneOf(["ok", "failure"]), monitor: Type.String() }, closed);

/** How often one monitor may be told of: every minute by 3,000 machines at once that share its URL. */
const OFTEN = { burst: 3000, perSecond: 50 };

/** Interface 4.6: without a key, for the ID is the secret. A HEAD counts like a GET; a body is never read. */
export function checkinRoutes({ recorder, metrics }: Services) {
  const limit = createRateLimit(OFTEN);
  async function checkin({ params: { id }, request }: { params: { id: string }; request: Request }) {
    const wait = limit.take(id, Date.now());
    if (wait > 0) {
      metrics.refused("checkins");
      throw tooMany("checkins of this monitor", wait);
    }
    // No schema: whatever else a job sends, its checkin counts.
    const word = queryOf(request).get("status") ?? undefined;
    const recorded = await recorder.record({ kind: "checkin", monitorId: id, status: word, at: Date.now() });
    if (recorded === null || recorded === "held") {
      // Made-up IDs must not take the place of those that are known.
      limit.forget(id);
      throw notFound();
    }
    return { recorded: recorded.status === "failed" ? "failure" : "ok", monitor: id };
  }
  const detail = (operationId: string) =>
    operation({
      tag: "Checkin",
      operationId,
      summary: "Check in for a SCHEDULED monitor",
      description: "Answered when it is on the disk.",
      parameters: [id, status],
      answer: CheckinBody,
      example: { recorded: "ok", monitor: "PU1LFCCfZ1jlf1AajmsX3Y" },
      errors: [404, 429],
      open: true,
    });
  return new Elysia({ prefix: "/api/v1/monitors/:id/checkin", normalize: false })
    .get("", checkin, { detail: detail("checkIn") })
    .post("", checkin, { detail: detail("checkInByPost") });
}
