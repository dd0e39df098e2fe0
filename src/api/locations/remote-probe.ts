import { Elysia } from "elysia";
import {
  BatchAnswer,
  ObservationBatch,
  POLL_FOR,
  type Work,
  WorkQuery,
} from "../../domain/locations/protocol.ts";
import { accepts } from "../../domain/network/accept-encoding.ts";
import { sendJson } from "../http/json-stream.ts";
import { answering } from "../http/openapi.ts";
import type { Services } from "../http/services.ts";
import { batchFor, probeAuthentication } from "./probe-authentication.ts";
import { examples, WorkBody } from "./remote-probe-body.ts";

const tag = "Locations";

/** Seconds after which a request that is held is closed: longer than the idle timeout of all other connections. */
const HELD_TIMEOUT = POLL_FOR / 1000 + 10;

/** What the probe of a location asks for and sends (behavior 13.34, 13.35). */
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
          gzip: accepts(request.headers.get("accept-encoding"), "gzip"),
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
          example: examples.work,
          errors: [422],
        }),
      },
    )
    .post(
      "/results",
      async ({ probe, body, request }) => ({
        data: await remoteProbes.record(probe, body, versionOf(request)),
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
    );
}

/** The version of the probe, as its `User-Agent` says; null if it does not. */
function versionOf(request: Request): string | null {
  const [, version] = /^stillup-probe\/([\w.+-]{1,40})$/.exec(request.headers.get("user-agent") ?? "") ?? [];
  return version ?? null;
}
