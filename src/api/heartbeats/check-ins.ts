import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { closed, oneOf } from "../../domain/schemas/schema.ts";
import { notFound, tooMany } from "../../errors.ts";
import { createRateLimit } from "../../runner/rate-limit.ts";
import { dropBody } from "../http/body-bytes.ts";
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
  description: "`fail` records a failure. Any other value, or none, records a success.",
};

const CheckinBody = Type.Object({ recorded: oneOf(["ok", "failure"]), monitor: Type.String() }, closed);

/** Behavior 8.17: enough for 3,000 machines that share one URL and call it every minute. */
export const CHECKIN_RATE = { burst: 3000, perSecond: 50 };

/** Behavior 7, check-ins. There is no key, because the ID is the secret (behavior 8.1). */
export function checkinRoutes({ clock, recorder, metrics }: Services) {
  const limit = createRateLimit({ ...CHECKIN_RATE, clock });
  async function checkin({ params: { id }, request }: { params: { id: string }; request: Request }) {
    dropBody(request);
    const wait = limit.take(id);
    if (wait > 0) {
      metrics.refused("checkins");
      throw tooMany("check-ins of this monitor", wait);
    }
    // There is no schema: a check-in counts whatever else the job sends.
    const word = queryOf(request).get("status") ?? undefined;
    const recorded = await recorder.record({ kind: "checkin", monitorId: id, status: word, at: clock.now() });
    if (recorded === null || recorded === "held") {
      // The rate limit remembers a limited number of IDs: unknown ones must not evict real ones.
      limit.forget(id);
      throw notFound();
    }
    return { recorded: recorded.seen === "failed" ? "failure" : "ok", monitor: id };
  }
  const detail = (operationId: string) =>
    operation({
      tag: "Check-ins",
      operationId,
      summary: "Check in for a SCHEDULED monitor",
      description:
        "A job calls this URL when it has run. The response is sent after the check-in is on the disk.",
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
