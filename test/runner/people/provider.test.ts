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
