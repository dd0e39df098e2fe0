import type { PushKeys } from "../../domain/alerts/webhook-format.ts";

const ECDSA = { name: "ECDSA", namedCurve: "P-256" };

/** Milliseconds for which a token is valid: at most 24 h (RFC 8292, 2). */
const LIFETIME = 12 * 3600 * 1000;

/** A token is replaced this many milliseconds before it ends, because the clock of a push service may be ahead. */
const MARGIN = 10 * 60 * 1000;

/** Push services whose tokens are kept. Users choose the endpoints. */
const MAX_TOKENS = 100;

/** A new key pair. */
export async function generatePushKeys(): Promise<PushKeys> {
  const pair = (await crypto.subtle.generateKey(ECDSA, true, ["sign", "verify"])) as CryptoKeyPair;
  const { d = "" } = await crypto.subtle.exportKey("jwk", pair.privateKey);
  const publicKey = new Uint8Array(await crypto.subtle.exportKey("raw", pair.publicKey));
  return { publicKey, privateKey: Uint8Array.fromBase64(d, { alphabet: "base64url" }) };
}

/** Writes the header `Authorization` of requests to push services. */
export type Authorize = (endpoint: string, now: number) => Promise<string>;

/**
 * One token for each push service, until it ends (RFC 8292, 5).
 *
 * @param subject how the operator of a push service reaches the operator of this server: a `mailto:` or `https:` URL
 */
export async function createAuthorize(keys: PushKeys, subject: string): Promise<Authorize> {
  const key = await importKey(keys);
  const publicKey = base64Url(keys.publicKey);
  const tokens = new Map<string, { token: string; endsAt: number }>();
  return async (endpoint, now) => {
    const { origin } = new URL(endpoint);
    let kept = tokens.get(origin);
    // Also after the clock was set back: the push service would refuse a token that is valid for too long.
    if (!kept || kept.endsAt < now + MARGIN || kept.endsAt > now + LIFETIME) {
      const endsAt = now + LIFETIME;
      kept = {
        token: await sign(key, { aud: origin, exp: Math.floor(endsAt / 1000), sub: subject }),
        endsAt,
      };
      if (tokens.size >= MAX_TOKENS) tokens.clear();
      tokens.set(origin, kept);
    }
    return `vapid t=${kept.token}, k=${publicKey}`;
  };
}

function importKey({ publicKey, privateKey }: PushKeys): Promise<CryptoKey> {
  const [x, y] = [publicKey.subarray(1, 33), publicKey.subarray(33)].map(base64Url) as [string, string];
  const jwk = { kty: "EC", crv: "P-256", x, y, d: base64Url(privateKey) };
  return crypto.subtle.importKey("jwk", jwk, ECDSA, false, ["sign"]);
}

/** A JWT (RFC 7519) that is signed by ES256. */
async function sign(key: CryptoKey, claims: object): Promise<string> {
  const content = [{ typ: "JWT", alg: "ES256" }, claims]
    .map((part) => base64Url(Buffer.from(JSON.stringify(part))))
    .join(".");
  const algorithm = { name: "ECDSA", hash: "SHA-256" };
  const signature = await crypto.subtle.sign(algorithm, key, new TextEncoder().encode(content));
  return `${content}.${base64Url(new Uint8Array(signature))}`;
}

function base64Url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64url");
}
