import { createHmac } from "node:crypto";

type Json = Record<string, unknown>;

/** A key of a provider, with its public part. */
interface SigningKey {
  kid: string;
  alg: Algorithm;
  privateKey: CryptoKey;
  publicJwk: Json;
}

const KEYS = {
  RS256: { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256", modulusLength: 2048 },
  PS256: { name: "RSA-PSS", hash: "SHA-256", modulusLength: 2048 },
  ES256: { name: "ECDSA", namedCurve: "P-256" },
  EdDSA: { name: "Ed25519" },
};

const SIGNATURES = {
  RS256: { name: "RSASSA-PKCS1-v1_5" },
  PS256: { name: "RSA-PSS", saltLength: 32 },
  ES256: { name: "ECDSA", hash: "SHA-256" },
  EdDSA: { name: "Ed25519" },
};

export type Algorithm = keyof typeof KEYS;

async function createSigningKey(alg: Algorithm): Promise<SigningKey> {
  const algorithm = { ...KEYS[alg], publicExponent: new Uint8Array([1, 0, 1]) };
  const pair = (await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"])) as CryptoKeyPair;
  const { kty, n, e, crv, x, y } = await crypto.subtle.exportKey("jwk", pair.publicKey);
  const kid = crypto.randomUUID();
  const publicJwk = JSON.parse(JSON.stringify({ kty, n, e, crv, x, y, kid, use: "sig" }));
  return { kid, alg, privateKey: pair.privateKey, publicJwk };
}

/**
 * A provider that signs everybody in at once, and says whatever a test wants, also what no provider must say. The fields may be
 * changed at any time.
 */
export class LyingProvider implements AsyncDisposable {
  /** The claims of the token, beside the usual ones. Undefined values are left out. */
  claims: Json = {};
  userInfo: Json = {};
  /** The answer of the token endpoint in place of a token. */
  tokenError: { status: number; body: Json } | undefined;
  /** Replaces the signed token. */
  forge: ((claims: Json) => Promise<string> | string) | undefined;
  /** The `iss` with which the browser returns; null for none. */
  returnedIssuer: string | null = null;
  metadata: Json = {};
  /** A request waits for it. */
  onRequest: (path: string) => Promise<unknown> = async () => {};
  /** A request for a token waits for it. */
  onToken: () => Promise<unknown> = async () => {};
  /** The form of the last request for a token, and its headers. */
  tokenRequest: { form: URLSearchParams; headers: Headers } | undefined;
  /** Seconds by which its clock is ahead. */
  clockOffset = 0;
  readonly #server: Bun.Server<undefined>;
  readonly #nonces = new Map<string, string>();
  #key: SigningKey;

  private constructor(key: SigningKey, port = 0) {
    this.#key = key;
    this.#server = Bun.serve({ hostname: "127.0.0.1", port, fetch: (request) => this.#answer(request) });
  }

  static async start(alg: Algorithm = "ES256", port = 0): Promise<LyingProvider> {
    return new LyingProvider(await createSigningKey(alg), port);
  }

  get issuer(): string {
    return `http://127.0.0.1:${this.#server.port}`;
  }

  /** From now on only a new key counts. */
  async changeKey(alg: Algorithm = "ES256"): Promise<void> {
    this.#key = await createSigningKey(alg);
  }

  /** The public key as everybody can read it. */
  get publicKey(): Json {
    return this.#key.publicJwk;
  }

  /** A token with the key of the provider, and with another algorithm in its header if one is given. */
  async sign(claims: Json, header: Json = {}): Promise<string> {
    const { kid, alg, privateKey } = this.#key;
    const signed = `${part({ alg, kid, ...header })}.${part(claims)}`;
    const bytes = new TextEncoder().encode(signed);
    const signature = await crypto.subtle.sign(SIGNATURES[alg], privateKey, bytes);
    return `${signed}.${new Uint8Array(signature).toBase64({ alphabet: "base64url", omitPadding: true })}`;
  }

  async #answer(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    await this.onRequest(pathname);
    if (pathname === "/.well-known/openid-configuration") return Response.json(this.#metadata());
    if (pathname === "/authorize") return this.#authorize(searchParams);
    if (pathname === "/token") return this.#token(request);
    if (pathname === "/keys") return Response.json({ keys: [this.#key.publicJwk] });
    if (pathname === "/userinfo") return Response.json({ sub: this.claims.sub ?? "ana", ...this.userInfo });
    return new Response(null, { status: 404 });
  }

  #metadata(): Json {
    return {
      issuer: this.issuer,
      authorization_endpoint: `${this.issuer}/authorize`,
      token_endpoint: `${this.issuer}/token`,
      jwks_uri: `${this.issuer}/keys`,
      response_types_supported: ["code"],
      id_token_signing_alg_values_supported: ["RS256", "PS256", "ES256", "EdDSA", "HS256", "none"],
      userinfo_endpoint: `${this.issuer}/userinfo`,
      ...this.metadata,
    };
  }

  #authorize(query: URLSearchParams): Response {
    const code = crypto.randomUUID();
    this.#nonces.set(code, query.get("nonce") ?? "");
    const back = new URL(query.get("redirect_uri") ?? "");
    back.searchParams.set("code", code);
    back.searchParams.set("state", query.get("state") ?? "");
    if (this.returnedIssuer !== null) back.searchParams.set("iss", this.returnedIssuer);
    return new Response(null, { status: 302, headers: { location: back.href } });
  }

  async #token(request: Request): Promise<Response> {
    const form = new URLSearchParams(await request.text());
    this.tokenRequest = { form, headers: request.headers };
    await this.onToken();
    if (this.tokenError) return Response.json(this.tokenError.body, { status: this.tokenError.status });
    const code = form.get("code") ?? "";
    const nonce = this.#nonces.get(code);
    const now = Math.floor(Date.now() / 1000) + this.clockOffset;
    const claims = JSON.parse(
      JSON.stringify({
        ...{ iss: this.issuer, sub: "ana", aud: "stillup", nonce, iat: now, exp: now + 60 },
        ...this.claims,
      }),
    );
    const id_token = this.forge ? await this.forge(claims) : await this.sign(claims);
    return Response.json({ access_token: "access", token_type: "Bearer", id_token });
  }

  async stop(): Promise<void> {
    await this.#server.stop(true);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }
}

/** A token that is signed with a text as the secret of HMAC. */
export function signWithSecret(claims: Json, secret: string, kid?: string): string {
  const signed = `${part({ alg: "HS256", kid })}.${part(claims)}`;
  return `${signed}.${createHmac("sha256", secret).update(signed).digest("base64url")}`;
}

/** A token without a signature. */
export function unsigned(claims: Json): string {
  return `${part({ alg: "none" })}.${part(claims)}.`;
}

function part(value: Json): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
