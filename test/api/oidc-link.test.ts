import { describe, expect, test } from "bun:test";
import { createLogger } from "../../src/log.ts";
import type { OidcBrowser } from "../support/people/oidc-browser.ts";
import { oidcSettings } from "../support/people/oidc-settings.ts";
import { FAILED, OidcWorld, outcomeOf, SIGNED_IN } from "../support/people/oidc-world.ts";
import { SoftwareAuthenticator } from "../support/people/software-authenticator.ts";
import { TestServer } from "../support/product/server.ts";
import { untilEndOfFile } from "../support/until-end.ts";

let count = 0;
const LINKED = { status: 303, location: "/?sign-in=linked" };
const PASSWORD = "correct horse battery";
const OWN_PAGE = { "content-type": "application/json", "sec-fetch-site": "same-origin" };

const world = await untilEndOfFile(OidcWorld.start());

/** Somebody who has signed in with a password. */
async function withPassword(): Promise<{ id: string; email: string; browser: OidcBrowser }> {
  const email = `p${count++}@example.com`;
  const { id, token } = await world.invite(email);
  const browser = world.browser();
  const body = JSON.stringify({ name: "Ana", password: PASSWORD });
  const accepted = await browser.open(`/api/v1/invites/${token}`, {
    method: "POST",
    headers: OWN_PAGE,
    body,
  });
  expect(accepted.status).toBe(200);
  return { id, email, browser };
}

describe("behavior 19.67: an identity", () => {
  test("is linked to the person who is signed in, whatever its address, and then signs in", async () => {
    const { id, browser } = await withPassword();
    const claims = { sub: "linked", email: "else@example.com", email_verified: false };
    world.provider.claims = claims;
    const before = browser.cookies.get("stillup_session");
    expect(outcomeOf(await browser.signIn("?link=1"))).toEqual(LINKED);
    expect(browser.cookies.get("stillup_session")).toBe(before);
    expect((await browser.me()).methods).toEqual(["password", "oidc"]);
    const { browser: another, outcome } = await world.signIn(claims);
    expect(outcome).toEqual(SIGNED_IN);
    expect(await another.me()).toMatchObject({ id, name: "Ana" });
    const { body } = await world.owner.get("/api/v1/audit?limit=5");
    expect(body.data).toContainEqual(
      expect.objectContaining({ action: "person.updated", changed: ["methods"] }),
    );
    world.provider.claims = claims;
    expect(outcomeOf(await browser.signIn("?link=1"))).toEqual(LINKED);
  });

  test("of another person is not linked", async () => {
    const [first, second] = [await withPassword(), await withPassword()];
    world.provider.claims = { sub: "only-one" };
    expect(outcomeOf(await first.browser.signIn("?link=1"))).toEqual(LINKED);
    expect(outcomeOf(await second.browser.signIn("?link=1"))).toEqual(FAILED);
    expect((await second.browser.me()).methods).toEqual(["password"]);
  });

  test("is linked by the cookie of the attempt: the session is not sent when a provider returns", async () => {
    const { browser } = await withPassword();
    world.provider.claims = { sub: "strict" };
    const url = await browser.returnUrl("?link=1");
    const session = browser.cookies.get("stillup_session") ?? "";
    browser.cookies.delete("stillup_session");
    expect(outcomeOf(await browser.open(url))).toEqual(LINKED);
    browser.cookies.set("stillup_session", session);
    expect((await browser.me()).methods).toEqual(["password", "oidc"]);
  });

  test("is not linked after the session has ended", async () => {
    const { browser, id } = await withPassword();
    world.provider.claims = { sub: "late" };
    const url = await browser.returnUrl("?link=1");
    const ended = await browser.open("/api/v1/session", { method: "DELETE", headers: OWN_PAGE });
    expect(ended.status).toBe(200);
    expect(outcomeOf(await browser.open(url))).toEqual(FAILED);
    expect((await world.person(id)).methods).toEqual(["password"]);
  });

  test("is not linked to somebody who is disabled meanwhile", async () => {
    const { browser, id } = await withPassword();
    world.provider.claims = { sub: "disabled" };
    const url = await browser.returnUrl("?link=1");
    await world.owner.patch(`/api/v1/people/${id}`, { state: "disabled" });
    expect(outcomeOf(await browser.open(url))).toEqual(FAILED);
    expect((await world.person(id)).methods).toEqual(["password"]);
  });

  test("needs a session of a person: with none it is a 401, and with a key a 404", async () => {
    expect((await world.browser().open("/sign-in/oidc?link=1")).status).toBe(401);
    const headers = { authorization: `Bearer ${world.owner.key}` };
    expect((await world.browser().open("/sign-in/oidc?link=1", { headers })).status).toBe(404);
  });

  test("behavior 19.32: is linked within five minutes of a sign-in only", async () => {
    const { browser, id } = await withPassword();
    const age =
      "UPDATE person_sessions SET created_at = created_at - 300001 WHERE person_pk = (SELECT pk FROM people WHERE id = $1)";
    await world.server.db.run(age, id);
    expect((await browser.open("/sign-in/oidc?link=1")).status).toBe(422);
  });

  test("behavior 19.69: is listed and unlinked by its person, and then signs nobody in", async () => {
    const { browser } = await withPassword();
    const stranger = (await withPassword()).browser;
    const claims = { sub: "listed" };
    world.provider.claims = claims;
    await browser.signIn("?link=1");
    const identities = async () =>
      (await (await browser.open("/api/v1/me/identities")).json()) as {
        data: Record<string, string | null>[];
      };
    const { data } = await identities();
    const issuer = `${world.provider.issuer}/`;
    expect(data).toEqual([
      { id: expect.any(String), issuer, createdAt: expect.any(String), lastUsedAt: null },
    ]);
    const path = `/api/v1/me/identities/${data[0]?.id}`;
    const unlink = { method: "DELETE", headers: OWN_PAGE };
    expect((await stranger.open(path, unlink)).status).toBe(404);
    expect((await browser.open(path, unlink)).status).toBe(200);
    expect((await identities()).data).toEqual([]);
    expect((await world.signIn(claims)).outcome).toEqual(FAILED);
    expect((await world.owner.get("/api/v1/me/identities")).status).toBe(404);
  });

  test("behavior 19.69: is not unlinked as the last way in", async () => {
    const claims = { sub: "alone", email: "alone@example.com", email_verified: true };
    await world.invite(claims.email);
    const { browser } = await world.signIn(claims);
    const listed = (await (await browser.open("/api/v1/me/identities")).json()) as { data: { id: string }[] };
    const path = `/api/v1/me/identities/${listed.data[0]?.id}`;
    expect((await browser.open(path, { method: "DELETE", headers: OWN_PAGE })).status).toBe(422);
    expect((await world.signIn(claims)).outcome).toEqual(SIGNED_IN);
  });

  test("is not linked from a page of another site", async () => {
    const { browser } = await withPassword();
    for (const site of ["cross-site", "same-site"]) {
      const headers = { "sec-fetch-site": site };
      expect((await browser.open("/sign-in/oidc?link=1", { headers })).status).toBe(403);
    }
  });
});

test("behavior 19.95: everybody may know the provider, and where a sign-in by it begins", async () => {
  await using only = await OidcWorld.start({ isOnly: true });
  for (const { owner, provider } of [world, only]) {
    const { body } = await owner.as(undefined).get("/api/v1/session/help");
    expect(body.data.provider).toEqual({
      name: new URL(provider.issuer).host,
      url: `${owner.url}/sign-in/oidc`,
      only: owner === only.owner,
    });
  }
});

test("behavior 19.76: the sign-in offers the provider, and passwords if they count", async () => {
  await withPassword();
  const methodsOf = async ({ owner }: OidcWorld) =>
    (await owner.as(undefined).get("/api/v1/session/help")).body.data.methods;
  expect(await methodsOf(world)).toEqual(["password", "oidc"]);
  await using only = await OidcWorld.start({ isOnly: true });
  const { id } = await only.invite("ana@example.com");
  const link = `person_${"l".repeat(43)}`;
  await only.server.store.people.createLink({ personId: id, token: link }, only.server.now());
  await only.owner.as(undefined).post(`/api/v1/invites/${link}`, { name: "Ana", password: PASSWORD });
  expect(await methodsOf(only)).toEqual(["oidc"]);
});

describe("behavior 19.75: with --oidc-only", () => {
  test("passwords are refused, and keys, sessions and links of the command line are not", async () => {
    await using only = await OidcWorld.start({ isOnly: true });
    const { email } = { email: "ana@example.com" };
    const { id, token } = await only.invite(email);
    const anonymous = only.owner.as(undefined);
    const credentials = { name: "Ana", password: PASSWORD };
    expect((await anonymous.post(`/api/v1/invites/${token}`, credentials)).status).toBe(403);
    const claims = { sub: "ana", email, email_verified: true };
    const { browser, outcome } = await only.signIn(claims);
    expect(outcome).toEqual(SIGNED_IN);
    const password = JSON.stringify({ password: PASSWORD });
    const set = await browser.open("/api/v1/me/password", {
      method: "POST",
      headers: OWN_PAGE,
      body: password,
    });
    expect(set.status).toBe(403);
    const link = `person_${"l".repeat(43)}`;
    await only.server.store.people.createLink({ personId: id, token: link }, only.server.now());
    const again = only.browser();
    const post = { method: "POST", headers: OWN_PAGE, body: JSON.stringify(credentials) };
    expect((await again.open(`/api/v1/invites/${link}`, post)).status).toBe(200);
    expect((await anonymous.post("/api/v1/session", { email, password: PASSWORD })).status).toBe(403);
    expect(
      (await anonymous.post("/api/v1/session", { email: "nobody@example.com", password: PASSWORD })).status,
    ).toBe(403);
    expect((await anonymous.post("/api/v1/session", { key: only.owner.key })).status).toBe(200);
    expect((await only.owner.get("/api/v1/monitors")).status).toBe(200);
    // The link has unlinked the identity too.
    expect((await only.signIn(claims)).outcome).toEqual(FAILED);
    expect(outcomeOf(await again.signIn("?link=1"))).toEqual(LINKED);
    expect((await only.signIn(claims)).outcome).toEqual(SIGNED_IN);
  });

  test("passkeys are refused too, old and new ones, and for invitations", async () => {
    const baseUrl = "https://up.example.com";
    await using only = await TestServer.start(
      { baseUrl, oidc: oidcSettings(world.provider.issuer, { isOnly: true }) },
      createLogger({ level: "silent" }),
    );
    const { store, client: owner } = only;
    const own = await SoftwareAuthenticator.create(baseUrl);
    const anonymous = owner.as(undefined);
    const send = (path: string, body?: unknown, cookie = "") =>
      anonymous.send("POST", `/api/v1${path}`, body, { ...OWN_PAGE, cookie });
    const invited = (await owner.post("/api/v1/people", { email: "eve@example.com", role: "viewer" })).body;
    const invite = `/invites/${invited.data.inviteUrl.split("/invite/")[1]}`;
    const link = `person_${"k".repeat(43)}`;
    const { id } = (await owner.post("/api/v1/people", { email: "ana@example.com", role: "viewer" })).body
      .data;
    await store.people.createLink({ personId: id, token: link }, only.now());
    const options = (await send(`/invites/${link}/passkey-options`, {})).body.data;
    const accepted = await send(`/invites/${link}`, { name: "Ana", passkey: await own.register(options) });
    expect(accepted.status).toBe(200);
    const cookie = accepted.headers.get("set-cookie")?.split(";")[0] ?? "";
    const challenge = "A".repeat(43);
    const passkey = await own.use({ challenge, rpId: "up.example.com" });
    const created = await own.register({ ...options, challenge });
    const refused = [
      await send("/session/passkey-options"),
      await send("/session", { passkey }),
      await send("/me/passkeys/options", undefined, cookie),
      await send("/me/passkeys", { credential: created }, cookie),
      await send(`${invite}/passkey-options`, {}),
      await send(invite, { name: "Eve", passkey: created }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403, 403]);
    expect((await anonymous.get("/api/v1/session/help")).body.data.methods).toEqual(["oidc"]);
  });
});
