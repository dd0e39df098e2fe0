import type { TSchema } from "@sinclair/typebox";
import { Elysia } from "elysia";
import {
  MAX_BATCH,
  OLDEST_PROTOCOL,
  PROTOCOL,
  PROTOCOL_HEADER,
  understands,
} from "../../domain/locations/protocol.ts";
import { invalid } from "../../errors.ts";
import type { Authenticator } from "../../runner/authenticator.ts";
import type { ProbeCaller } from "../../store/store.ts";
import { failedAttempt, keyOf } from "../auth/authentication.ts";
import { createValidator, documented, MAX_BODY, readJsonObject } from "../http/request-body.ts";
import type { Services } from "../http/services.ts";

/** In each of `observations`. */
const EVIDENCE = { field: "evidence", depth: 2 };

interface ProbeRequest {
  request: Request;
  set: { headers: Record<string, unknown> };
}

/** Gives the later routes of a plugin the `probe` that sends a request, or answers 401 or 422. */
export function probeAuthentication({ authenticator }: Pick<Services, "authenticator">) {
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
export function batchFor<T extends TSchema>(
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
