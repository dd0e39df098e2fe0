import { expect, test } from "bun:test";
import { printConfiguration } from "../../../src/configuration-file/print.ts";
import { readConfiguration } from "../../../src/configuration-file/read.ts";
import { recordOf } from "../../../src/import/imported.ts";
import { eventually } from "../../support/eventually.ts";
import { freePort } from "../../support/free-port.ts";
import { fromUpptime } from "../../support/import/upptime.ts";
import { TestServer } from "../../support/product/server.ts";
import { TcpTarget } from "../../support/servers/targets.ts";

/* The judgement of Upptime about these sites, written down from its source: status codes, redirects, texts, time. */

const CASES: { fields: string; upptime: "up" | "degraded" | "down"; here?: string }[] = [
  ...(
    [
      ...([200, 201, 204, 206, 208, 226, 300, 304, 305] as const).map((code) => [code, "up"] as const),
      ...([209, 225, 227, 299, 400, 401, 403, 404, 429, 500, 503] as const).map(
        (code) => [code, "down"] as const,
      ),
    ] as const
  ).map(([code, upptime]) => ({ fields: `url: HTTP/status/${code}`, upptime })),
  { fields: "url: HTTP/status/404, expectedStatusCodes: [404]", upptime: "up" },
  { fields: "url: HTTP/status/200, expectedStatusCodes: [404]", upptime: "down" },
  { fields: "url: HTTP/status/401, expectedStatusCodes: [200, '401']", upptime: "up" },
  // For curl, a redirect to nowhere is the answer. Here it is bad_redirect.
  { fields: "url: HTTP/status/308", upptime: "up", here: "down" },
  // A redirect is followed, and the last answer counts.
  { fields: "url: HTTP/redirect/3", upptime: "up" },
  { fields: "url: HTTP/redirect/4", upptime: "down" },
  { fields: "url: HTTP/redirect/1, maxRedirects: 0", upptime: "up" },
  { fields: "url: HTTP/redirect/1, maxRedirects: 0, expectedStatusCodes: [200]", upptime: "down" },
  { fields: "url: HTTP/redirect/1, expectedStatusCodes: [302]", upptime: "down" },
  { fields: "url: HTTP/body, __dangerous__body_down: broken", upptime: "down" },
  { fields: "url: HTTP/body, __dangerous__body_down: Broken", upptime: "up" },
  { fields: "url: HTTP/body, __dangerous__body_down_if_text_missing: is broken", upptime: "up" },
  { fields: "url: HTTP/body, __dangerous__body_down_if_text_missing: fine", upptime: "down" },
  { fields: "url: HTTP/slow, maxResponseTime: 1", upptime: "degraded" },
  { fields: "url: HTTP/slow, maxResponseTime: 60000", upptime: "up" },
  {
    fields:
      "url: HTTP/echo, method: POST, body: a=1, __dangerous__body_down_if_text_missing: 'POST application/x-www-form-urlencoded a=1'",
    upptime: "up",
  },
  {
    fields:
      "url: HTTP/echo, method: PUT, headers: ['Content-Type: text/plain'], body: hi, __dangerous__body_down_if_text_missing: PUT text/plain hi",
    upptime: "up",
  },
  { fields: "url: HTTP/key, headers: ['X-Key: $KEY']", upptime: "up" },
  { fields: "url: HTTP/key, headers: ['X-Key: wrong']", upptime: "down" },
  { fields: "url: HOST/status/200", upptime: "up" },
  { fields: "url: http://127.0.0.1:CLOSED/", upptime: "down" },
  { fields: "check: tcp-ping, url: 127.0.0.1, port: PORT", upptime: "up" },
  { fields: "check: tcp-ping, url: 127.0.0.1, port: CLOSED", upptime: "down" },
  { fields: "check: ws, url: ws://HOST/socket", upptime: "up" },
  { fields: "check: ws, url: ws://HOST/status/200", upptime: "down" },
];

const KEY = "k-123";

test("behavior 16.123: the monitors of a file judge the same answers as Upptime", async () => {
  await using server = await TestServer.start();
  await using open = await TcpTarget.start();
  await using http = { server: startTarget(), [Symbol.asyncDispose]: () => http.server.stop(true) };
  const values: Record<string, string> = {
    ...{ HTTP: `http://127.0.0.1:${http.server.port}`, HOST: `127.0.0.1:${http.server.port}` },
    ...{ PORT: String(open.port), CLOSED: String(freePort()) },
  };
  const sites = CASES.map(
    ({ fields }, at) =>
      `  - { name: case ${at}, ${fields.replaceAll(/\b(HTTP|HOST|PORT|CLOSED)\b/g, (name) => values[name] ?? "")} }`,
  );
  const { document, omitted } = fromUpptime(`sites:\n${sites.join("\n")}\n`, { KEY });
  expect(omitted).toEqual([]);
  // The first check of each monitor is judged: further ones would only confirm it.
  for (const monitor of Object.values(document.monitors ?? {})) delete recordOf(monitor).confirmations;
  const { value, faults } = readConfiguration(printConfiguration(document), { KEY });
  expect(faults).toEqual([]);
  expect((await server.client.post("/api/v1/apply", value)).status).toBe(200);
  const judged = async () => {
    const { body } = await server.client.get("/api/v1/monitors?limit=100");
    return (body.data as { ref: string; status: string }[]).toSorted(
      (a, b) => Number(a.ref.slice(5)) - Number(b.ref.slice(5)),
    );
  };
  await eventually(async () => (await judged()).every(({ status }) => status !== "unknown"));
  expect((await judged()).map(({ status }, at) => `${CASES[at]?.fields}: ${status}`)).toEqual(
    CASES.map(({ fields, upptime, here = upptime }) => `${fields}: ${here}`),
  );
});

function startTarget() {
  return Bun.serve({
    ...{ hostname: "127.0.0.1", port: 0 },
    websocket: { message() {} },
    async fetch(request, server) {
      const [, name, count = ""] = new URL(request.url).pathname.split("/");
      const left = Number(count);
      if (name === "status") return new Response(null, { status: left });
      if (name === "redirect")
        return left === 0 ? new Response("here") : Response.redirect(`/redirect/${left - 1}`, 302);
      if (name === "body") return new Response("all is broken");
      // Much longer than a stall of a busy machine, which a check does not blame on its target.
      if (name === "slow") return Bun.sleep(1000).then(() => new Response("late"));
      if (name === "key")
        return new Response(null, { status: request.headers.get("x-key") === KEY ? 200 : 401 });
      if (name === "socket" && server.upgrade(request)) return undefined;
      return new Response(`${request.method} ${request.headers.get("content-type")} ${await request.text()}`);
    },
  });
}
