import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { isPushToken } from "../../domain/monitors/push-token.ts";
import { closed, named } from "../../domain/schemas/schema.ts";
import { dropBody } from "../http/body-bytes.ts";
import { operation } from "../http/openapi.ts";
import { queryOf } from "../http/query.ts";
import type { Services } from "../http/services.ts";
import { createRecord } from "./job-report.ts";

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
    const recorded = await record(token, { kind: "checkin", status: isSuccess(request) ? "ok" : "fail" });
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
