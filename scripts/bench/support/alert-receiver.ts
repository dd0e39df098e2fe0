/**
 * Receives webhooks, and messages to devices that share the keys of `/subscription`. `/wait` responds when COUNT of them have
 * arrived since the last request, with the times of the first and the last.
 *
 * alert-receiver.ts COUNT
 */
import { createECDH, randomBytes } from "node:crypto";
import { decryptPush } from "../../../test/support/servers/push-service.ts";

const count = Number(process.argv[2]);

/** One of this many messages to devices is decrypted. */
const DECRYPT_EVERY = 50;

const auth = randomBytes(16);
const ecdh = createECDH("prime256v1");
ecdh.generateKeys();

let all = Promise.withResolvers<void>();
let times: number[] = [];

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  idleTimeout: 0,
  async fetch(request) {
    if (request.method === "POST") return receive(request);
    if (request.url.endsWith("/subscription")) return Response.json(subscription());
    await all.promise;
    const answer = Response.json([times[0], times.at(-1)]);
    all = Promise.withResolvers();
    times = [];
    return answer;
  },
});

async function receive(request: Request): Promise<Response> {
  const body = Buffer.from(await request.arrayBuffer());
  const arrived = times.push(Date.now());
  if (request.headers.has("content-encoding") && arrived % DECRYPT_EVERY === 0) open(body);
  if (arrived === count) all.resolve();
  return new Response("ok");
}

/** Ends this process if a message is not valid, so that nothing is measured. */
function open(body: Buffer): void {
  try {
    JSON.parse(decryptPush(body, { ecdh, auth }).toString());
  } catch {
    process.exit(1);
  }
}

function subscription() {
  const options = { p256dh: ecdh.getPublicKey("base64url"), auth: auth.toString("base64url") };
  return { format: "webpush", options };
}

process.on("SIGTERM", () => process.exit(0));
console.log(server.url.origin);
