import { expect, test } from "bun:test";
import { printConfiguration } from "../../../src/configuration-file/print.ts";
import { readConfiguration } from "../../../src/configuration-file/read.ts";
import { recordOf } from "../../../src/import/imported.ts";
import { eventually } from "../../support/eventually.ts";
import { freePort } from "../../support/free-port.ts";
import { fromOpenstatus, listedMonitor } from "../../support/import/openstatus.ts";
import { TestServer } from "../../support/product/server.ts";
import { TcpTarget } from "../../support/servers/targets.ts";

/* The judgement of openstatus about these monitors, written down from the source of its checker. */

const status = (compare: string, target: number) => ({ type: "status", compare, target });
const body = (compare: string, target: string) => ({ type: "textBody", compare, target });
const header = (compare: string, target: string) => ({ type: "header", key: "X-Node", compare, target });

const CASES: { path?: string; fields?: object; judged: "up" | "degraded" | "down" }[] = [
  ...[200, 204, 299].map((code) => ({ path: `status/${code}`, judged: "up" as const })),
  ...[304, 400, 404, 500].map((code) => ({ path: `status/${code}`, judged: "down" as const })),
  { path: "status/404", fields: { assertions: [status("eq", 404)] }, judged: "up" },
  { path: "status/200", fields: { assertions: [status("not_eq", 200)] }, judged: "down" },
  { path: "status/304", fields: { assertions: [status("gte", 300), status("lt", 400)] }, judged: "up" },
  { path: "status/400", fields: { assertions: [status("gte", 300), status("lt", 400)] }, judged: "down" },
  // Assertions about something else leave the status open.
  { path: "fail", fields: { assertions: [body("contains", "broken")] }, judged: "up" },
  { path: "fail", fields: { assertions: [body("not_contains", "broken")] }, judged: "down" },
  { path: "fail", fields: { assertions: [header("contains", "node-1")] }, judged: "up" },
  { path: "fail", fields: { assertions: [header("contains", "node-2")] }, judged: "down" },
  { path: "redirect/3", judged: "up" },
  { path: "redirect/1", fields: { followRedirects: false }, judged: "down" },
  { path: "redirect/1", fields: { followRedirects: false, assertions: [status("eq", 302)] }, judged: "up" },
  { path: "slow", fields: { degradedAfter: 1 }, judged: "degraded" },
  { path: "slow", fields: { degradedAfter: 30_000 }, judged: "up" },
  {
    path: "echo",
    fields: { method: "POST", body: "{}", assertions: [body("contains", "POST application/json {}")] },
    judged: "up",
  },
  { fields: { url: "http://127.0.0.1:CLOSED/" }, judged: "down" },
  { fields: { jobType: "tcp", url: "127.0.0.1:OPEN" }, judged: "up" },
  { fields: { jobType: "tcp", url: "127.0.0.1:CLOSED" }, judged: "down" },
];

test("behavior 16.125: the monitors of a file judge the same answers as openstatus", async () => {
  await using server = await TestServer.start();
  await using open = await TcpTarget.start();
  await using http = { server: startTarget(), [Symbol.asyncDispose]: () => http.server.stop(true) };
  const ports = { OPEN: String(open.port), CLOSED: String(freePort()) };
  const monitors = CASES.map(({ path, fields }, at) => {
    const monitor = listedMonitor({
      ...{ id: at, name: `case ${at}`, url: `http://127.0.0.1:${http.server.port}/${path}`, ...fields },
    });
    return {
      ...monitor,
      url: String(monitor.url).replace("OPEN", ports.OPEN).replace("CLOSED", ports.CLOSED),
    };
  });
  const { document, omitted } = fromOpenstatus({ monitors, notifications: [] });
  expect(omitted).toEqual([]);
  // The first check of each monitor is judged: further ones would only confirm it.
  for (const monitor of Object.values(document.monitors ?? {})) delete recordOf(monitor).confirmations;
  const { value, faults } = readConfiguration(printConfiguration(document), {});
  expect(faults).toEqual([]);
  expect((await server.client.post("/api/v1/apply", value)).status).toBe(200);
  const judged = async () => {
    const { body: listed } = await server.client.get("/api/v1/monitors?limit=100");
    const found = listed.data as { ref: string; status: string }[];
    return CASES.map((_, at) => found.find(({ ref }) => ref === `case-${at}`)?.status ?? "missing");
  };
  await eventually(async () => !(await judged()).includes("unknown"));
  const named = (statuses: string[]) => statuses.map((one, at) => `${JSON.stringify(CASES[at])}: ${one}`);
  expect(named(await judged())).toEqual(named(CASES.map((one) => one.judged)));
});

function startTarget() {
  const headers = { "X-Node": "node-1" };
  return Bun.serve({
    ...{ hostname: "127.0.0.1", port: 0 },
    async fetch(request) {
      const [, name, count = ""] = new URL(request.url).pathname.split("/");
      const left = Number(count);
      if (name === "status") return new Response(null, { status: left });
      if (name === "fail") return new Response("all is broken", { status: 503, headers });
      if (name === "redirect")
        return left === 0 ? new Response("here") : Response.redirect(`/redirect/${left - 1}`, 302);
      if (name === "slow") return Bun.sleep(30).then(() => new Response("late"));
      return new Response(`${request.method} ${request.headers.get("content-type")} ${await request.text()}`);
    },
  });
}
