import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { createPublicKey } from "node:crypto";
import { beginningsOf } from "../support/people/beginnings.ts";
import { signWithSecret, unsigned } from "../support/people/lying-provider.ts";
import { FAILED, OidcWorld, outcomeOf, SIGNED_IN } from "../support/people/oidc-world.ts";

let world: OidcWorld;
const ANA = { sub: "ana", email: "ana@example.com", email_verified: true };

/** A provider whose tokens a test replaces, and a person whom it could sign in. */
beforeAll(async () => {
  world = await OidcWorld.start();
  await world.invite(ANA.email, "owner");
  expect((await world.signIn(ANA)).outcome).toEqual(SIGNED_IN);
});

afterAll(() => world[Symbol.asyncDispose]());

afterEach(() => {
  const { provider } = world;
  provider.forge = undefined;
  provider.returnedIssuer = null;
  provider.metadata = {};
  provider.clockOffset = 0;
});

async function expectRefused(): Promise<void> {
  const { browser, outcome } = await world.signIn(ANA);
  expect(outcome).toEqual(FAILED);
  expect(await browser.me()).toBeUndefined();
}

type Json = Record<string, unknown>;
type Forge = (claims: Json) => Promise<string> | string;

/** The public key in the form in which somebody would use it as a secret. */
function publicPem(): string {
  const key = createPublicKey({ key: world.provider.publicKey as never, format: "jwk" });
  return key.export({ type: "spki", format: "pem" }).toString();
}

/** Changes the claims in a token, and leaves its signature. */
async function changed(claims: Json): Promise<string> {
  const [header, , signature] = (await world.provider.sign(claims)).split(".");
  const payload = Buffer.from(JSON.stringify({ ...claims, sub: "root" })).toString("base64url");
  return [header, payload, signature].join(".");
}

const now = (claims: Json) => Number(claims.iat);

const forgeries: [name: string, forge: Forge][] = [
  ["alg: none", unsigned],
  ["alg: none with the signature left in", (claims) => `${unsigned(claims)}AAAA`],
  ["HMAC with the public key as PEM", (claims) => signWithSecret(claims, publicPem())],
  [
    "HMAC with the public key as JWK",
    (claims) =>
      signWithSecret(claims, JSON.stringify(world.provider.publicKey), String(world.provider.publicKey.kid)),
  ],
  ["HMAC with the secret of the client", (claims) => signWithSecret(claims, "s3cret")],
  ["a signature of other claims", changed],
  ["no signature", async (claims) => (await world.provider.sign(claims)).replace(/[^.]*$/, "")],
  ["another algorithm in its header", (claims) => world.provider.sign(claims, { alg: "RS256" })],
  [
    "a key that it brings along",
    (claims) => world.provider.sign(claims, { kid: "own", jwk: world.provider.publicKey }),
  ],
  ["a critical header that nobody knows", (claims) => world.provider.sign(claims, { crit: ["x"], x: 1 })],
  ["a wrong audience", (claims) => world.provider.sign({ ...claims, aud: "another" })],
  ["a wrong audience in a list", (claims) => world.provider.sign({ ...claims, aud: ["another"] })],
  [
    "several audiences, and no authorized party",
    (claims) => world.provider.sign({ ...claims, aud: ["stillup", "another"] }),
  ],
  [
    "another authorized party",
    (claims) => world.provider.sign({ ...claims, aud: ["stillup", "b"], azp: "b" }),
  ],
  ["no audience", ({ aud: _, ...claims }) => world.provider.sign(claims)],
  ["an end in the past", (claims) => world.provider.sign({ ...claims, exp: now(claims) - 3600 })],
  ["no end", ({ exp: _, ...claims }) => world.provider.sign(claims)],
  ["an end that is a text", (claims) => world.provider.sign({ ...claims, exp: "9999999999" })],
  ["a beginning in the future", (claims) => world.provider.sign({ ...claims, nbf: now(claims) + 3600 })],
  ["another issuer", (claims) => world.provider.sign({ ...claims, iss: "https://evil.example" })],
  ["no issuer", ({ iss: _, ...claims }) => world.provider.sign(claims)],
  ["another nonce", (claims) => world.provider.sign({ ...claims, nonce: "another" })],
  ["no nonce", ({ nonce: _, ...claims }) => world.provider.sign(claims)],
  ["no subject", ({ sub: _, ...claims }) => world.provider.sign(claims)],
  ["an empty subject", (claims) => world.provider.sign({ ...claims, sub: "" })],
  ["a subject that is no text", (claims) => world.provider.sign({ ...claims, sub: ["ana"] })],
  ["no token at all", () => ""],
  ["a text that is no token", () => "e30"],
];

describe("behavior 19.65: a token", () => {
  test("that is genuine signs in, with each kind of key", async () => {
    for (const alg of ["RS256", "PS256", "ES256", "EdDSA"] as const) {
      await world.provider.changeKey(alg);
      const { browser, outcome } = await world.signIn(ANA);
      expect({ alg, outcome }).toEqual({ alg, outcome: SIGNED_IN });
      expect((await browser.me()).email).toBe(ANA.email);
    }
    await world.provider.changeKey();
  });

  test.each(forgeries)("with %s is refused", async (_, forge) => {
    world.provider.forge = forge;
    await expectRefused();
  });

  test("with a nonce of another attempt is refused (replay)", async () => {
    let first: string | undefined;
    world.provider.forge = async (claims) => {
      first ??= await world.provider.sign(claims);
      return first;
    };
    expect((await world.signIn(ANA)).outcome).toEqual(SIGNED_IN);
    await expectRefused();
  });

  test("of a provider whose keys have another type than the signature is refused", async () => {
    await world.provider.changeKey("RS256");
    world.provider.forge = (claims) => world.provider.sign(claims, { alg: "PS256" });
    await expectRefused();
    await world.provider.changeKey();
  });
});

describe("behavior 19.65: the issuer of a return", () => {
  test("that is another one is refused (mix-up of providers)", async () => {
    world.provider.returnedIssuer = "https://evil.example";
    await expectRefused();
    world.provider.returnedIssuer = world.provider.issuer;
    expect((await world.signIn(ANA)).outcome).toEqual(SIGNED_IN);
  });

  test("must not be missing if the provider promises it", async () => {
    await using other = await OidcWorld.start({}, { authorization_response_iss_parameter_supported: true });
    await other.invite(ANA.email);
    expect((await other.signIn(ANA)).outcome).toEqual(FAILED);
    other.provider.returnedIssuer = other.provider.issuer;
    expect((await other.signIn(ANA)).outcome).toEqual(SIGNED_IN);
  });

  test("counts for the attempt too: one that began with another provider is refused (mix-up of settings)", async () => {
    world.provider.claims = ANA;
    const browser = world.browser();
    const url = await browser.returnUrl();
    const { open, seal } = await beginningsOf(world.server);
    const begun = open<object>(browser.cookies.get("stillup_oidc") ?? "");
    const values = { ...begun?.values, issuer: "https://evil.example/" };
    browser.cookies.set("stillup_oidc", seal(values, begun?.until ?? 0));
    expect(outcomeOf(await browser.open(url))).toEqual(FAILED);
  });
});

describe("behavior 19.65: clocks", () => {
  test.each([[60], [-60]])("that differ by %p seconds do no harm", async (seconds) => {
    world.provider.clockOffset = seconds;
    // Its tokens are valid for a minute: one of a clock that is late has just ended.
    expect((await world.signIn(ANA)).outcome).toEqual(SIGNED_IN);
    world.provider.forge = (claims) => world.provider.sign({ ...claims, nbf: claims.iat });
    expect((await world.signIn(ANA)).outcome).toEqual(SIGNED_IN);
  });

  test("that differ by an hour do", async () => {
    world.provider.clockOffset = -3600;
    await expectRefused();
  });
});
