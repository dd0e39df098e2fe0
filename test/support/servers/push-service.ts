import { createDecipheriv, createECDH, createHmac, createPublicKey, randomBytes, verify } from "node:crypto";
import type { PushPayload, WebhookConfig } from "../../../src/domain/alerts/webhook-format.ts";

/** A message that a push service accepted. @property at when it arrived, milliseconds since 1970 */
export interface PushedMessage {
  headers: Record<string, string>;
  bytes: number;
  claims: { aud: string; exp: number; sub: string };
  payload: PushPayload;
  at: number;
}

/** The keys of one subscription, which only its browser knows. @property serverKey from the first message */
interface Receiver {
  ecdh: ReturnType<typeof createECDH>;
  auth: Buffer;
  serverKey?: string;
}

/**
 * A push service on this machine, with its browsers (RFC 8030): it refuses what is not signed by the key that signed the first
 * message of the subscription, and decrypts like a browser. Written with the functions of Node, and without the code of the product.
 */
export class PushService implements AsyncDisposable {
  readonly accepted: PushedMessage[] = [];
  /** Reasons of refusals of its own. */
  readonly refusals: string[] = [];
  /** Requests, also those that it did not accept. */
  calls = 0;
  /** The answers to the next requests instead of its own. */
  answers: Response[] = [];
  readonly #receivers = new Map<string, Receiver>();
  readonly #server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: (request) => this.#receive(request),
  });

  get url(): string {
    return `http://127.0.0.1:${this.#server.port}`;
  }

  /** The config of a channel for a new subscription. */
  subscribe(): WebhookConfig<"webpush"> {
    const ecdh = createECDH("prime256v1");
    ecdh.generateKeys();
    const auth = randomBytes(16);
    const path = `/push/${randomBytes(8).toString("hex")}`;
    this.#receivers.set(path, { ecdh, auth });
    const options = { p256dh: ecdh.getPublicKey("base64url"), auth: auth.toString("base64url") };
    return { url: this.url + path, format: "webpush", options };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.stop(true);
  }

  async #receive(request: Request): Promise<Response> {
    this.calls++;
    const at = Date.now();
    const body = Buffer.from(await request.arrayBuffer());
    const answer = this.answers.shift();
    if (answer) return answer;
    const receiver = this.#receivers.get(new URL(request.url).pathname);
    if (!receiver) return new Response("unknown", { status: 404 });
    try {
      this.accepted.push({ ...accept(request, body, receiver), at });
      return new Response(null, { status: 201, headers: { location: `${this.url}/message/1` } });
    } catch (error) {
      this.refusals.push(String(error));
      return new Response("words of the service", { status: 400 });
    }
  }
}

function accept(request: Request, body: Buffer, receiver: Receiver): Omit<PushedMessage, "at"> {
  const headers = Object.fromEntries(request.headers);
  if (request.method !== "POST") throw new Error(`method ${request.method}`);
  if (body.length > 4096) throw new Error(`${body.length} bytes`);
  if (headers["content-encoding"] !== "aes128gcm") throw new Error("content-encoding");
  if (!/^\d+$/.test(headers.ttl ?? "")) throw new Error("ttl");
  if (!/^(very-low|low|normal|high)$/.test(headers.urgency ?? "")) throw new Error("urgency");
  const { topic } = headers;
  // Apple decodes it: one digit more than a multiple of four is no base64.
  if (topic !== undefined && (!/^[\w-]{1,32}$/.test(topic) || topic.length % 4 === 1))
    throw new Error(`topic ${topic}`);
  const { key, ...claims } = verifyVapid(headers.authorization ?? "", new URL(request.url).origin);
  receiver.serverKey ??= key;
  if (key !== receiver.serverKey) throw new Error("another key");
  const payload = JSON.parse(decryptPush(body, receiver).toString());
  return { headers, bytes: body.length, claims, payload };
}

/** RFC 8292. @throws Error if the token is not valid for this push service now */
function verifyVapid(authorization: string, origin: string): PushedMessage["claims"] & { key: string } {
  const [, token = "", key = ""] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization) ?? [];
  const [head = "", content = "", signature = ""] = token.split(".");
  const point = Buffer.from(key, "base64url");
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString("base64url")) as [
    string,
    string,
  ];
  const publicKey = createPublicKey({ key: { kty: "EC", crv: "P-256", x, y }, format: "jwk" });
  const isSigned = verify(
    "sha256",
    Buffer.from(`${head}.${content}`),
    { key: publicKey, dsaEncoding: "ieee-p1363" },
    Buffer.from(signature, "base64url"),
  );
  if (!isSigned) throw new Error("signature");
  const { alg } = JSON.parse(Buffer.from(head, "base64url").toString());
  const claims = JSON.parse(Buffer.from(content, "base64url").toString());
  if (alg !== "ES256") throw new Error(`alg ${alg}`);
  if (claims.aud !== origin) throw new Error(`aud ${claims.aud}`);
  const left = claims.exp - Date.now() / 1000;
  if (!(left > 0 && left <= 86_400)) throw new Error(`exp in ${left} s`);
  if (!/^(mailto:[^:@\s]+@|https:\/\/)/.test(claims.sub)) throw new Error(`sub ${claims.sub}`);
  return { ...claims, key };
}

/** RFC 8291, 3.4, and RFC 8188, 2, as a receiver. */
export function decryptPush(body: Buffer, { ecdh, auth }: Receiver): Buffer {
  const salt = body.subarray(0, 16);
  const sender = body.subarray(21, 21 + body.readUInt8(20));
  const sealed = body.subarray(21 + sender.length);
  if (sealed.length > body.readUInt32BE(16)) throw new Error("more than one record");
  const secrets = Buffer.concat([Buffer.from("WebPush: info\0"), ecdh.getPublicKey(), sender]);
  const input = expand(hmac(auth, ecdh.computeSecret(sender)), secrets, 32);
  const random = hmac(salt, input);
  const key = expand(random, Buffer.from("Content-Encoding: aes128gcm\0"), 16);
  const nonce = expand(random, Buffer.from("Content-Encoding: nonce\0"), 12);
  const decipher = createDecipheriv("aes-128-gcm", key, nonce);
  decipher.setAuthTag(sealed.subarray(-16));
  const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
  const end = padded.lastIndexOf(2);
  if (end < 0 || padded.subarray(end + 1).some((byte) => byte !== 0)) throw new Error("padding");
  return padded.subarray(0, end);
}

/** HKDF (RFC 5869) for at most one block. */
function expand(key: Buffer, info: Buffer, length: number): Buffer {
  return hmac(key, Buffer.concat([info, Buffer.from([1])])).subarray(0, length);
}

function hmac(key: Buffer, data: Buffer): Buffer {
  return createHmac("sha256", key).update(data).digest();
}
