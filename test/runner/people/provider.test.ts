import { describe, expect, test } from "bun:test";
import { createProvider } from "../../../src/runner/people/oidc/provider.ts";
import { createTestClock } from "../../support/clock.ts";
import { LyingProvider } from "../../support/people/lying-provider.ts";
import { oidcSettings } from "../../support/people/oidc-settings.ts";

const SECONDS = 1000;
const ATTEMPT = { issuer: "", state: "state", nonce: "nonce", codeVerifier: "v".repeat(43) };
const REDIRECT = "https://up.example.com/sign-in/oidc/callback";

describe("behavior 19.63: a provider that does not answer", () => {
  test("is given up after 9 seconds", async () => {
    await using stub = await LyingProvider.start();
    const { promise: arrived, resolve } = Promise.withResolvers<void>();
    stub.onRequest = () => {
      resolve();
      return new Promise(() => {});
    };
    const clock = createTestClock();
    const url = createProvider(oidcSettings(stub.issuer), clock).authorizationUrl(ATTEMPT, REDIRECT);
    const outcome = url.catch((error) => error);
    await arrived;
    await clock.advance(9 * SECONDS);
    expect(await outcome).toMatchObject({ kind: "unavailable", retryAfter: 5 });
  });

  test("has them for all requests of a sign-in", async () => {
    await using stub = await LyingProvider.start();
    const clock = createTestClock();
    const provider = createProvider(oidcSettings(stub.issuer), clock);
    await provider.discover();
    const { promise: arrived, resolve } = Promise.withResolvers<void>();
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    stub.onToken = () => {
      resolve();
      return gate;
    };
    const callback = new URL(`${REDIRECT}?code=code&state=state`);
    const outcome = provider.redeem(ATTEMPT, callback).catch((error) => error);
    await arrived;
    await clock.advance(5 * SECONDS);
    // The next request waits too: together they take too long.
    stub.onRequest = () => new Promise(() => {});
    open();
    await clock.advance(5 * SECONDS);
    expect(await outcome).toMatchObject({ kind: "unavailable" });
  });
});

describe("behavior 19.61: what a provider says about itself", () => {
  test("is read again after an hour, and after a failure", async () => {
    await using stub = await LyingProvider.start();
    const clock = createTestClock();
    const provider = createProvider(oidcSettings(stub.issuer), clock);
    const path = async () => new URL(await provider.authorizationUrl(ATTEMPT, REDIRECT)).pathname;
    expect(await path()).toBe("/authorize");
    stub.metadata = { authorization_endpoint: `${stub.issuer}/moved` };
    expect(await path()).toBe("/authorize");
    await clock.advance(3600 * SECONDS);
    expect(await path()).toBe("/moved");
  });

  test("must have the issuer of the settings", async () => {
    await using stub = await LyingProvider.start();
    stub.metadata = { issuer: "https://evil.example" };
    const provider = createProvider(oidcSettings(stub.issuer), createTestClock());
    const failed = await provider.discover().catch((error) => error);
    expect(failed).toMatchObject({ kind: "forbidden", message: expect.stringContaining("issuer") });
  });

  test("may have a slash at its end that the settings do not have, if it has no path", async () => {
    await using stub = await LyingProvider.start();
    stub.metadata = { issuer: `${stub.issuer}/` };
    await createProvider(oidcSettings(stub.issuer), createTestClock()).discover();
  });
});

describe("behavior 19.63: the requests to a provider", () => {
  /** Counts the requests of each path. */
  function counted(stub: LyingProvider): Map<string, number> {
    const counts = new Map<string, number>();
    stub.onRequest = async (path) => void counts.set(path, (counts.get(path) ?? 0) + 1);
    return counts;
  }
  const METADATA = "/.well-known/openid-configuration";

  test("for what it says about itself are one at a time, however many sign-ins begin", async () => {
    await using stub = await LyingProvider.start();
    const counts = counted(stub);
    const provider = createProvider(oidcSettings(stub.issuer), createTestClock());
    const begun = Array.from({ length: 500 }, () => provider.authorizationUrl(ATTEMPT, REDIRECT));
    expect(new Set((await Promise.all(begun)).map((url) => new URL(url).pathname))).toEqual(
      new Set(["/authorize"]),
    );
    expect(counts.get(METADATA)).toBe(1);
  });

  test("are not repeated after a code that is made up, or a return that is wrong", async () => {
    await using stub = await LyingProvider.start();
    const provider = createProvider(oidcSettings(stub.issuer), createTestClock());
    await provider.discover();
    const counts = counted(stub);
    stub.tokenError = { status: 400, body: { error: "invalid_grant" } };
    for (const query of [
      "code=made-up&state=state",
      "code=code&state=state&iss=https://evil.example",
      "state=state",
    ]) {
      const failed = await provider.redeem(ATTEMPT, new URL(`${REDIRECT}?${query}`)).catch((error) => error);
      expect(failed).toMatchObject({ kind: "forbidden" });
      await provider.authorizationUrl(ATTEMPT, REDIRECT);
    }
    expect([...counts]).toEqual([["/token", 1]]);
  });

  test("for codes are at most 50 at a time", async () => {
    await using stub = await LyingProvider.start();
    const provider = createProvider(oidcSettings(stub.issuer), createTestClock());
    await provider.discover();
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    stub.onToken = () => gate;
    stub.tokenError = { status: 400, body: { error: "invalid_grant" } };
    const redeem = () =>
      provider.redeem(ATTEMPT, new URL(`${REDIRECT}?code=a&state=state`)).catch(({ kind }) => kind);
    const running = Array.from({ length: 50 }, redeem);
    expect(await redeem()).toBe("unavailable");
    open();
    expect(new Set(await Promise.all(running))).toEqual(new Set(["forbidden"]));
    expect(await redeem()).toBe("forbidden");
  });

  test("whose answer is longer than 1 MiB fail", async () => {
    await using stub = await LyingProvider.start();
    stub.metadata = { more: "x".repeat(1024 * 1024) };
    const provider = createProvider(oidcSettings(stub.issuer), createTestClock());
    const failed = await provider.discover().catch((error) => error);
    expect(failed).toMatchObject({
      kind: "unavailable",
      cause: expect.stringContaining("longer than 1048576 bytes"),
    });
  });
});

describe("behavior 19.61: the client proves itself", () => {
  async function requestWith(metadata: Record<string, unknown>, clientSecret: string | undefined) {
    await using stub = await LyingProvider.start();
    stub.metadata = metadata;
    const provider = createProvider(oidcSettings(stub.issuer, { clientSecret }), createTestClock());
    await provider.redeem(ATTEMPT, new URL(`${REDIRECT}?code=code&state=state`)).catch(() => {});
    const { form, headers } = stub.tokenRequest ?? {};
    return {
      authorization: headers?.get("authorization"),
      secret: form?.get("client_secret"),
      id: form?.get("client_id"),
    };
  }

  test("by Basic authentication, in which the usual secrets stay as they are", async () => {
    const secret = "gloas-a_b.c~d";
    const authorization = `Basic ${btoa(`stillup:${secret}`)}`;
    expect(await requestWith({}, secret)).toEqual({ authorization, secret: null, id: null });
    const odd = await requestWith({}, "a:b é");
    expect(odd.authorization).toBe(`Basic ${btoa("stillup:a%3Ab%20%C3%A9")}`);
  });

  test("in the form, if the provider knows nothing else", async () => {
    const metadata = { token_endpoint_auth_methods_supported: ["client_secret_post"] };
    expect(await requestWith(metadata, "s3cret")).toEqual({
      authorization: null,
      secret: "s3cret",
      id: "stillup",
    });
  });

  test("not at all, as a public client", async () => {
    expect(await requestWith({}, undefined)).toEqual({ authorization: null, secret: null, id: "stillup" });
  });
});
