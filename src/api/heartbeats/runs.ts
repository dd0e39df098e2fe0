import { Type } from "@sinclair/typebox";
import { parseRunId } from "../../domain/heartbeats/job-runs.ts";
import { iso, isoOrNull } from "../../domain/iso-time.ts";
import { Timestamp } from "../../domain/schemas/format.ts";
import { PageQuery, pageSize } from "../../domain/schemas/pagination.ts";
import { described, named, nullable, oneOf, open } from "../../domain/schemas/schema.ts";
import type { JobRun } from "../../store/store.ts";
import { resource } from "../auth/authentication.ts";
import { idOf, operation, pagedListing } from "../http/openapi.ts";
import type { Services } from "../http/services.ts";

const example = {
  id: "412",
  rid: null,
  startedAt: "2026-11-21T03:00:00.412Z",
  endedAt: "2026-11-21T03:08:12.907Z",
  durationMs: 492_495,
  outcome: "ok",
  exitCode: 0,
  outputBytes: 1830,
};
const RunBody = Type.Object(
  {
    id: Type.String({ description: "Unique among the runs of the monitor." }),
    rid: nullable(Type.String({ description: "The ID that the job gave the run." })),
    startedAt: described(Timestamp, "For an output without a start, when it arrived."),
    endedAt: nullable(Timestamp),
    durationMs: described(
      nullable(Type.Integer()),
      "Null while it is open, and if its start or its end is unknown.",
    ),
    outcome: described(
      oneOf(["running", "ok", "failed", "overrun", "replaced", "logged"]),
      "`overrun`: it is open beyond its limit. `replaced`: it started again before its end. `logged`: it is only an output.",
    ),
    exitCode: nullable(Type.Integer()),
    outputBytes: Type.Integer({ description: "What is kept of its output: 0 if nothing is." }),
  },
  named("JobRun", example),
);

function runBody({ id, rid, startedAt, endedAt, ...run }: JobRun) {
  return { id, rid, startedAt: iso(startedAt), endedAt: isoOrNull(endedAt), ...run };
}

const RunPath = Type.Composite([
  idOf("a monitor"),
  Type.Object({ run: Type.String({ description: "The ID of the run." }) }),
]);

/** Behavior 18.25, 18.26. */
export function runRoutes({ store, clock, authenticator }: Services) {
  return resource({ authenticator, store }, "/monitors/:id/runs", "Check-ins")
    .get(
      "",
      async ({ caller, params: { id: monitorId }, query: { limit, cursor: after } }) => {
        const page = { monitorId, limit: pageSize(limit), cursor: after, now: clock.now() };
        const { items, cursor } = await store.runs.list(caller.organizationId, page);
        return { data: items.map(runBody), cursor };
      },
      {
        params: idOf("a monitor"),
        query: Type.Composite([PageQuery], open),
        detail: pagedListing({
          operationId: "listRuns",
          summary: "List the runs of a job",
          description:
            "Of a SCHEDULED monitor whose job reports its starts or its output. The newest first, in pages.",
          answer: RunBody,
          errors: [404],
        }),
      },
    )
    .get(
      "/:run/output",
      async ({ caller, params: { id: monitorId, run } }) => {
        const wanted = { monitorId, number: parseRunId(run) };
        return plainText(await store.runs.findOutput(caller.organizationId, wanted), `run-${run}.txt`);
      },
      {
        params: RunPath,
        detail: operation({
          operationId: "getRunOutput",
          summary: "Get the output of a run",
          description:
            "What the job sent in its requests about the run, at most 10 kB. The newest 50 runs of a monitor have one.",
          answer: Type.String(),
          example: "412 files copied\n",
          contentType: "text/plain",
          errors: [404],
        }),
      },
    );
}

/** A job may print anything: no browser must interpret it. */
function plainText(output: Uint8Array, name: string): Response {
  return new Response(new Uint8Array(output), {
    headers: {
      "content-type": "text/plain; charset=utf-8",
      "x-content-type-options": "nosniff",
      "content-disposition": `attachment; filename="${name}"`,
    },
  });
}
