import { type TSchema, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { MAX_OUTPUT } from "../../domain/heartbeats/run-output.ts";
import { isPushToken } from "../../domain/monitors/push-token.ts";
import { closed, named } from "../../domain/schemas/schema.ts";
import { queryOf } from "../http/errors.ts";
import { operation } from "../http/openapi.ts";
import { dropBody } from "../http/request-body.ts";
import type { Services } from "../http/services.ts";
import {
  assertClientWaits,
  createRecord,
  type JobRequest,
  readOutput,
  requestOf,
  ridOf,
} from "./job-report.ts";

interface PingRequest {
  params: { token: string; action?: string };
  request: Request;
}

/**
 * The addresses of Healthchecks (behavior 18.30), by the token of a monitor. There is no key, because the token is the secret. They
 * answer as Healthchecks does.
 */
export function pingRoutes(services: Services) {
  const { monitors } = services.store;
  const record = createRecord(services, async (token) =>
    isPushToken(token) ? monitors.findIdByPushToken(token) : null,
  );

  async function ping({ params: { token, action }, request }: PingRequest): Promise<Response> {
    const asked: JobRequest | null =
      action === undefined ? { kind: "checkin", status: "ok" } : requestOf(action);
    if (!asked)
      return /^\d+$/.test(action ?? "") ? plainText(400, "invalid url format") : plainText(404, "not found");
    const rid = ridOf(request);
    if (rid === null) return plainText(400, "invalid rid format");
    const output = await readOutput(request);
    const report = { ...asked.report, ...(rid && { rid }), ...(output && { output }) };
    if (asked.kind === "start") await assertClientWaits(request);
    const isPlain = asked.kind === "checkin" && Object.keys(report).length === 0;
    const recorded = await record(token, isPlain ? asked : { ...asked, report });
    return recorded ? plainText(200, "OK") : plainText(404, "not found");
  }

  return new Elysia({ prefix: "/ping/:token", normalize: false })
    .get("", ping, { detail: pingDetail("ping") })
    .post("", ping, { detail: pingDetail("pingByPost") })
    .get("/:action", ping, { detail: pingDetail("pingWithAction", [token, action]) })
    .post("/:action", ping, { detail: pingDetail("pingWithActionByPost", [token, action]) });
}

function plainText(status: number, text: string): Response {
  const headers = { "content-type": "text/plain; charset=utf-8", "ping-body-limit": String(MAX_OUTPUT) };
  return new Response(text, { status, headers });
}

const token = {
  ...{ name: "token", in: "path" as const, required: true, schema: Type.String() as TSchema },
  description: "The `pushToken` in the config of a SCHEDULED monitor.",
};
const action = {
  ...{ name: "action", in: "path" as const, required: true, schema: Type.String() as TSchema },
  description: "`start`, `fail`, `log` or an exit code, 0 to 255.",
};
const rid = {
  ...{ name: "rid", in: "query" as const, schema: Type.String() as TSchema },
  description: "Which run it is about: 1 to 64 letters, digits and hyphens.",
};

function pingDetail(operationId: string, parameters = [token]) {
  return operation({
    ...{ tag: "Check-ins", operationId, open: true },
    summary: "Check in as with an address of Healthchecks",
    description:
      "For jobs that were monitored by Healthchecks, so that their URLs keep their form. The response is sent after it is on " +
      "the disk. The answer to a wrong code or `rid` is a 400.",
    parameters: [...parameters, rid],
    answer: Type.String(),
    example: "OK",
    contentType: "text/plain",
    notFound: { answer: Type.String(), example: "not found" },
    errors: [429],
  });
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
const unknownToken = { ok: false, msg: "Monitor not found or not active." };
const UnknownTokenBody = Type.Object(
  { ok: Type.Literal(false), msg: Type.String() },
  named("UnknownPushToken", unknownToken),
);

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
    notFound: { answer: UnknownTokenBody },
    errors: [429],
    open: true,
  });
}
