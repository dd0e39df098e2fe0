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

const MARK = "canary5e1f";
/** One for each secret, so that a failure names the leak. */
const [STEP, BODY, TAKEN, COOKIE, DIGEST, CLIENT, TOKEN, PROXY] = [
  ...["step", "body", "taken", "cookie", "digest", "client", "token", "proxy"].map(
    (name) => `${MARK}-${name}`,
  ),
] as [string, string, string, string, string, string, string, string];
const FORMS = [
  MARK,
  ...[STEP, BODY, TAKEN, COOKIE, DIGEST, CLIENT, TOKEN, PROXY].flatMap((word) => [
    btoa(word),
    btoa(`me:${word}`),
  ]),
];

/** The bytes after the head of an answer, by the path of the request. @param heard the request, on one line */
const ANSWERS: Record<string, (heard: string) => string[]> = {
  "/sign-in": () => ["200 OK", `Set-Cookie: session=${COOKIE}`, "", JSON.stringify({ token: TAKEN })],
  "/token": () => ["200 OK", "", JSON.stringify({ access_token: TOKEN, token_type: "Bearer" })],
  "/no-token": (heard) => [
    `400 ${heard.slice(0, 200)}`,
    `X-Heard: ${heard}`,
    "",
    JSON.stringify({ error: heard }),
  ],
  "/digest": (heard) =>
    heard.includes("Authorization: Digest")
      ? repeated(heard)
      : ["401 Unauthorized", 'WWW-Authenticate: Digest realm="r", qop="auth", nonce="n"', "", DIGEST],
};

/** The request, also decoded, in each part of an answer. */
function repeated(heard: string): string[] {
  const all = [heard, ...heard.split(/[\s:=&?"]+/).flatMap((word) => [atobOrNothing(word), btoa(word)])].join(
    " ",
  );
  return [
    `503 ${all.slice(0, 300)}`,
    `Server: ${all}`,
    `Location: /${all}`,
    `Set-Cookie: session=${COOKIE}`,
    "",
    all,
  ];
}

function atobOrNothing(word: string): string {
  try {
    return atob(word).replaceAll(/[^ -~]/g, "");
  } catch {
    return "";
  }
}

function repeats(socket: Socket): void {
  socket.once("data", (chunk: Buffer) => {
    const text = chunk.toString("latin1");
    const path = (text.split(" ")[1] ?? "").replace(/^http:\/\/[^/]+/, "");
    const lines = (ANSWERS[path] ?? repeated)(text.replaceAll(/[\r\n]+/g, " "));
    socket.end(`HTTP/1.1 ${lines.join("\r\n")}`);
  });
}

/** Asks for a login, and repeats the one that it got. */
function refuses(socket: Socket): void {
  socket.once("data", (chunk: Buffer) => {
    socket.end(
      `HTTP/1.1 407 ${chunk.toString("latin1").replaceAll(/[\r\n]+/g, " ")}\r\n\r\n${FORMS.join(" ")}`,
    );
  });
}

async function world() {
  const target = await startServer(repeats);
  const proxy = await startServer(refuses);
  const client = await (await createAuthority()).issue([{ type: "dns", value: "client.test" }]);
  const secure = await startServer(repeats, {
    tls: await (await createAuthority()).issue([{ type: "dns", value: "target.test" }]),
  });
  const at = `http://127.0.0.1:${target.port}`;
  const oauth2 = (path: string) => ({
    tokenUrl: at + path,
    clientId: "me",
    clientSecret: CLIENT,
    scope: "read",
  });
  const withToken = { headers: { Authorization: "Bearer {{T}}" }, expect: { status: [200] } };
  const password = { user: "me", password: PROXY };
  const configs: Record<string, object> = {
    steps: {
      steps: [
        {
          name: "first",
          url: `${at}/sign-in`,
          headers: { "X-Key": STEP },
          take: { T: "$.token", C: "cookie:session" },
        },
        {
          name: "second",
          url: `${at}/echo?token={{T}}&cookie={{C}}`,
          method: "POST",
          body: `{"a":"${BODY}{{T}}"}`,
          ...withToken,
        },
      ],
    },
    digest: { url: `${at}/digest`, digestAuth: { user: "me", password: DIGEST } },
    token: { url: `${at}/echo`, oauth2: oauth2("/token") },
    "no token": { url: `${at}/echo`, oauth2: oauth2("/no-token") },
    "proxy that repeats": { url: `${at}/echo`, proxy: { url: at, ...password } },
    "proxy that refuses": {
      url: `${at}/echo`,
      proxy: { url: `http://127.0.0.1:${proxy.port}`, ...password },
    },
    "client certificate": {
      url: `https://127.0.0.1:${secure.port}/echo`,
      verifyTls: false,
      clientCertificate: { certificate: client.cert, key: client.key },
    },
  };
  const key = client.key.split("\n")[1] ?? "";
  return {
    configs,
    /** A line of the key of the client. */
    key,
    [Symbol.dispose]() {
      for (const server of [target, proxy, secure]) server[Symbol.dispose]();
    },
  };
}

/** Without the bodies of steps, which are no secrets in a config that is shown. */
function withoutBodies(answer: object): string {
  return JSON.stringify(answer, (name, value) =>
    name === "body" && typeof value === "string" ? undefined : value,
  );
}

test("behavior 26.2: nothing that leaves the server has a secret of access or of a step, or a value that was taken", async () => {
  await using binary = new Binary();
  await using receiver = new Receiver();
  using made = await world();
  const withoutSecret = (text: string) => {
    for (const form of [...FORMS, made.key]) expect(text).not.toContain(form);
  };
  const server = await binary.serve(["--log-level", "debug"]);
  const client = await server.client();
  const { id: channel } = await createChannel(client, { config: { url: receiver.url } });
  const ids: string[] = [];
  const failing: string[] = [];
  for (const [name, config] of Object.entries(made.configs)) {
    const expected = "steps" in config ? {} : { expect: { status: [200] } };
    const whole = { interval: 3600, ...expected, ...config };
    const tested = await client.post("/api/v1/probe", { type: "HTTP", config: whole });
    // The proxy or the token endpoint has failed, and not the target.
    const isOurs = name === "no token" || name === "proxy that refuses";
    expect({ name, status: tested.status }).toEqual({ name, status: isOurs ? 409 : 200 });
    withoutSecret(JSON.stringify(tested.body));
    const created = await createMonitor(client, "HTTP", { config: whole, alertChannelIds: [channel] });
    withoutSecret(withoutBodies(created));
    const shown = await client.patch(`/api/v1/monitors/${created.id}`, { config: created.config });
    expect({ name, status: shown.status }).toEqual({ name, status: 200 });
    ids.push(created.id);
    if (isOurs) continue;
    failing.push(created.id);
    await eventually(async () => {
      const { body } = await client.get(`/api/v1/monitors/${created.id}/evidence`);
      const [shown] = body.data;
      // With a proxy, stillup makes no second look.
      return shown && (shown.self || "proxy" in config) ? shown : undefined;
    }, 30_000);
  }
  await eventually(
    () => new Set(receiver.received.map(({ payload }) => payload.data.monitor.id)).size >= failing.length,
    30_000,
  );
  for (const { body, headers } of receiver.received) withoutSecret(JSON.stringify({ body, headers }));
  for (const id of ids)
    for (const route of [
      `monitors/${id}/evidence`,
      `monitors/${id}/results`,
      `monitors/${id}/report`,
      `outages?monitorId=${id}`,
    ])
      withoutSecret(withoutBodies(await client.get(`/api/v1/${route}`)));
  for (const route of ["monitors", "overview", "events", "audit-log", `alerts/${channel}/deliveries`])
    withoutSecret(withoutBodies(await client.get(`/api/v1/${route}`)));
  {
    await using opened = await binary.attach();
    withoutSecret((await dumpWithoutMonitors(opened.db)).replaceAll(BODY, ""));
    const rows = await opened.db.rows<{ data: Uint8Array }>(
      "SELECT data FROM evidence WHERE data IS NOT NULL",
    );
    expect(rows.length).toBeGreaterThanOrEqual(failing.length);
    for (const { data } of rows) withoutSecret(JSON.stringify(unpackEvidence(data)));
  }
  await server.end("SIGTERM");
  const log = await server.log;
  expect(log).toContain("proxy_failed");
  expect(log).toContain("token_failed");
  withoutSecret(log);
}, 300_000);
