import { type TSchema, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { closed, oneOf } from "../../domain/schemas/schema.ts";
import { invalid, notFound } from "../../errors.ts";
import { queryOf } from "../http/errors.ts";
import { operation } from "../http/openapi.ts";
import type { Services } from "../http/services.ts";
import {
  assertClientWaits,
  createRecord,
  type JobRequest,
  readOutput,
  requestOf,
  ridOf,
} from "./job-report.ts";

type Answer = "started" | "ok" | "failure" | "logged";

const answerBody = (...recorded: Answer[]) =>
  Type.Object({ recorded: oneOf(recorded), monitor: Type.String() }, closed);

interface JobRoute {
  params: { id: string; action?: string };
  request: Request;
}

/** Behavior 7, check-ins, and behavior 18.1 to 18.4. There is no key, because the ID is the secret (behavior 8.1). */
export function checkinRoutes(services: Services) {
  const record = createRecord(services);

  async function answer(
    monitor: string,
    request: JobRequest,
  ): Promise<{ recorded: Answer; monitor: string }> {
    const recorded = await record(monitor, request);
    if (!recorded) throw notFound();
    if (request.kind === "start") return { recorded: "started", monitor };
    if (request.kind === "log") return { recorded: "logged", monitor };
    return { recorded: recorded.seen === "failed" ? "failure" : "ok", monitor };
  }

  /** There is no schema: a check-in counts whatever else the job sends. */
  async function checkin({ params: { id }, request }: JobRoute) {
    const status = queryOf(request).get("status") ?? undefined;
    const rid = ridOf(request) ?? undefined;
    const output = await readOutput(request);
    const report = { ...(rid && { rid }), ...(output && { output }) };
    return answer(id, { kind: "checkin", status, ...((rid || output) && { report }) });
  }

  async function reportRun({ params: { id, action = "" }, request }: JobRoute) {
    const asked = requestOf(action);
    if (!asked) throw notFound();
    const rid = ridOf(request);
    if (rid === null) throw invalid("rid must be 1 to 64 letters, digits and hyphens of ASCII");
    const output = await readOutput(request);
    const report = { ...asked.report, ...(rid && { rid }), ...(output && { output }) };
    if (asked.kind === "start") await assertClientWaits(request);
    return answer(id, { ...asked, report });
  }

  return new Elysia({ prefix: "/api/v1/monitors/:id/checkin", normalize: false })
    .get("", checkin, { detail: checkinDetail("checkIn") })
    .post("", checkin, { detail: checkinDetail("checkInByPost") })
    .get("/:action", reportRun, { detail: runDetail("reportRun") })
    .post("/:action", reportRun, { detail: runDetail("reportRunByPost") });
}

const parameter = (place: "path" | "query", name: string, description: string) => ({
  ...{ name, in: place, description },
  ...(place === "path" && { required: true }),
  schema: Type.String() as TSchema,
});

const id = parameter("path", "id", "The ID of a SCHEDULED monitor.");
const action = parameter(
  "path",
  "action",
  "`start`: a run starts. `fail`: it failed. `log`: the body is output of it, and this is no check-in. Or its exit code, 0 to " +
    "255: 0 is a success.",
);
const rid = parameter("query", "rid", "Which run it is about: 1 to 64 letters, digits and hyphens.");
const status = parameter(
  "query",
  "status",
  "`fail` records a failure. Any other value, or none, records a success.",
);

const monitor = "PU1LFCCfZ1jlf1AajmsX3Y";
const OUTPUT = "The first 10 kB of the body of a POST are kept as the output of the run.";

function checkinDetail(operationId: string) {
  return operation({
    ...{ tag: "Check-ins", operationId, open: true },
    summary: "Check in for a SCHEDULED monitor",
    description: `A job calls this URL when it has run. The response is sent after the check-in is on the disk. ${OUTPUT}`,
    parameters: [id, status, rid],
    answer: answerBody("ok", "failure"),
    example: { recorded: "ok", monitor },
    errors: [404, 429],
  });
}

function runDetail(operationId: string) {
  return operation({
    ...{ tag: "Check-ins", operationId, open: true },
    summary: "Report the start, the end or the output of a run",
    description:
      "A job calls this URL when it starts, and when it ends. A check-in ends the run that started with the same `rid`. The " +
      `response is sent after it is on the disk. ${OUTPUT}`,
    parameters: [id, action, rid],
    answer: answerBody("started", "ok", "failure", "logged"),
    example: { recorded: "started", monitor },
    errors: [404, 422, 429],
  });
}
