import { expect } from "bun:test";
import { printConfiguration } from "../../../src/configuration-file/print.ts";
import { readConfiguration } from "../../../src/configuration-file/read.ts";
import { type ImportedDocument, recordOf } from "../../../src/import/imported.ts";
import { eventually } from "../eventually.ts";
import { TestServer } from "../product/server.ts";

/** The status of each monitor of a document after its first check, by ref. A further check would only confirm it. */
export async function judged(document: ImportedDocument): Promise<Map<string, string>> {
  await using server = await TestServer.start();
  for (const monitor of Object.values(document.monitors ?? {})) {
    delete recordOf(monitor).confirmations;
    delete recordOf(monitor).recoveries;
  }
  const { value, faults } = readConfiguration(printConfiguration(document), {});
  expect(faults).toEqual([]);
  const { status, body } = await server.client.post("/api/v1/apply", value);
  expect([status, body.error]).toEqual([200, undefined]);
  const statuses = async () => {
    const answer = await server.client.get("/api/v1/monitors?limit=100");
    return new Map(
      (answer.body.data as { ref: string; status: string }[]).map((one) => [one.ref, one.status]),
    );
  };
  await eventually(async () => ![...(await statuses()).values()].includes("unknown"));
  return await statuses();
}

export interface Target extends AsyncDisposable {
  port: number;
}

/** A web server whose paths say what it answers, such as `/status/404`. */
export function startWebTarget(): Target {
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: answer });
  return { port: Number(server.port), [Symbol.asyncDispose]: () => server.stop(true) };
}

/** `/redirect` leads to 200, and `/fail` is a 500 with a body. */
async function answer(request: Request): Promise<Response> {
  const [, name, value = ""] = new URL(request.url).pathname.split("/");
  if (name === "status") return new Response(null, { status: Number(value) });
  if (name === "redirect") return Response.redirect("/body", 302);
  if (name === "fail") return new Response("All is broken", { status: 500 });
  if (name === "json") return Response.json({ status: "ok", depth: 5, gone: null });
  if (name === "slow") return Bun.sleep(30).then(() => new Response("late"));
  if (name === "body" || name === "gone") return new Response("Welcome to the shop");
  if (name === "key") return new Response(null, { status: request.headers.get(value) === "k" ? 200 : 401 });
  if (name === "user")
    return new Response(null, {
      status: request.headers.get("authorization") === `Basic ${btoa("watch:pa55")}` ? 200 : 401,
    });
  return new Response(`${request.method} ${request.headers.get("content-type")} ${await request.text()}`);
}
