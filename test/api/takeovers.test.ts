import { afterEach, describe, expect, spyOn, test } from "bun:test";
import { parseAddressRanges } from "../../src/domain/network/client-address.ts";
import { joinedPerson, PASSWORD, type SignedInPerson } from "../support/people/person.ts";
import { LITTLE, TestServer } from "../support/product/server.ts";
import type { Answer } from "../support/requests/client.ts";
import { createMonitor } from "../support/requests/monitors.ts";
import { untilEndOfFile } from "../support/until-end.ts";

/*
 * Known takeovers of systems with people. The other ones are where the parts are that they need:
 *
 * identity by e-mail, unverified e-mail, sub of another issuer, code and state used twice or in another browser, open redirect,
 *   session fixation by a provider: oidc-sign-in.test.ts
 * mix-up, nonce, alg: none, HMAC with the public key, wrong audience, expired token: oidc-tokens.test.ts
 * role claims that are missing, nested, a string, 10,000 groups: oidc-roles.test.ts, role-claim.test.ts
 * a removed role on another node: people-nodes.test.ts
 * enumeration and poisoned links of forgotten passwords: forgotten-password.test.ts
 */

const OWN_PAGE = { "sec-fetch-site": "same-origin" };

let people = 0;

const server = await untilEndOfFile(
  TestServer.start({ trustedProxies: parseAddressRanges("127.0.0.1") ?? [] }),
);
const owner = server.client;
const anyone = owner.as(undefined);

const spies: { mockRestore(): void }[] = [];

afterEach(() => {
  for (const spy of spies.splice(0)) spy.mockRestore();
});

const newEmail = () => `p${++people}@example.com`;

/** Each from another client. */
const signIn = (body: object, headers: Record<string, string> = {}) =>
  anyone.send("POST", "/api/v1/session", body, {
    ...OWN_PAGE,
    "x-forwarded-for": `2001:db8:${(++people).toString(16)}::1`,
    ...headers,
  });

const cookieOf = ({ headers }: Answer) => headers.get("set-cookie")?.split(";")[0] ?? "";

const getAs = (cookie: string, path: string) => anyone.send("GET", path, undefined, { cookie });

test("behavior 19.20: a cookie that somebody else planted is not the cookie after a sign-in (session fixation)", async () => {
  const email = newEmail();
  await joinedPerson(owner, { email, role: "admin" });
  const eve = await joinedPerson(owner, { email: newEmail(), role: "viewer" });
  const planted = [`stillup_session=person_${"A".repeat(43)}`, await cookieOfPerson(eve)];
  for (const cookie of planted) {
    const own = cookieOf(await signIn({ email, password: PASSWORD }, { cookie }));
    expect(own).toMatch(/^stillup_session=person_\w{43}$/);
    expect(own).not.toBe(cookie);
    expect((await getAs(own, "/api/v1/me")).body.data.email).toBe(email);
  }
  const [unknown = "", ofEve = ""] = planted;
  expect((await getAs(unknown, "/api/v1/me")).status).toBe(401);
  expect((await getAs(ofEve, "/api/v1/me")).body.data.id).toBe(eve.id);
});

/** Signs in again, because the cookie of a person is private. */
async function cookieOfPerson(person: SignedInPerson): Promise<string> {
  const { email } = (await person.send("GET", "/api/v1/me")).body.data;
  return cookieOf(await signIn({ email, password: PASSWORD }));
}

test("behavior 19.30: the cookie of one organization reads and writes nothing of another one (cookie of another organization)", async () => {
  const other = await server.organization();
  const email = newEmail();
  const here = await joinedPerson(owner, { email, role: "owner" });
  const stranger = await joinedPerson(other, { email: newEmail(), role: "owner" });
  const [own, foreign] = [await createMonitor(owner, "SCHEDULED"), await createMonitor(other, "SCHEDULED")];
  const paths = (id: string) => [`/api/v1/monitors/${id}`, `/api/v1/monitors/${id}/results`];
  for (const path of [...paths(foreign.id), `/api/v1/people/${stranger.id}`])
    for (const [method, body] of [["GET"], ["PATCH", { name: "taken" }], ["DELETE"]] as const)
      expect([path, method, (await here.send(method, path, body)).status]).toEqual([path, method, 404]);
  expect((await here.send("GET", paths(own.id)[0] ?? "")).status).toBe(200);
  const { id } = (await other.get("/api/v1/organization")).body.data;
  expect((await here.send("PATCH", "/api/v1/session", { organizationId: id })).status).toBe(404);
  expect((await signIn({ email, password: PASSWORD, organizationId: id })).status).toBe(401);
});

test("behavior 19.7: whoever was taken out of one organization has no session there, and no way to switch to it (cookie of another organization)", async () => {
  const other = await server.organization();
  const email = newEmail();
  const here = await joinedPerson(owner, { email, role: "admin" });
  const { inviteUrl } = (await other.post("/api/v1/people", { email, role: "owner" })).body.data;
  const token = inviteUrl.split("/invite/")[1];
  const joined = await anyone.send(
    "POST",
    `/api/v1/invites/${token}`,
    { password: PASSWORD },
    { ...OWN_PAGE, "x-forwarded-for": "2001:db8::1" },
  );
  const there = cookieOf(joined);
  expect((await getAs(there, "/api/v1/people")).status).toBe(200);
  const { id } = (await other.get("/api/v1/organization")).body.data;
  expect((await other.delete(`/api/v1/people/${here.id}`)).status).toBe(200);
  expect((await getAs(there, "/api/v1/people")).status).toBe(401);
  expect((await here.send("PATCH", "/api/v1/session", { organizationId: id })).status).toBe(404);
  expect((await here.send("GET", "/api/v1/me")).body.data.organizations).toHaveLength(1);
});

test("behavior 19.7: an owner who became a viewer gives nobody a role, and makes no key (removed role)", async () => {
  const was = await joinedPerson(owner, { email: newEmail(), role: "owner" });
  const invite = () => was.send("POST", "/api/v1/people", { email: newEmail(), role: "owner" });
  const makeKey = () => was.send("POST", "/api/v1/api-keys", { name: "back door", role: "owner" });
  expect([(await invite()).status, (await makeKey()).status]).toEqual([201, 201]);
  await owner.patch(`/api/v1/people/${was.id}`, { role: "viewer" });
  const raise = () => was.send("PATCH", `/api/v1/people/${was.id}`, { role: "owner" });
  expect([(await invite()).status, (await makeKey()).status, (await raise()).status]).toEqual([
    403, 403, 403,
  ]);
});

test.each(["GET", "HEAD", "OPTIONS"])(
  "behavior 19.5: an invitation that a preview opens with %s is accepted by nobody (link preview)",
  async (method) => {
    const { id, inviteUrl } = (await owner.post("/api/v1/people", { email: newEmail(), role: "owner" })).body
      .data;
    const token = inviteUrl.split("/invite/")[1];
    const headers = { "user-agent": "Slackbot-LinkExpanding 1.0" };
    for (const url of [inviteUrl, `${owner.url}/api/v1/invites/${token}`]) {
      const opened = await fetch(url, { method, headers });
      expect(opened.headers.get("set-cookie")).toBeNull();
    }
    const { data } = (await owner.get("/api/v1/people")).body;
    expect(data.find((person: { id: string }) => person.id === id).state).toBe("invited");
    expect((await anyone.get(`/api/v1/invites/${token}`)).status).toBe(200);
  },
);

test("behavior 19.22: a wrong sign-in costs one verification, whoever exists (enumeration by time)", async () => {
  const [known, invited, disabled] = [newEmail(), newEmail(), newEmail()];
  await joinedPerson(owner, { email: known, role: "admin" });
  await owner.post("/api/v1/people", { email: invited, role: "viewer" });
  const { id } = await joinedPerson(owner, { email: disabled, role: "viewer" });
  await owner.patch(`/api/v1/people/${id}`, { state: "disabled" });
  const jobs = spyOn(Worker.prototype, "postMessage");
  spies.push(jobs);
  for (const [email, password] of [
    [known, "not the password"],
    [newEmail(), "not the password"],
    [invited, "not the password"],
    [disabled, PASSWORD],
  ]) {
    jobs.mockClear();
    const { status, body, headers } = await signIn({ email, password });
    expect([status, body]).toEqual([401, { error: "Unauthorized" }]);
    expect(headers.get("retry-after")).toBeNull();
    const verified = jobs.mock.calls.map(([job]) => job).filter((job) => job.password === password);
    expect(verified.map(({ hash }) => hash.slice(0, -87))).toEqual([
      `$argon2id$v=19$m=${LITTLE.memoryCost},t=${LITTLE.timeCost},p=1$`,
    ]);
  }
});

describe("behavior 19.8: an account that somebody else has taken before its owner", () => {
  /** An owner of another organization invites Vic, accepts in the name of Vic, and knows this password. */
  async function taken() {
    const email = newEmail();
    const thief = await server.organization();
    const theirs = await joinedPerson(thief, { email, role: "viewer", name: "Not Vic" });
    const { body } = await owner.post("/api/v1/people", { email, role: "owner" });
    return { email, thief, theirs, invite: tokenOf(body.data.inviteUrl) };
  }

  const tokenOf = (url: string) => url.split("/invite/")[1] ?? "";
  const redeem = (token: string, body: object) =>
    anyone.send("POST", `/api/v1/invites/${token}`, body, OWN_PAGE);

  async function mailedLink(email: string): Promise<string> {
    const token = `person_${crypto.randomUUID()}`;
    expect(await server.store.people.createLinkFor({ email, token }, server.now())).not.toBeNull();
    return token;
  }

  test("belongs to whoever has the mailbox, and nothing of the thief signs in", async () => {
    const { email, theirs, invite } = await taken();
    expect((await redeem(invite, { name: "Vic", password: "a password of Vic" })).status).toBe(401);
    const link = await mailedLink(email);
    expect((await redeem(link, { password: "a password of Vic" })).status).toBe(200);
    expect((await theirs.send("GET", "/api/v1/me")).status).toBe(401);
    expect((await signIn({ email, password: PASSWORD })).status).toBe(401);
    const joined = await redeem(invite, { password: "a password of Vic" });
    expect(joined).toMatchObject({ status: 200, body: { data: { role: "owner" } } });
    expect((await theirs.send("GET", "/api/v1/me")).status).toBe(401);
  });

  test("does not keep its owner out by a membership that the thief disables", async () => {
    const { email, thief, theirs, invite } = await taken();
    await thief.patch(`/api/v1/people/${theirs.id}`, { state: "disabled" });
    const password = "a password of Vic";
    const signedIn = await redeem(await mailedLink(email), { password });
    expect(signedIn).toMatchObject({ status: 200, body: { data: { role: "owner" } } });
    expect(await redeem(invite, { password })).toMatchObject({ status: 404 });
  });

  test("behavior 19.7: is gone when the thief removes it: the invitation is one for a new person again", async () => {
    const { email, thief, theirs, invite } = await taken();
    await thief.delete(`/api/v1/people/${theirs.id}`);
    expect((await signIn({ email, password: PASSWORD })).status).toBe(401);
    expect((await redeem(invite, { password: "a password of Vic" })).status).toBe(422);
    expect((await redeem(invite, { name: "Vic", password: "a password of Vic" })).status).toBe(200);
    expect((await signIn({ email, password: "a password of Vic" })).status).toBe(200);
  });
});

test("behavior 19.31: a sign-in that was under way with the old password has no session after a new one", async () => {
  const email = newEmail();
  const person = await joinedPerson(owner, { email, role: "admin" });
  const change = { current: PASSWORD, password: "the password after that" };
  const thefts = Array.from({ length: 12 }, () => signIn({ email, password: PASSWORD }));
  const changed = person.send("POST", "/api/v1/me/password", change);
  const more = Array.from({ length: 12 }, () => signIn({ email, password: PASSWORD }));
  expect((await changed).status).toBe(200);
  for (const answer of await Promise.all([...thefts, ...more]))
    expect((await getAs(cookieOf(answer), "/api/v1/me")).status).toBe(401);
  expect((await person.send("GET", "/api/v1/me/sessions")).body.data).toHaveLength(1);
});

test("behavior 19.21: failed sign-ins by strangers keep nobody from a new password, or from an invitation", async () => {
  const email = newEmail();
  const person = await joinedPerson(owner, { email, role: "admin" });
  const { inviteUrl } = (
    await (await server.organization()).post("/api/v1/people", { email, role: "viewer" })
  ).body.data;
  const invite = `/api/v1/invites/${inviteUrl.split("/invite/")[1]}`;
  for (let at = 0; at < 10; at++)
    expect((await signIn({ email, password: `wrong password ${at}` })).status).toBe(401);
  expect((await signIn({ email, password: PASSWORD })).status).toBe(429);
  const change = (current: string) =>
    person.send("POST", "/api/v1/me/password", { current, password: "the password after that" });
  for (let at = 0; at < 9; at++) expect((await change(`wrong password ${at}`)).status).toBe(422);
  expect((await change(PASSWORD)).status).toBe(200);
  const accept = (password: string) => anyone.send("POST", invite, { password }, OWN_PAGE);
  for (let at = 0; at < 9; at++) expect((await accept(`wrong password ${at}`)).status).toBe(401);
  expect((await accept("the password after that")).status).toBe(200);
});

test("behavior 19.13, 19.21: wrong passwords in a session are failed sign-ins too, and end after ten", async () => {
  const email = newEmail();
  const person = await joinedPerson(owner, { email, role: "admin" });
  const change = (current: string) =>
    person.send("POST", "/api/v1/me/password", { current, password: "the password after that" });
  for (let at = 0; at < 10; at++) expect((await change(`wrong password ${at}`)).status).toBe(422);
  expect((await change(PASSWORD)).status).toBe(429);
  expect((await signIn({ email, password: PASSWORD })).status).toBe(429);
});
