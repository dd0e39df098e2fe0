import { beforeEach, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { emailKey } from "../../src/domain/people/person.ts";
import { beginningsOf } from "../support/people/beginnings.ts";
import { LyingProvider } from "../support/people/lying-provider.ts";
import { OidcBrowser } from "../support/people/oidc-browser.ts";
import { oidcSettings } from "../support/people/oidc-settings.ts";
import { FAILED, OidcWorld, outcomeOf, SIGNED_IN } from "../support/people/oidc-world.ts";
import { TestServer } from "../support/product/server.ts";
import { untilEndOfFile } from "../support/until-end.ts";

const MINUTE = 60_000;

const OWN_PAGE = { "content-type": "application/json", "sec-fetch-site": "same-origin" };

/** People of the tests have addresses and subjects of their own. */
let count = 0;

const world = await untilEndOfFile(OidcWorld.start());

beforeEach(() => {
  world.provider.returnedIssuer = null;
  world.provider.metadata = {};
  world.provider.userInfo = {};
  world.provider.tokenError = undefined;
});

/** Somebody new, as the provider describes them. */
function somebody(changes: Record<string, unknown> = {}) {
  count++;
  return { sub: `subject-${count}`, email: `p${count}@example.com`, email_verified: true, ...changes };
}

/** Somebody who has signed in by the provider once. */
async function knownPerson(role = "viewer") {
  const claims = somebody();
  const { id } = await world.invite(claims.email, role);
  const { browser, outcome } = await world.signIn(claims);
  expect(outcome).toEqual(SIGNED_IN);
  return { claims, id, browser };
}

function header(response: Response, name: string): string {
  return response.headers.get(name) ?? "";
}

describe("the way to the provider", () => {
  test("behavior 19.61: has a code flow with PKCE, a state and a nonce, which are new each time", async () => {
    const urls = await Promise.all([1, 2].map(() => world.browser().open("/sign-in/oidc")));
    const [first, second] = urls.map((answer) => new URL(header(answer, "location")).searchParams);
    expect(Object.fromEntries(first ?? [])).toEqual({
      client_id: "stillup",
      response_type: "code",
      redirect_uri: `${world.owner.url.replace(/\/$/, "")}/sign-in/oidc/callback`,
      scope: "openid email profile",
      state: expect.stringMatching(/^\w{43}$/),
      nonce: expect.stringMatching(/^\w{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: "S256",
    });
    for (const name of ["state", "nonce", "code_challenge"])
      expect(first?.get(name)).not.toBe(second?.get(name) ?? null);
  });

  test("behavior 19.61: the code is redeemed with the verifier of the challenge", async () => {
    const browser = world.browser();
    const begun = await browser.open("/sign-in/oidc");
    const to = new URL(header(begun, "location"));
    const back = await fetch(to, { redirect: "manual" });
    await browser.open(header(back, "location"));
    const verifier = world.provider.tokenRequest?.form.get("code_verifier") ?? "";
    const challenge = createHash("sha256").update(verifier).digest("base64url");
    expect(challenge).toBe(to.searchParams.get("code_challenge") ?? "");
  });

  test("behavior 19.61: without a provider there is none", async () => {
    await using server = await TestServer.start();
    for (const path of ["/sign-in/oidc", "/sign-in/oidc/callback?code=a&state=b"])
      expect((await fetch(new URL(path, server.client.url), { redirect: "manual" })).status).toBe(404);
  });

  test("behavior 19.62: the cookie of an attempt is for ten minutes, these routes and navigations from the provider", async () => {
    const begun = await world.browser().open("/sign-in/oidc");
    expect(header(begun, "set-cookie")).toMatch(
      /^stillup_oidc=[\w-]{100,1000}; Path=\/sign-in\/oidc; Max-Age=600; HttpOnly; SameSite=Lax$/,
    );
    expect(header(begun, "cache-control")).toBe("no-store");
    expect(header(begun, "referrer-policy")).toBe("no-referrer");
  });

  test("behavior 19.62: over HTTPS the cookie is secure, and below the path of the base URL", async () => {
    const oidc = oidcSettings(world.provider.issuer);
    await using server = await TestServer.start({ oidc, baseUrl: "https://example.com/up" });
    const begun = await fetch(new URL("/sign-in/oidc", server.client.url), { redirect: "manual" });
    expect(header(begun, "set-cookie")).toMatch(
      /^__Secure-stillup_oidc=[\w-]{100,1000}; Path=\/up\/sign-in\/oidc; Max-Age=600; Secure; HttpOnly; SameSite=Lax$/,
    );
    const { searchParams } = new URL(header(begun, "location"));
    expect(searchParams.get("redirect_uri")).toBe("https://example.com/up/sign-in/oidc/callback");
    const failed = await fetch(new URL("/sign-in/oidc/callback", server.client.url), { redirect: "manual" });
    expect(outcomeOf(failed)).toEqual({ status: 303, location: "/up/?sign-in=failed" });
  });

  test("behavior 19.77: somebody who begins more than 20 sign-ins at once has to wait", async () => {
    await using server = await TestServer.start({ oidc: oidcSettings(world.provider.issuer) });
    const url = new URL("/sign-in/oidc", server.client.url);
    const begin = () => fetch(url, { redirect: "manual" }).then(({ status }) => status);
    const statuses = await Promise.all(Array.from({ length: 20 }, begin));
    expect(new Set(statuses)).toEqual(new Set([303]));
    while ((await begin()) !== 429) statuses.push(303);
    // Ten more for each second that it took.
    expect(statuses.length).toBeLessThan(1000);
  });
});

describe("a return", () => {
  test("behavior 19.64: begins a session of the person, and deletes the cookie of the attempt", async () => {
    const claims = somebody({ name: "Ana" });
    const { id } = await world.invite(claims.email, "admin");
    world.provider.claims = claims;
    const browser = world.browser();
    const response = await browser.signIn();
    expect(outcomeOf(response)).toEqual(SIGNED_IN);
    const [session, attempt] = response.headers.getSetCookie();
    expect(session).toMatch(
      /^stillup_session=person_\w{43}; Path=\/; .*Max-Age=2592000; HttpOnly; SameSite=Strict$/,
    );
    expect(attempt).toMatch(/^stillup_oidc=; Path=\/sign-in\/oidc; Max-Age=0/);
    expect(await browser.me()).toMatchObject({ id, name: "Ana", role: "admin", methods: ["oidc"] });
    expect(await world.person(id)).toMatchObject({ state: "active", methods: ["oidc"] });
  });

  test("behavior 19.62: a code and a state that were used sign nobody in again", async () => {
    const { claims } = await knownPerson();
    world.provider.claims = claims;
    const browser = world.browser();
    const url = await browser.returnUrl();
    const cookies = new Map(browser.cookies);
    expect(outcomeOf(await browser.open(url))).toEqual(SIGNED_IN);
    for (const [name, value] of cookies) browser.cookies.set(name, value);
    browser.cookies.delete("stillup_session");
    expect(outcomeOf(await browser.open(url))).toEqual(FAILED);
    expect(await browser.me()).toBeUndefined();
  });

  test("behavior 19.62: two returns with one code at the same time sign in once", async () => {
    const { claims } = await knownPerson();
    world.provider.claims = claims;
    const browser = world.browser();
    const url = await browser.returnUrl();
    const cookie = [...browser.cookies].map((pair) => pair.join("=")).join("; ");
    const send = () => fetch(url, { redirect: "manual", headers: { cookie } });
    const answers = await Promise.all([send(), send(), send()]);
    const outcomes = answers.map((answer) => header(answer, "location")).sort();
    expect(outcomes).toEqual(["/", FAILED.location, FAILED.location]);
  });

  test("behavior 19.62: a code and a state of another browser sign nobody in, and still work in their own", async () => {
    const { claims } = await knownPerson();
    world.provider.claims = claims;
    const attacker = world.browser();
    const url = await attacker.returnUrl();
    const victim = world.browser();
    expect(outcomeOf(await victim.open(url))).toEqual(FAILED);
    await victim.returnUrl();
    expect(outcomeOf(await victim.open(url))).toEqual(FAILED);
    expect(await victim.me()).toBeUndefined();
    expect(outcomeOf(await attacker.open(url))).toEqual(SIGNED_IN);
  });

  test("behavior 19.62: an attempt that is too old counts no more, also where its cookie is still there", async () => {
    const { claims } = await knownPerson();
    world.provider.claims = claims;
    const browser = world.browser();
    const url = await browser.returnUrl();
    const { open, seal } = await beginningsOf(world.server);
    const begun = open<object>(browser.cookies.get("stillup_oidc") ?? "");
    const left = (begun?.until ?? 0) - world.server.now();
    expect(left).toBeGreaterThan(9 * MINUTE);
    expect(left).toBeLessThanOrEqual(10 * MINUTE);
    browser.cookies.set("stillup_oidc", seal(begun?.values ?? {}, world.server.now()));
    expect(outcomeOf(await browser.open(url))).toEqual(FAILED);
  });

  test("behavior 19.62: a cookie that this server did not seal, or that somebody changed, signs nobody in", async () => {
    const { claims } = await knownPerson();
    world.provider.claims = claims;
    const browser = world.browser();
    const url = await browser.returnUrl();
    const sealed = browser.cookies.get("stillup_oidc") ?? "";
    const at = sealed.length >> 1;
    const changed = sealed.slice(0, at) + (sealed[at] === "A" ? "B" : "A") + sealed.slice(at + 1);
    for (const value of ["", "A", changed, sealed.slice(0, -4), "A".repeat(400)]) {
      browser.cookies.set("stillup_oidc", value);
      expect(outcomeOf(await browser.open(url))).toEqual(FAILED);
    }
    browser.cookies.set("stillup_oidc", sealed);
    expect(outcomeOf(await browser.open(url))).toEqual(SIGNED_IN);
  });

  test.each([
    ["no state", (url: URL) => url.searchParams.delete("state")],
    ["two states", (url: URL) => url.searchParams.append("state", "x")],
    ["another state", (url: URL) => url.searchParams.set("state", "x")],
    ["no code", (url: URL) => url.searchParams.delete("code")],
    ["two codes", (url: URL) => url.searchParams.append("code", "x")],
    ["an error", (url: URL) => url.searchParams.set("error", "access_denied")],
    ["a token in place of a code", (url: URL) => url.searchParams.set("response", "e30.e30.")],
  ])("behavior 19.64: a return with %s fails", async (_, change) => {
    const { claims } = await knownPerson();
    world.provider.claims = claims;
    const browser = world.browser();
    const url = new URL(await browser.returnUrl());
    change(url);
    expect(outcomeOf(await browser.open(url.href))).toEqual(FAILED);
    expect(await browser.me()).toBeUndefined();
  });

  test("behavior 19.64: nothing in a request changes where the browser goes", async () => {
    const { claims } = await knownPerson();
    world.provider.claims = claims;
    const evil = "https://evil.example";
    const query = ["return", "returnTo", "next", "redirect_uri", "url"]
      .map((name) => `${name}=${evil}`)
      .join("&");
    const browser = world.browser();
    const url = await browser.returnUrl(`?${query}`);
    expect(new URL(url).origin).toBe(new URL(world.owner.url).origin);
    const response = await browser.open(`${url}&${query}`, {
      headers: { "x-forwarded-host": "evil.example", forwarded: "host=evil.example", referer: evil },
    });
    expect(outcomeOf(response)).toEqual(SIGNED_IN);
    const failed = await world.browser().open(`/sign-in/oidc/callback?${query}`);
    expect(outcomeOf(failed)).toEqual(FAILED);
  });

  test("behavior 19.64: a session that somebody else put into the browser is replaced (session fixation)", async () => {
    const { claims } = await knownPerson();
    const { browser: attacker } = await knownPerson();
    const fixed = attacker.cookies.get("stillup_session") ?? "";
    for (const planted of [fixed, "person_0123456789012345678901234567890123456789012"]) {
      const victim = world.browser();
      victim.cookies.set("stillup_session", planted);
      await world.signIn(claims, victim);
      expect(victim.cookies.get("stillup_session")).not.toBe(planted);
      expect((await victim.me()).email).toBe(claims.email);
    }
    expect((await attacker.me()).email).not.toBe(claims.email);
  });

  test("behavior 19.64: why it failed is in the log, and nothing secret", async () => {
    const { claims } = await knownPerson();
    world.provider.claims = { ...claims, aud: "another client" };
    const browser = world.browser();
    const url = new URL(await browser.returnUrl());
    const before = world.log.length;
    expect(outcomeOf(await browser.open(url.href))).toEqual(FAILED);
    expect(world.reason()).toContain("aud");
    const logged = world.log.slice(before).join("\n");
    for (const secret of [
      "access",
      "s3cret",
      claims.email,
      claims.sub,
      url.searchParams.get("code") ?? "-",
      url.searchParams.get("state") ?? "-",
    ])
      expect(logged).not.toContain(secret);
  });
});

describe("identity", () => {
  test("behavior 19.66: somebody without an invitation is refused", async () => {
    const claims = somebody();
    const { browser, outcome } = await world.signIn(claims);
    expect(outcome).toEqual(FAILED);
    expect(await browser.me()).toBeUndefined();
  });

  test("behavior 19.66: stays with the subject, whatever the address becomes", async () => {
    const { claims, id } = await knownPerson();
    const { browser, outcome } = await world.signIn({ ...claims, email: "renamed@example.com" });
    expect(outcome).toEqual(SIGNED_IN);
    expect(await browser.me()).toMatchObject({ id, email: claims.email });
    const { email: _, ...without } = claims;
    expect((await world.signIn(without)).outcome).toEqual(SIGNED_IN);
  });

  test("behavior 19.66: another subject with the address of a person is refused (identity by e-mail)", async () => {
    const { claims } = await knownPerson("owner");
    const { browser, outcome } = await world.signIn({ ...claims, sub: "attacker" });
    expect(outcome).toEqual(FAILED);
    expect(await browser.me()).toBeUndefined();
    expect(world.reason()).toContain("link");
  });

  test("behavior 19.66: the address of somebody with a password is refused, also while they are invited elsewhere", async () => {
    const { email } = somebody();
    const { token } = await world.invite(email);
    const body = JSON.stringify({ name: "Ana", password: "correct horse battery" });
    const json = { "content-type": "application/json", "sec-fetch-site": "same-origin" };
    const accepted = await world
      .browser()
      .open(`/api/v1/invites/${token}`, { method: "POST", headers: json, body });
    expect(accepted.status).toBe(200);
    const claims = { sub: "attacker-2", email, email_verified: true };
    expect((await world.signIn(claims)).outcome).toEqual(FAILED);
    await world.invite(email, "owner", await world.server.organization());
    expect((await world.signIn(claims)).outcome).toEqual(FAILED);
  });

  test.each([[false], ["true"], [1], [null], [undefined], [[true]]])(
    "behavior 19.66: an invitation is not redeemed with email_verified %p (unverified e-mail)",
    async (email_verified) => {
      const claims = somebody({ email_verified });
      const { id } = await world.invite(claims.email, "owner");
      expect((await world.signIn(claims)).outcome).toEqual(FAILED);
      expect(await world.person(id)).toMatchObject({ state: "invited", methods: [] });
      expect((await world.signIn({ ...claims, email_verified: true })).outcome).toEqual(SIGNED_IN);
    },
  );

  test.each([["not an address"], ["a@example.com, b@example.com"], [["p@example.com"]], [42], [{}]])(
    "behavior 19.66: a claim with the address %p invites nobody",
    async (email) => {
      expect((await world.signIn(somebody({ email }))).outcome).toEqual(FAILED);
    },
  );

  test("behavior 19.66: an address is compared as invitations are: only letters of ASCII ignore case", async () => {
    const claims = somebody();
    await world.invite(claims.email.toUpperCase());
    expect((await world.signIn(claims)).outcome).toEqual(SIGNED_IN);
    const kelvin = `\u212A${claims.email}`;
    expect(emailKey(kelvin)).not.toBe(emailKey(`k${claims.email}`));
    await world.invite(`k${claims.email}`);
    expect((await world.signIn(somebody({ email: kelvin }))).outcome).toEqual(FAILED);
  });

  test("behavior 19.66: an invitation that has expired is not redeemed", async () => {
    const claims = somebody();
    await world.invite(claims.email);
    await world.server.db.run("UPDATE invites SET expires_at = 1");
    expect((await world.signIn(claims)).outcome).toEqual(FAILED);
  });

  test("behavior 19.66: an invitation that was redeemed by the provider has no use for a password (takeover by its link)", async () => {
    const claims = somebody();
    const { token } = await world.invite(claims.email);
    const owner = await world.server.organization();
    await world.signIn(claims);
    const { token: other } = await world.invite(claims.email, "viewer", owner);
    const client = world.owner.as(undefined);
    const body = { name: "Eve", password: "correct horse battery" };
    expect((await client.post(`/api/v1/invites/${token}`, body)).status).toBe(404);
    expect((await client.post(`/api/v1/invites/${other}`, body)).status).toBe(401);
    expect((await client.get(`/api/v1/invites/${other}`)).status).toBe(200);
  });

  test("behavior 19.66: a known person who signs in joins no organization, and accepts an invitation by the session", async () => {
    const { claims } = await knownPerson();
    const { token } = await world.invite(claims.email, "owner", await world.server.organization());
    const { browser } = await world.signIn(claims);
    expect((await browser.me()).organizations).toHaveLength(1);
    const post = { method: "POST", headers: OWN_PAGE, body: "{}" };
    expect((await browser.open(`/api/v1/invites/${token}`, post)).status).toBe(200);
    expect(await browser.me()).toMatchObject({ methods: ["oidc"], organization: { name: "Other" } });
    expect((await browser.me()).organizations).toHaveLength(2);
  });

  test("behavior 19.66: the subject of another provider is somebody else (sub of another issuer)", async () => {
    const { claims } = await knownPerson("owner");
    await using other = await LyingProvider.start();
    const oidc = oidcSettings(other.issuer);
    await using server = await TestServer.start({ oidc });
    other.claims = { ...claims, email: undefined };
    const { id } = (await server.client.post("/api/v1/people", { email: claims.email, role: "owner" })).body
      .data;
    await server.db.run(
      `INSERT INTO identities (person_pk, issuer, subject, created_at) SELECT pk, '${world.provider.issuer}/', '${claims.sub}', 0 FROM people`,
    );
    await server.db.run("UPDATE memberships SET state = 'active'");
    expect((await server.client.get("/api/v1/people")).body.data[0]).toMatchObject({ id, methods: ["oidc"] });
    const browser = new OidcBrowser(server.client.url);
    expect(outcomeOf(await browser.signIn())).toEqual(FAILED);
    expect(await browser.me()).toBeUndefined();
  });

  test("behavior 19.66: a person who is disabled or deleted can't sign in", async () => {
    const { claims, id } = await knownPerson();
    await world.owner.patch(`/api/v1/people/${id}`, { state: "disabled" });
    expect((await world.signIn(claims)).outcome).toEqual(FAILED);
    await world.owner.patch(`/api/v1/people/${id}`, { state: "active" });
    expect((await world.signIn(claims)).outcome).toEqual(SIGNED_IN);
    await world.owner.delete(`/api/v1/people/${id}`);
    expect((await world.signIn(claims)).outcome).toEqual(FAILED);
  });

  test("behavior 19.66: a role that was lowered counts at once in a session of the provider", async () => {
    const { id, browser } = await knownPerson("owner");
    await world.owner.patch(`/api/v1/people/${id}`, { role: "viewer" });
    expect((await browser.me()).role).toBe("viewer");
    await world.owner.delete(`/api/v1/people/${id}`);
    expect(await browser.me()).toBeUndefined();
  });

  test.each([[""], ["x".repeat(256)], ["line\nbreak"]])(
    "behavior 19.66: the subject %p is refused",
    async (sub) => {
      const claims = somebody({ sub });
      await world.invite(claims.email);
      expect((await world.signIn(claims)).outcome).toEqual(FAILED);
    },
  );

  test("behavior 19.68: what the token lacks is read from the second answer of the provider", async () => {
    const { email, sub } = somebody();
    const { id } = await world.invite(email);
    world.provider.userInfo = { email, email_verified: true, name: "Ana" };
    const { browser, outcome } = await world.signIn({ sub });
    expect(outcome).toEqual(SIGNED_IN);
    expect(await browser.me()).toMatchObject({ id, name: "Ana" });
  });

  test("behavior 19.68: a second answer about another subject is refused", async () => {
    const { email, sub } = somebody();
    await world.invite(email);
    world.provider.userInfo = { sub: "another", email, email_verified: true };
    expect((await world.signIn({ sub })).outcome).toEqual(FAILED);
  });

  test("behavior 19.76: a sign-in by the provider is in the audit log with its method", async () => {
    const { id } = await knownPerson();
    const { body } = await world.owner.get("/api/v1/audit?limit=10");
    const own = body.data.filter(({ actor }: { actor: { id: string } }) => actor.id === id);
    expect(own).toContainEqual(
      expect.objectContaining({ action: "session.created", changed: ["oidc"], address: "127.0.0.1" }),
    );
    expect(own).toContainEqual(expect.objectContaining({ action: "person.updated", changed: ["state"] }));
  });
});
