import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { isPushToken } from "../../domain/monitors/push-token.ts";
import { closed, named, oneOf } from "../../domain/schemas/schema.ts";
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

/** Behavior 7, check-ins. There is no key, because the ID is the secret (behavior 8.1). */
export function checkinRoutes(services: Services) {
  const record = createRecord(services);
  async function checkin({ params: { id }, request }: { params: { id: string }; request: Request }) {
    dropBody(request);
    // There is no schema: a check-in counts whatever else the job sends.
    const recorded = await record(id, queryOf(request).get("status") ?? undefined);
    if (!recorded) throw notFound();
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

/** Behavior 8.17: enough for 3,000 machines that share one URL and call it every minute. */
const RATE = { burst: 3000, perSecond: 50 };

/**
 * Records check-ins, each URL at most at `RATE`. The rate limit precedes the search for the monitor.
 *
 * @param findMonitor the ID of the monitor of a URL; by default the URL contains it
 * @returns a function that throws an AppError `too_many`, and returns null for an unknown or paused monitor
 */
function createRecord(
  { clock, recorder, metrics }: Services,
  findMonitor?: (secret: string) => Promise<string | null>,
) {
  const limit = createRateLimit({ ...RATE, clock });
  return async (secret: string, status: string | undefined) => {
    const wait = limit.take(secret);
    if (wait > 0) {
      metrics.refused("checkins");
      throw tooMany("check-ins of this monitor", wait);
    }
    const monitorId = findMonitor ? await findMonitor(secret) : secret;
    const at = clock.now();
    const recorded = monitorId && (await recorder.record({ kind: "checkin", monitorId, status, at }));
    if (recorded && recorded !== "held") return recorded;
    // The rate limit remembers a limited number of URLs: unknown ones must not evict real ones.
    limit.forget(secret);
    return null;
  };
}

const pushParameters = [
  {
    name: "token",
    in: "path" as const,
    required: true,
    schema: Type.String(),
    description: "The `pushToken` in the config of a SCHEDULED monitor.",
  },
  {
    name: "status",
    in: "query" as const,
    schema: Type.String(),
    description: "`up`, or none, records a success. Any other value, such as `down`, records a failure.",
  },
  { name: "msg", in: "query" as const, schema: Type.String(), description: "Ignored." },
  { name: "ping", in: "query" as const, schema: Type.String(), description: "Ignored." },
];

const PushBody = Type.Object({ ok: Type.Literal(true) }, closed);
const UnknownTokenBody = Type.Object(
  { ok: Type.Literal(false), msg: Type.String() },
  named("UnknownPushToken"),
);
const unknownToken = { ok: false, msg: "Monitor not found or not active." };

/** Behavior 16.132 to 16.135. There is no key, because the token is the secret. */
export function pushRoutes(services: Services) {
  const { monitors } = services.store;
  const record = createRecord(services, async (token) =>
    isPushToken(token) ? monitors.findIdByPushToken(token) : null,
  );
  const push = async ({ params: { token }, request, status }: PushRequest) => {
    dropBody(request);
    const recorded = await record(token, isSuccess(request) ? "ok" : "fail");
    return recorded ? { ok: true } : status(404, unknownToken);
  };
  return new Elysia({ prefix: "/api/push/:token", normalize: false })
    .get("", push, { detail: pushOperation("push") })
    .post("", push, { detail: pushOperation("pushByPost") });
}

interface PushRequest {
  params: { token: string };
  request: Request;
  status: (code: 404, body: typeof unknownToken) => unknown;
}

function isSuccess(request: Request): boolean {
  return ["", "up"].includes(queryOf(request).get("status") ?? "");
}

function pushOperation(operationId: string) {
  return operation({
    tag: "Check-ins",
    operationId,
    summary: "Check in as with a push URL of Uptime Kuma",
    description:
      "For jobs that were monitored by Uptime Kuma, so that their URLs stay as they are. Like a check-in, the response is sent " +
      "after it is on the disk.",
    parameters: pushParameters,
    answer: PushBody,
    example: { ok: true },
    notFound: { answer: UnknownTokenBody, example: unknownToken },
    errors: [429],
    open: true,
  });
}
