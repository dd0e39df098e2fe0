/**
 * Requests of clients without a key, from a process of its own.
 *
 * strangers.ts URL SCHEDULED_MONITOR_ID flood CONNECTIONS: each connection sends the requests that cost most, one after the other
 * strangers.ts URL SCHEDULED_MONITOR_ID hold CONNECTIONS: each connection sends a body except its last byte
 * strangers.ts URL SCHEDULED_MONITOR_ID begin CONNECTIONS REQUESTS: sign-ins by a provider and with passkeys begin at ten addresses. It ends
 * after them, and its last line has the number of each status, as JSON
 *
 * Its first line says that it has begun. At SIGTERM it prints nothing more and ends.
 */
import http from "node:http";
import { connect, type Socket } from "node:net";

const [url = "", id = "", mode = "", connections = "10", requests = "0"] = process.argv.slice(2);
const { hostname, port } = new URL(url);
const MIB = 1024 * 1024;

function request(line: string, { body = "", headers = "" } = {}): Buffer {
  const length = body === "" ? "" : `Content-Length: ${Buffer.byteLength(body)}\r\n`;
  return Buffer.from(`${line} HTTP/1.1\r\nHost: localhost\r\n${length}${headers}\r\n${body}`);
}

const fields = (count: number) =>
  Array.from({ length: count }, (_, at) => `"z${at.toString(16)}":0`).join(",");

const BODIES = [
  `{"key":${"[".repeat(MIB - 10)}`,
  `{"key":${"[".repeat(500_000)}${"]".repeat(500_000)}}`,
  `{"key":[${"1,".repeat(500_000)}1]}`,
  `{${fields(90_000)}}`,
  `{"key":${"[".repeat(4000)}`,
  `{${fields(400)}}`,
];

const FLOOD = [
  ...BODIES.map((body) => request("POST /api/v1/session", { body })),
  ...BODIES.map((body) => request("POST /status/none/subscriptions", { body })),
  request(`POST /api/v1/monitors/${id}x/checkin`, { body: BODIES[0] }),
  request("POST /api/push/none", { body: BODIES[0] }),
  request("GET /docs/json"),
  request("GET /status/none", { headers: `Accept-Encoding: ${",".repeat(15_000)}\r\n` }),
  request("GET /api/v1/session", { headers: `Cookie: ${"a=;".repeat(5000)}\r\n` }),
  request(`GET /api/v1/monitors?${"a=%41&".repeat(2500)}`),
];

const HELD = [
  request("POST /api/v1/session", { body: BODIES[0] }),
  request("POST /api/v1/session", { body: `{"key":"${"a".repeat(4000)}"}` }),
  request("POST /status/none/subscriptions", { body: BODIES[0] }),
  request("POST /api/v1/monitors", { body: BODIES[0] }),
];

/** Sends one request after the other, each after the answer to the one before it, and connects again if it is closed. */
function flood(start: number): void {
  let at = start;
  let pause: Timer | undefined;
  const socket = connect(Number(port), hostname);
  const next = () => socket.write(FLOOD[at++ % FLOOD.length] ?? "");
  socket.on("connect", next);
  socket.on("data", () => {
    // An answer has ended if nothing follows at once.
    clearTimeout(pause);
    pause = setTimeout(next, 0);
  });
  socket.on("error", () => {});
  socket.on("close", () => setTimeout(flood, 10, at));
}

function hold(at: number): Socket {
  const socket = connect(Number(port), hostname, () => {
    const whole = HELD[at % HELD.length] ?? Buffer.alloc(0);
    socket.write(whole.subarray(0, -1));
  });
  return socket.on("error", () => {});
}

/** Half of the requests begin a sign-in by the provider, the others one with a passkey. */
const BEGINNINGS = [
  { method: "GET", path: "/sign-in/oidc" },
  { method: "POST", path: "/api/v1/session/passkey-options", headers: { "sec-fetch-site": "same-origin" } },
];
const ADDRESSES = 10;

async function begin(clients: number, count: number): Promise<Record<string, number>> {
  const statuses: Record<string, number> = {};
  let sent = 0;
  const client = async (at: number) => {
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    const localAddress = `127.0.0.${2 + (at % ADDRESSES)}`;
    while (sent < count) {
      const { path, ...request } = BEGINNINGS[sent++ % BEGINNINGS.length] as (typeof BEGINNINGS)[number];
      const status = await statusOf(new URL(path, url), { ...request, agent, localAddress });
      const name = `${path} ${status}`;
      statuses[name] = (statuses[name] ?? 0) + 1;
    }
    agent.destroy();
  };
  await Promise.all(Array.from({ length: clients }, (_, at) => client(at)));
  return statuses;
}

/** @returns 0 if the connection broke */
function statusOf(to: URL, options: http.RequestOptions): Promise<number> {
  return new Promise((done) => {
    const sending = http.request(to, options, (answer) => {
      answer.resume().on("end", () => done(answer.statusCode ?? 0));
    });
    sending.on("error", () => done(0)).end();
  });
}

const wanted = Number(connections);
if (mode !== "begin") for (let at = 0; at < wanted; at++) mode === "hold" ? hold(at) : flood(at * 3);
process.stdout.write("begun\n");
if (mode === "begin") process.stdout.write(`${JSON.stringify(await begin(wanted, Number(requests)))}\n`);
