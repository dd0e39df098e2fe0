import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createLogger } from "../../src/log.ts";
import { eventually } from "../support/eventually.ts";
import { freePort } from "../support/free-port.ts";
import { LyingProvider } from "../support/people/lying-provider.ts";
import { OidcBrowser } from "../support/people/oidc-browser.ts";
import { oidcSettings } from "../support/people/oidc-settings.ts";
import { FAILED, OidcWorld, outcomeOf, SIGNED_IN } from "../support/people/oidc-world.ts";
import { TestServer } from "../support/product/server.ts";

let world: OidcWorld;
const ANA = { sub: "ana", email: "ana@example.com", email_verified: true };

beforeEach(async () => {
  world = await OidcWorld.start();
  await world.invite(ANA.email);
});

afterEach(() => world[Symbol.asyncDispose]());

async function expectAway(response: Response): Promise<void> {
  const { error } = (await response.json()) as { error: string };
  const outcome = { status: response.status, wait: response.headers.get("retry-after"), error };
  expect(outcome).toEqual({ status: 503, wait: "5", error: expect.stringContaining("provider") });
}

describe("behavior 19.63: while the provider is away", () => {
  test("a sign-in is a 503, and sessions and keys go on", async () => {
    const { browser } = await world.signIn(ANA);
    const url = await browser.returnUrl();
    await world.provider.stop();
    await expectAway(await browser.open(url));
    await expectAway(await world.browser().open("/sign-in/oidc"));
    expect((await browser.me()).email).toBe(ANA.email);
    expect((await world.owner.get("/api/v1/monitors")).status).toBe(200);
  });

  test.each([500, 503])("a token endpoint that answers %p is a 503, and the code is used", async (status) => {
    world.provider.claims = ANA;
    world.provider.tokenError = { status, body: {} };
    const browser = world.browser();
    const url = await browser.returnUrl();
    const cookies = new Map(browser.cookies);
    await expectAway(await browser.open(url));
    world.provider.tokenError = undefined;
    for (const [name, value] of cookies) browser.cookies.set(name, value);
    expect(outcomeOf(await browser.open(url))).toEqual(FAILED);
    expect(outcomeOf(await browser.signIn())).toEqual(SIGNED_IN);
  });

  test.each([
    ["refuses the code", { status: 400, body: { error: "invalid_grant" } }],
    ["refuses the client", { status: 401, body: { error: "invalid_client" } }],
    ["answers nonsense", { status: 200, body: { hello: "world" } }],
  ])("and one that %s is a failed sign-in", async (_, tokenError) => {
    world.provider.claims = ANA;
    world.provider.tokenError = tokenError;
    expect(outcomeOf(await world.browser().signIn())).toEqual(FAILED);
  });
});

describe("behavior 19.96: a browser", () => {
  test("gets the page with the status of the failure, at the start of a sign-in and at its return", async () => {
    const browser = world.browser();
    const callback = await browser.returnUrl();
    await world.provider.stop();
    const document = await (await browser.open("/")).text();
    for (const [url, expected] of [
      ["/sign-in/oidc?link=1", 401],
      [callback, 503],
      ["/sign-in/oidc", 503],
    ] as const) {
      const answer = await browser.open(url, { headers: { accept: "text/html,*/*;q=0.8" } });
      const { status, headers } = answer;
      const cache = headers.get("cache-control");
      expect({ url, status, cache }).toEqual({ url, status: expected, cache: "no-store" });
      expect(await answer.text()).toBe(document);
    }
  });
});

describe("behavior 19.61: the keys of the provider", () => {
  test("are read at each sign-in: a new one counts at once, and a key that it withdrew no more", async () => {
    expect((await world.signIn(ANA)).outcome).toEqual(SIGNED_IN);
    const { provider } = world;
    let old = "";
    provider.forge = async (claims) => {
      old = await provider.sign(claims);
      await provider.changeKey();
      return provider.sign(claims);
    };
    expect((await world.signIn(ANA)).outcome).toEqual(SIGNED_IN);
    expect(old).not.toBe("");
    provider.forge = async (claims) => {
      const withdrawn = await provider.sign(claims);
      await provider.changeKey();
      return withdrawn;
    };
    expect((await world.signIn(ANA)).outcome).toEqual(FAILED);
  });
});

describe("behavior 19.60: at the start", () => {
  test("a provider that is away is logged, and signs people in when it is there", async () => {
    const port = freePort();
    const lines: string[] = [];
    const log = createLogger({ level: "warn" }, (line) => lines.push(line));
    const oidc = oidcSettings(`http://127.0.0.1:${port}`);
    await using server = await TestServer.start({ oidc }, log);
    await eventually(() => lines.some((line) => line.includes("the provider for sign-in can't be used now")));
    await expectAway(await new OidcBrowser(server.client.url).open("/sign-in/oidc"));
    await using provider = await LyingProvider.start("ES256", port);
    provider.claims = ANA;
    await server.client.post("/api/v1/people", { email: ANA.email, role: "viewer" });
    expect(outcomeOf(await new OidcBrowser(server.client.url).signIn())).toEqual(SIGNED_IN);
  });

  test("an organization that does not exist is a wrong setting", async () => {
    const roles = { claim: "groups", roles: new Map([["ops", "admin"]] as const) };
    const oidc = oidcSettings(world.provider.issuer, { roles, organizationId: "none" });
    const start = TestServer.start({ oidc }, createLogger({ level: "silent" }));
    await expect(start).rejects.toMatchObject({
      kind: "invalid",
      message: '--oidc-org is wrong: there is no organization with the ID "none"',
    });
  });
});
