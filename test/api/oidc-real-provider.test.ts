import { describe, expect, test } from "bun:test";
import { freePort } from "../support/free-port.ts";
import { OidcBrowser } from "../support/people/oidc-browser.ts";
import { oidcSettings } from "../support/people/oidc-settings.ts";
import { outcomeOf, SIGNED_IN } from "../support/people/oidc-world.ts";
import { type Account, RealProvider } from "../support/people/real-provider.ts";
import { TestServer } from "../support/product/server.ts";

/** Signs in at the provider, which has cookies too. @returns the answer to the return */
async function signIn(browser: OidcBrowser, query = ""): Promise<Response> {
  const begun = await browser.open(`/sign-in/oidc${query}`);
  let url = new URL(begun.headers.get("location") ?? "");
  const { origin } = url;
  const cookies = new Map<string, string>();
  while (url.origin === origin) {
    const cookie = [...cookies].map((pair) => pair.join("=")).join("; ");
    const answer = await fetch(url, { redirect: "manual", headers: { cookie } });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const next = answer.headers.get("location");
    if (next === null) throw new Error(`the provider answered ${answer.status}: ${await answer.text()}`);
    url = new URL(next, url);
  }
  return browser.open(url.href);
}

describe("a real provider", () => {
  let account: Account = { sub: "ana" };
  let port = 0;
  const redirectUri = () => `http://127.0.0.1:${port}/sign-in/oidc/callback`;

  test.each([
    ["with a secret", {}, "s3cret"],
    ["with a secret in the form", { token_endpoint_auth_method: "client_secret_post" }, "s3cret"],
    ["as a public client", { client_secret: undefined, token_endpoint_auth_method: "none" }, undefined],
  ])("behavior 19.61: signs people in %s", async (_, client, clientSecret) => {
    port = freePort();
    await using provider = await RealProvider.start(redirectUri, () => account, client);
    const oidc = oidcSettings(provider.issuer, { clientSecret });
    await using server = await TestServer.start({ oidc, port });
    await server.client.post("/api/v1/people", { email: "ana@example.com", role: "admin" });
    account = { sub: "ana", email: "ana@example.com", email_verified: true, name: "Ana" };
    const browser = new OidcBrowser(server.client.url);
    expect(outcomeOf(await signIn(browser))).toEqual(SIGNED_IN);
    expect(await browser.me()).toMatchObject({ name: "Ana", role: "admin", methods: ["oidc"] });
  });

  test("behavior 19.71: gives roles by a claim of a scope", async () => {
    port = freePort();
    await using provider = await RealProvider.start(redirectUri, () => account);
    const roles = { claim: "groups", roles: new Map([["ops", "admin"]] as const) };
    const oidc = oidcSettings(provider.issuer, { roles, scopes: "openid email groups" });
    await using server = await TestServer.start({ oidc, port });
    account = { sub: "ben", email: "ben@example.com", email_verified: false, groups: ["ops", "x"] };
    const browser = new OidcBrowser(server.client.url);
    expect(outcomeOf(await signIn(browser))).toEqual(SIGNED_IN);
    expect((await browser.me()).role).toBe("admin");
  });
});
