import { describe, expect, test } from "bun:test";
import { DAY } from "../../src/domain/duration.ts";
import { parseAddressRanges } from "../../src/domain/network/client-address.ts";
import { createLogger } from "../../src/log.ts";
import { eventually } from "../support/eventually.ts";
import { joinedPerson } from "../support/people/person.ts";
import { TestServer } from "../support/product/server.ts";
import type { Answer } from "../support/requests/client.ts";
import { createMonitor } from "../support/requests/monitors.ts";
import { MailServer } from "../support/servers/mail-server.ts";
import { untilEndOfFile } from "../support/until-end.ts";

let people = 0;
let addresses = 0;

const server = await untilEndOfFile(
  TestServer.start({ trustedProxies: parseAddressRanges("127.0.0.1") ?? [] }),
);
const owner = server.client;
const anyone = owner.as(undefined);

const quiet = createLogger({ level: "silent" }, () => {});

const PASSWORD = "a password of Ana";
const UNAUTHORIZED = { status: 401, body: { error: "Unauthorized" } };
const NOT_FOUND = { status: 404, body: { error: "Not found" } };
const OWN_PAGE = { "sec-fetch-site": "same-origin" };

const newEmail = () => `ana${++people}@example.com`;

async function invite(values: object = {}, client = owner) {
  const { status, body } = await client.post("/api/v1/people", {
    email: newEmail(),
    role: "admin",
    ...values,
  });
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
  return { ...body.data, token: body.data.inviteUrl.split("/invite/")[1] };
}

const redeem = (token: string, body: object = { name: "Ana", password: PASSWORD }) =>
  anyone.send("POST", `/api/v1/invites/${token}`, body, OWN_PAGE);

const cookieOf = ({ headers }: Answer) => ({
  cookie: headers.get("set-cookie")?.split(";")[0] ?? "",
  ...OWN_PAGE,
});

/** Somebody who has accepted an invitation. */
async function join(values: object = {}, client = owner) {
  const { token, ...person } = await invite(values, client);
  return { ...person, headers: cookieOf(await redeem(token)) };
}

/** Each from another address, unless one is given. */
const signIn = (body: object, address = `2001:db8:${(++addresses).toString(16)}::1`) =>
  anyone.send("POST", "/api/v1/session", body, { ...OWN_PAGE, "x-forwarded-for": address });

const getAs = (headers: Record<string, string>, path: string) => anyone.send("GET", path, undefined, headers);

describe("behavior 19.2, 19.3: an invitation", () => {
  test("is answered with the person and a URL, which no later answer has", async () => {
    const email = newEmail();
    const { status, body } = await owner.post("/api/v1/people", { email, role: "viewer", name: " Bob " });
    expect([status, body.data]).toEqual([
      201,
      {
        ...{ id: expect.any(String), name: "Bob", email, role: "viewer", state: "invited", methods: [] },
        ...{
          alertChannelIds: [],
          lastSeenAt: null,
          createdAt: expect.any(String),
          inviteUrl: expect.stringMatching(/\/invite\/person_\w{43}$/),
        },
      },
    ]);
    const listed = (await owner.get("/api/v1/people")).body.data.find(
      ({ id }: { id: string }) => id === body.data.id,
    );
    const { inviteUrl: _, ...person } = body.data;
    expect(listed).toEqual(person);
  });

  test("is sent by e-mail too, and a mail server that refuses it changes nothing", async () => {
    await using mails = await MailServer.start({ startTls: false });
    const { smtp } = mails.settings({ host: "localhost" });
    await using mailing = await TestServer.start(
      { baseUrl: "https://up.example.com", ...(smtp && { smtp }) },
      quiet,
    );
    const { inviteUrl } = await invite({ email: "ana@example.com" }, mailing.client);
    await eventually(() => mails.received.length === 1);
    expect(mails.received[0]?.source.replaceAll("=\r\n", "")).toContain(inviteUrl);
    const key = mails.received[0]?.source ?? "";
    expect(key).toContain("Subject: You are invited to stillup\r\n");
    mails.refusals = ["550 5.1.1 no such user"];
    expect(await invite({ email: "bob@example.com" }, mailing.client)).toMatchObject({ state: "invited" });
  });

  test("is a message as text and HTML that says who invites, to which organization, and until when", async () => {
    await using mails = await MailServer.start({ startTls: false });
    const { smtp } = mails.settings({ host: "localhost" });
    await using mailing = await TestServer.start(
      { baseUrl: "https://up.example.com", ...(smtp && { smtp }) },
      quiet,
    );
    await mailing.client.patch("/api/v1/organization", { name: "Shop <b>" });
    const mia = await joinedPerson(mailing.client, { email: "mia@example.com", role: "owner", name: "Mia" });
    await mia.send("POST", "/api/v1/people", { email: "ana@example.com", role: "viewer" });
    await eventually(() => mails.received.length === 2);
    const source = mails.received[1]?.source.replaceAll("=\r\n", "") ?? "";
    expect(source).toContain("Subject: Mia invites you to Shop <b> on stillup\r\n");
    const [, text = "", html = ""] = source.split(/Content-Type: text\/(?:plain|html)/);
    const until = new RegExp(
      `until ${new Date(mailing.now() + 7 * DAY).toISOString().slice(0, 10)} [0-9:]+ UTC`,
    );
    for (const part of [text, html]) {
      for (const said of [
        "Mia invites you to Shop",
        "monitors websites",
        "the role viewer",
        "/invite/person_",
      ])
        expect(part).toContain(said);
      expect(part).toMatch(until);
    }
    expect(html).toContain("Shop &lt;b&gt;");
  });

  test.each([
    [{ email: "nobody", role: "viewer" }, 422],
    [{ email: "a@example.com" }, 422],
    [{ email: "a@example.com", role: "king" }, 422],
    [{ email: "a@example.com", role: "viewer", name: "a\nb" }, 422],
    [{ email: "a@example.com", role: "viewer", state: "active" }, 422],
  ])("of %j is a %d", async (body, status) => {
    expect((await owner.post("/api/v1/people", body)).status).toBe(status);
  });

  test("of somebody who is in the organization already is a 422, whatever the case of the letters", async () => {
    const { email } = await invite();
    expect(await owner.post("/api/v1/people", { email: email.toUpperCase(), role: "viewer" })).toMatchObject({
      status: 422,
      body: { error: "email must be the address of somebody who is not in the organization yet" },
    });
  });

  test("needs an owner, and gives no role above the own", async () => {
    const admin = owner.as(await server.keyWith("admin"));
    expect((await admin.post("/api/v1/people", { email: newEmail(), role: "viewer" })).status).toBe(403);
    expect((await admin.get("/api/v1/people")).status).toBe(200);
    expect((await anyone.get("/api/v1/people")).status).toBe(401);
  });

  test("behavior 19.4: again ends the previous one, and is a 422 for somebody who has accepted", async () => {
    const first = await invite();
    const { status, body } = await owner.post(`/api/v1/people/${first.id}/invite`);
    expect([status, body.data.id]).toEqual([200, first.id]);
    expect(await anyone.get(`/api/v1/invites/${first.token}`)).toMatchObject(NOT_FOUND);
    await redeem(body.data.inviteUrl.split("/invite/")[1]);
    expect((await owner.post(`/api/v1/people/${first.id}/invite`)).status).toBe(422);
  });
});

describe("behavior 19.5: whoever opens an invitation", () => {
  test("sees what it is for, as often as a link preview does", async () => {
    const { token, email } = await invite();
    for (let at = 0; at < 3; at++)
      expect(await anyone.get(`/api/v1/invites/${token}`)).toMatchObject({
        status: 200,
        body: { data: { organization: { name: "Default" }, email, role: "admin" } },
      });
  });

  test("accepts it once, with a name and a password, and is signed in", async () => {
    const { token, id, email } = await invite();
    const answer = await redeem(token);
    expect(answer).toMatchObject({ status: 200, body: { data: { personId: id, role: "admin" } } });
    const cookie = answer.headers.get("set-cookie") ?? "";
    expect(cookie).toContain("; HttpOnly");
    expect(cookie).toContain("; SameSite=Strict");
    expect((await getAs(cookieOf(answer), "/api/v1/me")).body.data).toMatchObject({
      id,
      name: "Ana",
      email,
      methods: ["password"],
    });
    expect(await redeem(token)).toMatchObject(NOT_FOUND);
  });

  test.each([
    [{ name: "Ana", password: "short" }, "password must have at least 12 characters"],
    [{ name: "a\u0007", password: PASSWORD }, "name must be 1 to 200 characters without control characters"],
    [{ name: "Ana" }, "password is required"],
    [{ password: PASSWORD }, "name is required"],
  ])("behavior 19.12: with %j learns what would be right, and the invitation stays", async (body, error) => {
    const { token } = await invite();
    expect(await redeem(token, body)).toMatchObject({ status: 422, body: { error } });
    expect((await anyone.get(`/api/v1/invites/${token}`)).status).toBe(200);
  });

  test("from a page of another site is refused", async () => {
    const { token } = await invite();
    const foreign = { "sec-fetch-site": "cross-site" };
    const body = { name: "Ana", password: PASSWORD };
    expect((await anyone.send("POST", `/api/v1/invites/${token}`, body, foreign)).status).toBe(403);
  });

  test("many times at once gets one session", async () => {
    const { token } = await invite();
    const answers = await Promise.all(Array.from({ length: 8 }, () => redeem(token)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test("behavior 19.6: with a way in already gives that password, and keeps it and the name", async () => {
    const email = newEmail();
    await join({ email });
    const other = await server.organization();
    const { token } = await invite({ email, role: "viewer" }, other);
    expect(await redeem(token, { name: "Eve", password: "another password" })).toMatchObject(UNAUTHORIZED);
    const answer = await redeem(token, { name: "Eve", password: PASSWORD });
    expect(answer).toMatchObject({ status: 200, body: { data: { role: "viewer" } } });
    const { data } = (await getAs(cookieOf(answer), "/api/v1/me")).body;
    expect(data).toMatchObject({ name: "Ana", organizations: [{ role: "admin" }, { role: "viewer" }] });
  });
});

describe("behavior 19.20: a sign-in", () => {
  test("by e-mail and password answers as one with a key, with personId, for 30 days", async () => {
    const { id, email } = await join();
    const { status, body } = await signIn({ email: email.toUpperCase(), password: PASSWORD });
    expect([status, body.data]).toEqual([
      200,
      { personId: id, role: "admin", expiresAt: expect.any(String) },
    ]);
    expect((Date.parse(body.data.expiresAt) - server.now()) / 86_400_000).toBeCloseTo(30, 2);
  });

  test("behavior 19.22: is a 401 that says nothing: wrong password, nobody, invited, disabled", async () => {
    const [ana, invited, disabled] = [await join(), await invite(), await join()];
    await owner.patch(`/api/v1/people/${disabled.id}`, { state: "disabled" });
    for (const body of [
      { email: ana.email, password: "not her password" },
      { email: newEmail(), password: PASSWORD },
      { email: invited.email, password: PASSWORD },
      { email: disabled.email, password: PASSWORD },
    ])
      expect(await signIn(body)).toMatchObject(UNAUTHORIZED);
  });

  test("to one of several organizations needs its ID, after the right password only", async () => {
    const email = newEmail();
    await join({ email });
    const other = await server.organization();
    const { token } = await invite({ email, role: "viewer" }, other);
    await redeem(token, { password: PASSWORD });
    const chosen = await signIn({ email, password: PASSWORD });
    expect(chosen).toMatchObject({
      status: 422,
      body: { organizations: [{ name: "Default" }, { name: "Other" }] },
    });
    expect(chosen.headers.get("set-cookie")).toBeNull();
    const [, second] = chosen.body.organizations;
    const answer = await signIn({ email, password: PASSWORD, organizationId: second.id });
    expect(answer.body.data.role).toBe("viewer");
    expect(await signIn({ email, password: PASSWORD, organizationId: "none" })).toMatchObject(UNAUTHORIZED);
    expect(await signIn({ email, password: "wrong wrong wrong" })).toMatchObject(UNAUTHORIZED);
  });

  test.each([
    ["an e-mail address", (at: number) => `2001:db8:f${at}::1`, (_: number, email: string) => email],
    ["a client", () => "198.51.100.7", (at: number) => `guess${at}@example.com`],
  ])(
    "behavior 19.21: after ten failures for %s is a 429, also with the right password; keys go on",
    async (_, from, email) => {
      const ana = await join();
      const statuses = [];
      for (let at = 0; at < 11; at++) {
        const wrong = { email: email(at, ana.email), password: `wrong password ${at}` };
        statuses.push((await signIn(wrong, from(at))).status);
      }
      expect(statuses).toEqual([...Array(10).fill(401), 429]);
      const limited = await signIn({ email: ana.email, password: PASSWORD }, from(99));
      expect(limited.status).toBe(429);
      expect(Number(limited.headers.get("retry-after"))).toBeWithin(1, 901);
      expect((await signIn({ key: owner.key }, from(99))).status).toBe(200);
      expect((await getAs(ana.headers, "/api/v1/me")).status).toBe(200);
    },
  );
});

describe("behavior 19.7: a changed person", () => {
  test("counts from the next request on: role, disabled, deleted", async () => {
    const { id, email, headers } = await join();
    const monitor = { name: "m", type: "SCHEDULED", config: {} };
    const write = () => anyone.send("POST", "/api/v1/monitors", monitor, headers);
    expect((await write()).status).toBe(201);
    await owner.patch(`/api/v1/people/${id}`, { role: "viewer" });
    expect((await write()).status).toBe(403);
    expect((await getAs(headers, "/api/v1/monitors")).status).toBe(200);
    await owner.patch(`/api/v1/people/${id}`, { state: "disabled" });
    expect(await getAs(headers, "/api/v1/monitors")).toMatchObject(UNAUTHORIZED);
    await owner.patch(`/api/v1/people/${id}`, { state: "active" });
    expect(await getAs(headers, "/api/v1/monitors")).toMatchObject(UNAUTHORIZED);
    const again = cookieOf(await signIn({ email, password: PASSWORD }));
    expect((await getAs(again, "/api/v1/monitors")).status).toBe(200);
    await owner.delete(`/api/v1/people/${id}`);
    expect(await getAs(again, "/api/v1/monitors")).toMatchObject(UNAUTHORIZED);
    expect(await owner.get(`/api/v1/people/${id}`)).toMatchObject({ status: 404 });
  });

  test("ends the open streams of the person within a second or two", async () => {
    const { id, headers } = await join();
    const stream = await fetch(new URL("/api/v1/stream", owner.url), { headers });
    const ended = stream.text();
    await owner.patch(`/api/v1/people/${id}`, { state: "disabled" });
    // The second pulse would come after 5 s.
    expect((await ended).match(/event: pulse/g)).toHaveLength(1);
  });

  test("who is invited can't be made active, also not after having been disabled, which ends the invitation", async () => {
    const { id, token } = await invite();
    const set = async (state: string) => (await owner.patch(`/api/v1/people/${id}`, { state })).status;
    expect([await set("active"), await set("disabled"), await set("active")]).toEqual([422, 200, 422]);
    expect(await redeem(token)).toMatchObject(NOT_FOUND);
  });

  test("is in the audit log with the state", async () => {
    const { id } = await join();
    for (const state of ["disabled", "disabled", "active"])
      await owner.patch(`/api/v1/people/${id}`, { state });
    const { data } = (await owner.get("/api/v1/audit?limit=20")).body;
    const changes = data.filter(
      ({ action, resource, actor }: { action: string; resource: { id: string }; actor: { type: string } }) =>
        action === "person.updated" && resource.id === id && actor.type === "key",
    );
    expect(changes.map(({ changed }: { changed: string[] }) => changed)).toEqual([["state"], ["state"]]);
  });

  test("of another organization is not found", async () => {
    const { id } = await invite();
    const other = await server.organization();
    expect(await other.patch(`/api/v1/people/${id}`, { role: "viewer" })).toMatchObject(NOT_FOUND);
    expect(await other.delete(`/api/v1/people/${id}`)).toMatchObject(NOT_FOUND);
  });

  test("writes need a page of this server", async () => {
    const { headers } = await join();
    const foreign = { ...headers, "sec-fetch-site": "cross-site" };
    expect((await anyone.send("POST", "/api/v1/monitors/pause-all", undefined, foreign)).status).toBe(403);
  });
});

describe("behavior 19.13: a person", () => {
  test("sets a new password with the present one, which ends the other sessions", async () => {
    const { email, headers } = await join();
    const other = cookieOf(await signIn({ email, password: PASSWORD }));
    const change = (body: object) => anyone.send("POST", "/api/v1/me/password", body, headers);
    expect(await change({ current: "not the password", password: "a new password!" })).toMatchObject({
      status: 422,
      body: { error: "current must be the present password" },
    });
    expect((await change({ password: "a new password!" })).status).toBe(422);
    expect((await change({ current: PASSWORD, password: "a new password!" })).status).toBe(200);
    expect((await getAs(headers, "/api/v1/me")).status).toBe(200);
    expect(await getAs(other, "/api/v1/me")).toMatchObject(UNAUTHORIZED);
    expect((await signIn({ email, password: "a new password!" })).status).toBe(200);
  });

  test("behavior 19.14: without a password sets one within five minutes of a sign-in, and not later", async () => {
    const [fresh, late] = [await join(), await join()];
    const set = (headers: Record<string, string>) =>
      anyone.send("POST", "/api/v1/me/password", { password: "a new password!" }, headers);
    for (const { id } of [fresh, late])
      await server.db.run("UPDATE people SET password_hash = NULL, name = 'Ana' WHERE id = $1", id);
    await server.db.run(
      "UPDATE person_sessions SET created_at = created_at - 300001 WHERE person_pk = (SELECT pk FROM people WHERE id = $1)",
      late.id,
    );
    expect((await set(late.headers)).status).toBe(422);
    const other = await server.organization();
    const { token } = await invite({ email: late.email }, other);
    await server.db.run(
      "INSERT INTO passkeys (id, person_pk, credential_id, public_key, counter, is_backup_eligible, is_backed_up, transports, name, created_at) SELECT 'k', pk, 'k', 'k', 0, false, false, '[]', 'k', 0 FROM people WHERE id = $1",
      late.id,
    );
    const byOldSession = await anyone.send("POST", `/api/v1/invites/${token}`, {}, late.headers);
    expect(byOldSession.status).toBe(200);
    expect((await set(cookieOf(byOldSession))).status).toBe(422);
    expect((await set(fresh.headers)).status).toBe(200);
    expect((await set(fresh.headers)).status).toBe(422);
  });

  test("behavior 19.15: sees the own sessions, and ends them", async () => {
    const { email, headers } = await join();
    const other = cookieOf(await signIn({ email, password: PASSWORD }));
    const { data } = (await getAs(headers, "/api/v1/me/sessions")).body;
    expect(data.map(({ current }: { current: boolean }) => current)).toEqual([false, true]);
    const stranger = await join();
    const end = (as: Record<string, string>) =>
      anyone.send("DELETE", `/api/v1/me/sessions/${data[0].id}`, undefined, as);
    expect(await end(stranger.headers)).toMatchObject(NOT_FOUND);
    expect((await end(headers)).status).toBe(200);
    expect(await getAs(other, "/api/v1/me")).toMatchObject(UNAUTHORIZED);
  });

  test("behavior 19.16: is a 404 for a key", async () => {
    for (const path of ["/api/v1/me", "/api/v1/me/sessions"])
      expect(await owner.get(path)).toMatchObject(NOT_FOUND);
    const keyed = cookieOf(await signIn({ key: owner.key }));
    expect(await getAs(keyed, "/api/v1/me")).toMatchObject(NOT_FOUND);
  });

  test("signs out", async () => {
    const { headers } = await join();
    expect((await anyone.send("DELETE", "/api/v1/session", undefined, headers)).status).toBe(200);
    expect(await getAs(headers, "/api/v1/me")).toMatchObject(UNAUTHORIZED);
  });
});

describe("behavior 19.40: an organization that ever had a person", () => {
  test("keeps its last owner, whichever way it would lose it", async () => {
    const client = await server.organization();
    const [key] = (await client.get("/api/v1/api-keys")).body.data;
    const only = { status: 422, body: { error: expect.stringContaining("must keep an owner") } };
    const ana = await join({ role: "owner" }, client);
    const keyPath = `/api/v1/api-keys/${key.id}`;
    expect((await client.patch(keyPath, { name: "still" })).status).toBe(200);
    await client.patch(`/api/v1/people/${ana.id}`, { state: "disabled" });
    expect(await client.delete(keyPath)).toMatchObject(only);
    expect(await client.patch(keyPath, { role: "admin" })).toMatchObject(only);
    expect(await client.patch(keyPath, { expiresAt: "2036-01-01T00:00:00Z" })).toMatchObject(only);
    await client.patch(`/api/v1/people/${ana.id}`, { state: "active" });
    const headers = cookieOf(await signIn({ email: ana.email, password: PASSWORD }));
    expect((await anyone.send("DELETE", keyPath, undefined, headers)).status).toBe(200);
    const asAna = (method: string, body?: object) =>
      anyone.send(method, `/api/v1/people/${ana.id}`, body, headers);
    expect(await asAna("DELETE")).toMatchObject(only);
    expect(await asAna("PATCH", { state: "disabled" })).toMatchObject(only);
    expect(await asAna("PATCH", { role: "viewer" })).toMatchObject(only);
    expect((await getAs(headers, "/api/v1/me")).status).toBe(200);
  });

  test("one without people behaves as before: its last key can be deleted", async () => {
    const client = await server.organization();
    const [key] = (await client.get("/api/v1/api-keys")).body.data;
    expect((await client.delete(`/api/v1/api-keys/${key.id}`)).status).toBe(200);
  });
});

describe("behavior 19.41: the audit log", () => {
  test("names the person, also who invited, changed and signed in", async () => {
    const client = await server.organization();
    const { id, headers } = await join({ role: "owner" }, client);
    await anyone.send("POST", "/api/v1/monitors", { name: "m", type: "SCHEDULED", config: {} }, headers);
    const { data } = (await client.get("/api/v1/audit?limit=10")).body;
    const entries = data.map(
      ({ actor, action }: { actor: { type: string; name: string }; action: string }) => [
        ...[actor.type, actor.name, action],
      ],
    );
    expect(entries.slice(0, 2)).toEqual([
      ["person", "Ana", "monitor.created"],
      ["person", "Ana", "session.created"],
    ]);
    expect(entries[2]).toEqual(["person", "Ana", "person.updated"]);
    expect(data[2]).toMatchObject({ address: "127.0.0.1", changed: ["state"], resource: { id } });
    expect(entries).toContainEqual(["key", "owner", "person.created"]);
    expect(JSON.stringify(data)).not.toContain(PASSWORD);
    expect(data[0].actor.id).toBe(id);
  });

  test("behavior 19.42: has failed sign-ins of people, with the method and without any address, and none of nobody", async () => {
    const client = await server.organization();
    const { id, email } = await join({ role: "owner" }, client);
    const disabled = await join({}, client);
    await client.patch(`/api/v1/people/${disabled.id}`, { state: "disabled" });
    for (const given of [newEmail(), disabled.email, email])
      expect(await signIn({ email: given, password: "s3cret in the wrong field" })).toMatchObject(
        UNAUTHORIZED,
      );
    const failures = async () => {
      const { data } = (await client.get("/api/v1/audit?limit=50")).body;
      return data.filter(({ action }: { action: string }) => action === "session.failed");
    };
    await eventually(async () => (await failures()).length > 0);
    const [failed, ...others] = await failures();
    expect(others).toEqual([]);
    expect(failed).toMatchObject({
      ...{ actor: { type: "person", id, name: "Ana" }, address: null, changed: ["password"] },
      resource: { type: "session", id, name: "Ana" },
    });
    expect(JSON.stringify(failed)).not.toMatch(/@|s3cret|2001:db8/);
  });

  test("and the acknowledgement of an outage", async () => {
    const { headers } = await join({ role: "admin" });
    const { id } = await createMonitor(owner, "SCHEDULED");
    await anyone.post(`/api/v1/monitors/${id}/checkin?status=fail`);
    const [outage] = (await owner.get(`/api/v1/outages?monitorId=${id}`)).body.data;
    const path = `/api/v1/outages/${outage.id}/acknowledge`;
    const answer = await anyone.send("POST", path, {}, headers);
    expect(answer.body.data.acknowledgedBy).toBe("Ana");
  });
});
