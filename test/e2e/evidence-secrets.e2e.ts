import { expect, test } from "bun:test";
import type { Socket } from "node:net";
import { unpackEvidence } from "../../src/store/recording/evidence-rows.ts";
import { eventually } from "../support/eventually.ts";
import { Binary } from "../support/product/binary.ts";
import { createChannel, createMonitor } from "../support/requests/monitors.ts";
import { createAuthority } from "../support/servers/certificates.ts";
import { Receiver } from "../support/servers/receiver.ts";
import { startServer } from "../support/servers/tcp-server.ts";
import { dumpWithoutMonitors } from "../support/store/states.ts";

const WORD = "canary-7d1f0c92ab";
const FORMS = [WORD, btoa(WORD), btoa(`me:${WORD}`), encodeURIComponent(btoa(WORD))];

const LONG = "x".repeat(2048 - WORD.length / 2);

/** The lines of an answer that repeats the request, by its path. @param heard the request, on one line */
const ANSWERS: Record<string, (heard: string) => string[]> = {
  "/body": (heard) => ["503 Sorry", "Content-Type: text/plain", "", heard, FORMS.join(" ")],
  "/head": (heard) => [
    `503 ${heard.slice(0, 300)}`,
    ...["Server", "Via", "Retry-After", "Content-Type", "Date"].map((name) => `${name}: ${heard}`),
    ...FORMS.slice(0, 1).map((form) => `X-${form}: ${form}`),
    `Location: http://${WORD}@example.test/${WORD}?${WORD}#${WORD}`,
    `Set-Cookie: session=${WORD}`,
    "",
  ],
  "/cut": () => ["503 Sorry", "", LONG + WORD],
  "/json": () => ["503 Sorry", "Content-Type: application/json", "", JSON.stringify({ all: FORMS })],
  "/away": () => [`302 ${WORD}`, `Location: http://${WORD}.example.test/${WORD}`, "Content-Length: 0", ""],
  "/moved": () => ["302 Found", `Location: /next?token=${WORD}#${WORD}`, "Content-Length: 0", ""],
  "/garbage": () => [],
};

/** Repeats a request in its answer, in each way that the path names. */
function repeats(socket: Socket): void {
  socket.once("data", (chunk: Buffer) => {
    const text = chunk.toString("latin1");
    const path = text.split(" ")[1] ?? "";
    const heard = text.replaceAll(/[\r\n]+/g, " ");
    const lines = ANSWERS[path]?.(heard) ?? [];
    socket.end(lines.length > 0 ? `HTTP/1.1 ${lines.join("\r\n")}\r\n` : heard);
  });
}

const secrets = {
  header: { headers: { "X-Key": WORD } },
  cookie: { headers: { Cookie: `theme=dark; session=${WORD}` } },
  password: { basicAuth: { user: "me", password: WORD } },
  body: { method: "POST", body: JSON.stringify({ token: WORD }) },
};

const SENT = `LOGIN ${WORD}`;

/** Targets that repeat a secret without HTTP: in the answer to a sent text, and in the names of a certificate. */
async function otherTargets() {
  const plain = await startServer((socket) => void socket.once("data", (chunk) => socket.end(chunk)));
  const authority = await createAuthority();
  const names = [{ type: "dns" as const, value: `${WORD}.example.test` }];
  const certificate = await authority.issue(names, { subject: [{ CN: [WORD] }, { O: [btoa(WORD)] }] });
  const secure = await startServer(() => {}, { tls: certificate });
  const host = "127.0.0.1";
  const expected = { contains: "what the server does not send" };
  const url = `https://${host}:${secure.port}/`;
  const monitors = [
    ["TCP", { host, port: plain.port, interval: 3600, send: SENT, ...expected }],
    ...Object.values(secrets).map((secret) => ["HTTP", { url, interval: 3600, ...secret }] as const),
  ] as const;
  return {
    monitors,
    [Symbol.dispose]() {
      plain[Symbol.dispose]();
      secure[Symbol.dispose]();
    },
  };
}

function withoutSecret(text: string): void {
  for (const form of FORMS) expect(text).not.toContain(form);
}

/** A body, or what a TCP monitor sends, is no secret in a config that is shown. */
function withoutConfigs(answer: object): string {
  return JSON.stringify(answer, (name, value) => (name === "config" ? undefined : value));
}

test("behavior 22.8, 22.14, 22.15: no evidence has a secret of a config, wherever the server repeats it", async () => {
  await using binary = new Binary();
  await using receiver = new Receiver();
  using target = await startServer(repeats);
  const server = await binary.serve(["--log-level", "debug"]);
  const client = await server.client();
  const { key } = (await client.post("/api/v1/api-keys", { name: "screen", role: "viewer" })).body.data;
  const viewer = client.as(key);
  const { id: channel } = await createChannel(client, { config: { url: receiver.url } });
  const ids: string[] = [];
  const watch = async (type: "HTTP" | "TCP", config: object) => {
    const { id } = await createMonitor(client, type, { config, alertChannelIds: [channel] });
    ids.push(id);
    // A location keeps at most eight whole at once.
    return eventually(async () => {
      const { body } = await client.get(`/api/v1/monitors/${id}/evidence`);
      return body.data[0]?.self ? body.data[0] : undefined;
    }, 30_000);
  };
  for (const path of Object.keys(ANSWERS))
    for (const secret of Object.values(secrets)) {
      const url = `http://127.0.0.1:${target.port}${path}`;
      await watch("HTTP", { url, interval: 3600, redirects: 2, expect: { status: [200] }, ...secret });
    }
  using others = await otherTargets();
  for (const [type, config] of others.monitors) {
    const { tls, layer } = await watch(type, config);
    if (type === "TCP") expect(layer).toBe("content");
    else expect(tls.chain[0].subject).toContain("•••");
  }
  const ofUser = { url: `http://me:${WORD}@127.0.0.1:${target.port}/body`, interval: 3600 };
  const refused = await client.post("/api/v1/monitors", { name: "m", type: "HTTP", config: ofUser });
  expect(refused.status).toBe(422);
  withoutSecret(JSON.stringify(refused.body));
  await eventually(() => receiver.received.length >= ids.length, 30_000);

  let bodies = 0;
  for (const id of ids) {
    const [outage] = (await client.get(`/api/v1/outages?monitorId=${id}`)).body.data;
    for (const route of [`monitors/${id}/evidence`, `outages/${outage.id}/evidence`]) {
      const [shown] = (await client.get(`/api/v1/${route}`)).body.data;
      if (shown.http?.body) {
        expect(shown.http.body).toContain("•••");
        bodies++;
      }
      withoutSecret(JSON.stringify(shown));
      const [seen] = (await viewer.get(`/api/v1/${route}`)).body.data;
      expect(seen.id).toBe(shown.id);
      expect(seen.http?.body ?? null).toBeNull();
      withoutSecret(JSON.stringify(seen));
    }
    for (const route of [`outages/${outage.id}`, `monitors/${id}/results`, `monitors/${id}/report`])
      withoutSecret(JSON.stringify(await client.get(`/api/v1/${route}`)));
  }
  // Three answers have a body, with each of the secrets, and each is read twice.
  expect(bodies).toBe(3 * 2 * Object.keys(secrets).length);
  for (const route of ["overview", "events", `alerts/${channel}/deliveries`])
    withoutSecret(withoutConfigs(await client.get(`/api/v1/${route}`)));
  for (const { body, headers, payload } of receiver.received)
    if (payload.data.monitor.type === "TCP") withoutSecret(withoutConfigs({ payload, headers }));
    else withoutSecret(JSON.stringify({ body, headers }));

  {
    await using opened = await binary.attach();
    const { db } = opened;
    // Pending notifications have the config of their monitor.
    withoutSecret((await dumpWithoutMonitors(db)).replaceAll(`\\"send\\":\\"${SENT}\\"`, ""));
    const rows = await db.rows<{ data: Uint8Array }>("SELECT data FROM evidence WHERE data IS NOT NULL");
    expect(rows.length).toBeGreaterThanOrEqual(ids.length);
    for (const { data } of rows) withoutSecret(JSON.stringify(unpackEvidence(data)));
  }
  await server.end("SIGTERM");
  withoutSecret(await server.log);
}, 300_000);
