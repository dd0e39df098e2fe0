import { type TSchema, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { SentLook } from "../../domain/evidence/asked-look.ts";
import {
  BatchAnswer,
  canLook,
  MAX_BATCH,
  ObservationBatch,
  OLDEST_PROTOCOL,
  POLL_FOR,
  PROTOCOL,
  PROTOCOL_HEADER,
  understands,
  type Work,
  WorkQuery,
} from "../../domain/locations/protocol.ts";
import { MonitorConfigSchema, MonitorType } from "../../domain/monitors/monitor.ts";
import { closed, described, named } from "../../domain/schemas/schema.ts";
import { invalid } from "../../errors.ts";
import type { Authenticator } from "../../runner/authenticator.ts";
import type { ProbeCaller } from "../../store/store.ts";
import { failedAttempt, keyOf } from "../auth/authentication.ts";
import { acceptsGzip, sendJson } from "../http/json-stream.ts";
import { answering } from "../http/openapi.ts";
import { createValidator, documented, MAX_BODY, readJsonObject } from "../http/request-body.ts";
import type { Services } from "../http/services.ts";

const Milliseconds = Type.Integer({ minimum: 0 });

export const examples = {
  work: {
    location: { id: "Xo7sfTNp21dPjM3kQwZcVb", name: "fra" },
    now: 1_795_255_200_102,
    revision: 7,
    monitors: [
      {
        monitorId: "gwMk6bQBonMDcGzUMCvgWu",
        revision: 1,
        type: "HTTP",
        config: { url: "https://shop.example.com/", interval: 60 },
        offset: 30_000,
      },
    ],
    rechecks: [],
    after: 0,
  },
  look: {
    evidenceId: "Vb7sKxWd1Za4cYh0v2Q9mT",
    connections: [{ address: "203.0.113.7", port: 443, outcome: "timeout", tookMs: 3000 }],
    path: [{ hop: 1, address: "198.51.100.1", rttMs: 1.8 }],
    self: { loopDelayMs: 0, load: 0.2, freeDescriptors: 1021, online: true },
  },
  answer: { now: 1_795_255_200_102, recorded: 1, repeated: 0, ignored: 0, refused: 0 },
  batch: {
    stream: "Z1u7Kq0TbXw4RmNc8YdJfA",
    observations: [
      {
        sequence: 1,
        monitorId: "gwMk6bQBonMDcGzUMCvgWu",
        revision: 1,
        at: 1_795_255_200_064,
        startAt: 1_795_255_200_000,
        evidence: { outcome: "reached", latencyMs: 41.5, detail: { statusCode: 200 } },
      },
    ],
  },
};
/** The schema of `Work`. */
const WorkBody = Type.Object(
  {
    location: Type.Object({ id: Type.String(), name: Type.String() }, closed),
    now: described(Milliseconds, "The time of the server, in milliseconds since 1970."),
    revision: Type.Integer({ description: "Changes whenever `monitors` does." }),
    monitors: Type.Optional(
      Type.Array(
        Type.Object(
          {
            monitorId: Type.String(),
            revision: Type.Integer(),
            type: MonitorType,
            config: described(MonitorConfigSchema, "With its secrets in plain text."),
            offset: Type.Integer({
              description: "How much later its slots are than those of the first location, in milliseconds.",
            }),
          },
          closed,
        ),
        { description: "Missing if the request named the present `revision`." },
      ),
    ),
    rechecks: Type.Array(Type.Object({ monitorId: Type.String(), at: Milliseconds }, closed), {
      description: "Checks outside of the slots that no observation has answered yet.",
    }),
    after: described(Milliseconds, "For the next request."),
  },
  named("ProbeWork", examples.work),
);

const LookAnswer = Type.Object(
  { now: described(Milliseconds, "The time of the server, in milliseconds since 1970.") },
  named("ProbeLookAnswer", { now: examples.answer.now }),
);

const tag = "Locations";

/** Seconds after which a request that is held is closed: longer than the idle timeout of all other connections. */
const HELD_TIMEOUT = POLL_FOR / 1000 + 10;

/** The requests of the probe of a location: for work, and with observations (behavior 13.34, 13.35). */
export function remoteProbeRoutes(services: Services) {
  const { remoteProbes, log } = services;
  return new Elysia({ prefix: "/api/v1/probe", normalize: false })
    .use(probeAuthentication(services))
    .get(
      "/work",
      async ({ probe, query, request, server }) => {
        remoteProbes.admit(probe, "work");
        server?.timeout(request, HELD_TIMEOUT);
        const version = versionOf(request);
        const work = await remoteProbes.findWork(probe, { ...query, version }, request.signal);
        return sendJson<{ data: Work }>([JSON.stringify({ data: work })], {
          log,
          gzip: acceptsGzip(request),
        });
      },
      {
        query: WorkQuery,
        detail: answering({
          tag,
          operationId: "getProbeWork",
          summary: "Get the work of a probe",
          description:
            "For `stillup probe`, with the key of its location and the header `stillup-protocol`. A request with the present " +
            "`revision` is answered when there is something new, at the latest after 25 seconds.",
          answer: WorkBody,
          errors: [422],
        }),
      },
    )
    .post(
      "/results",
      async ({ probe, body, request }) => ({
        data: await remoteProbes.record(probe, body, {
          version: versionOf(request),
          canLook: canLook(request.headers.get(PROTOCOL_HEADER)),
        }),
      }),
      {
        ...batchFor(services, { ...ObservationBatch, examples: [examples.batch] }),
        detail: answering({
          tag,
          operationId: "sendObservations",
          summary: "Send observations of a probe",
          description:
            "For `stillup probe`, with the key of its location and the header `stillup-protocol`. The answer is sent after " +
            "the observations are on the disk. Sending them again is harmless.",
          answer: BatchAnswer,
          example: examples.answer,
          errors: [413, 422],
        }),
      },
    )
    .post("/looks", async ({ probe, body }) => ({ data: await remoteProbes.completeEvidence(probe, body) }), {
      ...lookFor(services, { ...SentLook, examples: [examples.look] }),
      detail: answering({
        tag,
        operationId: "sendLook",
        summary: "Send what a probe saw when it looked once more",
        description:
          "For `stillup probe`, with the key of its location and the header `stillup-protocol`. It completes the evidence that an " +
          "answer to observations asked for. Evidence of another location, or that is deleted, is a 404.",
        answer: LookAnswer,
        errors: [404, 413, 422],
      }),
    });
}

/** The version of the probe, as its `User-Agent` says; null if it does not. */
function versionOf(request: Request): string | null {
  const [, version] = /^stillup-probe\/([\w.+-]{1,40})$/.exec(request.headers.get("user-agent") ?? "") ?? [];
  return version ?? null;
}

/** In each of `observations`. */
const EVIDENCE = { field: "evidence", depth: 2 };

interface ProbeRequest {
  request: Request;
  set: { headers: Record<string, unknown> };
}

/** Gives the later routes of a plugin the `probe` that sends a request, or answers 401 or 422. */
function probeAuthentication({ authenticator }: Pick<Services, "authenticator">) {
  // Elysia parses the bodies of all requests if a hook passes its whole context on.
  return new Elysia({ name: "probe-authentication" }).derive({ as: "scoped" }, async ({ request, set }) => ({
    probe: await authenticateProbe(authenticator, { request, set }),
  }));
}

/** The most fields, arrays and objects of a batch, with the evidence of each observation. */
const MAX_PARTS = MAX_BATCH * 100;

/**
 * The options of the route for observations: a `parse` hook that identifies the probe and counts the request before it
 * reads the body. `probeAuthentication` checks the probe again afterwards, because its location may be deleted while the
 * body is received.
 */
function batchFor<T extends TSchema>(
  { authenticator, remoteProbes, bodies }: Pick<Services, "authenticator" | "remoteProbes" | "bodies">,
  schema: T,
) {
  const validate = createValidator(schema);
  const parse = async ({ request, set }: ProbeRequest): Promise<object> => {
    const probe = await authenticateProbe(authenticator, { request, set });
    remoteProbes.admit(probe, "results");
    using held = bodies.hold(probe.organizationId);
    const limits = { largest: MAX_BODY.keyed, mostParts: MAX_PARTS, held };
    // A bad evidence does not refuse the batch: it is validated by itself.
    const body = await readJsonObject(request, { ...limits, unchecked: EVIDENCE });
    validate(body);
    return body;
  };
  return { parse: [parse, "json" as const], body: documented(schema) };
}

/** The same for the route for looks. */
function lookFor<T extends TSchema>(
  { authenticator, remoteProbes, bodies }: Pick<Services, "authenticator" | "remoteProbes" | "bodies">,
  schema: T,
) {
  const validate = createValidator(schema);
  const parse = async ({ request, set }: ProbeRequest): Promise<object> => {
    const probe = await authenticateProbe(authenticator, { request, set });
    remoteProbes.admit(probe, "looks");
    using held = bodies.hold(probe.organizationId);
    const body = await readJsonObject(request, { largest: MAX_LOOK, mostParts: MAX_LOOK_PARTS, held });
    validate(body);
    return body;
  };
  return { parse: [parse, "json" as const], body: documented(schema) };
}

/** Bytes, and fields, arrays and objects. */
const MAX_LOOK = 16 * 1024;
const MAX_LOOK_PARTS = 200;

async function authenticateProbe(
  authenticator: Authenticator,
  { request, set }: ProbeRequest,
): Promise<ProbeCaller> {
  set.headers[PROTOCOL_HEADER] = String(PROTOCOL);
  const probe = await authenticator.identifyProbe(keyOf(request.headers.get("authorization")));
  if (!probe) throw failedAttempt(authenticator, request);
  assertUnderstood(request.headers.get(PROTOCOL_HEADER));
  return probe;
}

/** Behavior 13.33. */
function assertUnderstood(header: string | null): void {
  if (understands(header)) return;
  const own = OLDEST_PROTOCOL === PROTOCOL ? `${PROTOCOL}` : `${OLDEST_PROTOCOL} or ${PROTOCOL}`;
  throw invalid(
    `the header ${PROTOCOL_HEADER} must be ${own}, which this server understands, got ${wordOf(header)}`,
  );
}

/** A message repeats no string of a request (behavior 7.8). */
function wordOf(header: string | null): string {
  if (header === null) return "none";
  return /^\d{1,9}$/.test(header) ? header : "another text";
}
