import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createLogger } from "../../src/log.ts";
import { eventually } from "../support/eventually.ts";
import { beginningsOf } from "../support/people/beginnings.ts";
import { type Encodable, encodeCbor } from "../support/people/cbor-encoder.ts";
import { FLAGS, SoftwareAuthenticator, type Tricks } from "../support/people/software-authenticator.ts";
import { TestServer } from "../support/product/server.ts";
import type { Answer, Client } from "../support/requests/client.ts";

const ORIGIN = "https://up.example.com";
const PASSWORD = "a password of Ana";
const UNAUTHORIZED = { status: 401, body: { error: "Unauthorized" } };
const NOT_FOUND = { status: 404, body: { error: "Not found" } };
const OWN_PAGE = { "sec-fetch-site": "same-origin" };
const MINUTE = 60_000;

/** A key of Ed25519 without a private one: the point R with S = 0 is a signature of every message. */
const NEUTRAL_POINT = encodeCbor(
  new Map<number, Encodable>([
    [1, 1],
    [3, -8],
    [-1, 6],
    [-2, new Uint8Array(32).with(0, 1)],
  ]),
);

let server: TestServer;
let anyone: Client;
let people = 0;
const logged: string[] = [];

beforeAll(async () => {
  const log = createLogger({ level: "warn" }, (line: string) => logged.push(line));
  server = await TestServer.start({ baseUrl: ORIGIN }, log);
  anyone = server.client.as(undefined);
});

afterAll(() => server[Symbol.asyncDispose]());

type Headers = Record<string, string>;
const post = (path: string, body: unknown, headers: Headers = OWN_PAGE) =>
  anyone.send("POST", `/api/v1${path}`, body, headers);
const getAs = (headers: Headers, path: string) => anyone.send("GET", `/api/v1${path}`, undefined, headers);

const cookieOf = ({ headers }: Answer) => ({
  cookie: headers.get("set-cookie")?.split(";")[0] ?? "",
  ...OWN_PAGE,
});

const newEmail = () => `ana${++people}@example.com`;

async function invite(email = newEmail(), client = server.client) {
  const { body } = await client.post("/api/v1/people", { email, role: "admin" });
  return { id: body.data.id as string, email, token: body.data.inviteUrl.split("/invite/")[1] as string };
}

/** Somebody who has accepted an invitation with a password. */
async function join() {
  const { token, ...person } = await invite();
  return {
    ...person,
    headers: cookieOf(await post(`/invites/${token}`, { name: "Ana", password: PASSWORD })),
  };
}

const optionsFor = async (headers: Headers) =>
  (await post("/me/passkeys/options", undefined, headers)).body.data;
const signInOptions = async () => (await post("/session/passkey-options", undefined)).body.data;
const device = (...given: Parameters<typeof SoftwareAuthenticator.create> | []) =>
  SoftwareAuthenticator.create(given[0] ?? ORIGIN, given[1]);

async function add(headers: Headers, own: SoftwareAuthenticator, tricks: Tricks = {}, name?: string) {
  const credential = await own.register(await optionsFor(headers), tricks);
  return post("/me/passkeys", { credential, name }, headers);
}

/** Somebody with a password and a passkey. */
async function joinWithPasskey() {
  const [person, own] = [await join(), await device()];
  const { body } = await add(person.headers, own);
  return { ...person, own, passkeyId: body.data.id as string };
}

const signIn = async (own: SoftwareAuthenticator, tricks: Tricks = {}, more: object = {}) =>
  post("/session", { passkey: await own.use(await signInOptions(), tricks), ...more });

describe("behavior 19.51: a person who is signed in", () => {
  test.each(["ES256", "EdDSA", "RS256"] as const)(
    "adds a passkey of %s, and signs in with it",
    async (algorithm) => {
      const [{ id, headers }, own] = [await join(), await device(ORIGIN, algorithm)];
      const added = await add(headers, own, {}, "Phone");
      expect(added).toMatchObject({ status: 201, body: { data: { name: "Phone", lastUsedAt: null } } });
      expect((await getAs(headers, "/me")).body.data.methods).toEqual(["password", "passkey"]);
      const answer = await signIn(own);
      expect(answer).toMatchObject({ status: 200, body: { data: { personId: id, role: "admin" } } });
      expect((await getAs(cookieOf(answer), "/me")).body.data.id).toBe(id);
      const [listed] = (await getAs(headers, "/me/passkeys")).body.data;
      expect(listed).toEqual({ ...added.body.data, lastUsedAt: expect.any(String) });
      const [entry] = (await server.client.get("/api/v1/audit?limit=1")).body.data;
      expect(entry).toMatchObject({ action: "session.created", changed: ["passkey"], actor: { id } });
    },
  );

  test("gets options for a discoverable credential with user verification, without attestation", async () => {
    const { id, email, headers, own } = await joinWithPasskey();
    const options = await optionsFor(headers);
    expect(options).toEqual({
      rp: { id: "up.example.com", name: "stillup" },
      user: { id: Buffer.from(id).toString("base64url"), name: email, displayName: "Ana" },
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      pubKeyCredParams: [-7, -8, -257].map((alg) => ({ type: "public-key", alg })),
      timeout: 300_000,
      excludeCredentials: [{ type: "public-key", id: own.id, transports: ["internal"] }],
      authenticatorSelection: {
        residentKey: "required",
        requireResidentKey: true,
        userVerification: "required",
      },
      attestation: "none",
    });
  });

  test("has several, the latest first, and none twice; a key has none", async () => {
    const { headers, own } = await joinWithPasskey();
    await add(headers, await device(), {}, "Laptop");
    const names = (await getAs(headers, "/me/passkeys")).body.data.map(({ name }: { name: string }) => name);
    expect(names).toEqual(["Laptop", "Passkey"]);
    const error = "the credential must not be registered already";
    expect(await add(headers, own)).toMatchObject({ status: 422, body: { error } });
    expect(await add((await join()).headers, own)).toMatchObject({ status: 422, body: { error } });
    expect(await server.client.get("/api/v1/me/passkeys")).toMatchObject(NOT_FOUND);
    expect((await post("/me/passkeys/options", undefined)).status).toBe(401);
    const foreign = { ...headers, "sec-fetch-site": "cross-site" };
    expect((await post("/me/passkeys/options", undefined, foreign)).status).toBe(403);
  });

  test("behavior 19.32: adds one within five minutes of a sign-in only", async () => {
    const [{ id, headers, email }, own] = [await join(), await device()];
    const options = await optionsFor(headers);
    await server.db.run(
      "UPDATE person_sessions SET created_at = created_at - 300001 WHERE person_pk = (SELECT pk FROM people WHERE id = $1)",
      id,
    );
    expect((await post("/me/passkeys/options", undefined, headers)).status).toBe(422);
    const credential = await own.register(options);
    expect((await post("/me/passkeys", { credential }, headers)).status).toBe(422);
    const again = cookieOf(await post("/session", { email, password: PASSWORD }));
    expect((await add(again, own)).status).toBe(201);
  });

  test("has at most 20", async () => {
    const { headers } = await joinWithPasskey();
    for (let more = 1; more < 20; more++) expect((await add(headers, await device())).status).toBe(201);
    expect((await add(headers, await device())).status).toBe(422);
  });

  test("behavior 19.41: is in the audit log with each passkey and password that they add or remove", async () => {
    const { id, headers, passkeyId } = await joinWithPasskey();
    const password = { current: PASSWORD, password: "another long password" };
    expect((await post("/me/password", password, headers)).status).toBe(200);
    const removed = await anyone.send("DELETE", `/api/v1/me/passkeys/${passkeyId}`, undefined, headers);
    expect(removed.status).toBe(200);
    const { data } = (await server.client.get("/api/v1/audit?limit=4")).body;
    const own = { action: "person.updated", actor: { type: "person", id }, resource: { type: "person", id } };
    expect(data.slice(0, 3)).toMatchObject([
      { ...own, changed: ["methods"] },
      { ...own, changed: ["password"] },
      { ...own, changed: ["methods"] },
    ]);
  });

  test("behavior 19.57: removes a passkey of their own, but not the last way to sign in", async () => {
    const { id, headers, own, passkeyId } = await joinWithPasskey();
    const remove = (which: string, as = headers) =>
      anyone.send("DELETE", `/api/v1/me/passkeys/${which}`, undefined, as);
    expect(await remove(passkeyId, (await join()).headers)).toMatchObject(NOT_FOUND);
    await server.db.run("UPDATE people SET password_hash = NULL, name = 'Ana' WHERE id = $1", id);
    expect(await remove(passkeyId)).toMatchObject({
      status: 422,
      body: { error: "your last way to sign in can't be removed: add another one first" },
    });
    expect((await signIn(own)).status).toBe(200);
    await add(headers, await device());
    expect((await remove(passkeyId)).status).toBe(200);
    expect(await signIn(own)).toMatchObject(UNAUTHORIZED);
  });
});

describe("behavior 19.52: a new passkey is refused", () => {
  const wrong: [string, Tricks, string][] = [
    [
      "of another origin",
      { origin: "https://up.example.org" },
      "the credential must be of the origin https://up.example.com",
    ],
    ["of another port", { origin: `${ORIGIN}:8443` }, "origin"],
    ["of plain HTTP", { origin: "http://up.example.com" }, "origin"],
    ["of another host", { rpId: "example.com" }, "the credential must be for the host up.example.com"],
    ["from a frame of another site", { crossOrigin: true }, "frame"],
    ["below another top origin", { topOrigin: "https://evil.example" }, "frame"],
    ["of a sign-in", { type: "webauthn.get" }, "type"],
    ["without user verification", { flags: FLAGS.present }, "the authenticator must verify the person"],
    ["without user presence", { flags: FLAGS.verified }, "verify the person"],
    ["with a backup that it can't have", { flags: 0x05 | FLAGS.backedUp }, "well-formed"],
    ["with another ID", { id: "AAAA" }, "id must be that of the new credential"],
    ["of a challenge that is not ours", { challenge: "A".repeat(43) }, "options of the last 5 minutes"],
    ["with authenticator data that is cut", { authData: (bytes) => bytes.subarray(0, -1) }, "CBOR"],
    [
      "with authenticator data that goes on",
      { authData: (bytes) => new Uint8Array([...bytes, 0]) },
      "well-formed",
    ],
    ["without a key", { authData: (bytes) => bytes.subarray(0, 37) }, "well-formed"],
    ["with a key for which everybody can sign", { publicKey: NEUTRAL_POINT }, "a valid one"],
  ];

  test.each(wrong)("%s", async (_, tricks, error) => {
    const [{ headers }, own] = [await join(), await device()];
    expect(await add(headers, own, tricks)).toMatchObject({
      status: 422,
      body: { error: expect.stringContaining(error) },
    });
    expect((await getAs(headers, "/me/passkeys")).body.data).toEqual([]);
  });

  test("behavior 19.53: whose challenge is used, of somebody else, of a sign-in, or five minutes old", async () => {
    const [ana, eve, own] = [await join(), await join(), await device()];
    const options = await optionsFor(ana.headers);
    const send = async (headers: Headers, given: object) =>
      (await post("/me/passkeys", { credential: await own.register({ ...options, ...given }) }, headers))
        .status;
    expect(await send(eve.headers, {})).toBe(422);
    // It is used, though by somebody else.
    expect(await send(ana.headers, {})).toBe(422);
    expect(await send(ana.headers, { challenge: (await signInOptions()).challenge })).toBe(422);
    const past = await beginningsOf(server, 5 * MINUTE);
    const old = past.challenge({ kind: "register", personId: ana.id });
    expect(await send(ana.headers, { challenge: old })).toBe(422);
    const recent = await beginningsOf(server, 4 * MINUTE);
    const still = recent.challenge({ kind: "register", personId: eve.id });
    expect(await send(ana.headers, { challenge: still })).toBe(422);
    // The same bytes in another text do not make another challenge.
    const { challenge: again } = await optionsFor(ana.headers);
    const twin = again.slice(0, -1) + String.fromCharCode(again.charCodeAt(42) + 1);
    expect(Buffer.from(twin, "base64url")).toEqual(Buffer.from(again, "base64url"));
    expect(await send(ana.headers, { challenge: twin })).toBe(422);
    const fresh = await optionsFor(ana.headers);
    expect(await send(ana.headers, { challenge: fresh.challenge })).toBe(201);
    expect(await send(ana.headers, { challenge: fresh.challenge })).toBe(422);
  });

  test.each([
    [{}, 422],
    [{ credential: {} }, 422],
    [{ credential: { id: "AAAA", type: "public-key", response: {} } }, 422],
    [
      {
        credential: {
          id: "A",
          type: "public-key",
          response: { clientDataJSON: "e30", attestationObject: "oA" },
        },
      },
      422,
    ],
    [
      {
        credential: {
          id: "A!",
          type: "public-key",
          response: { clientDataJSON: "e30", attestationObject: "oA" },
        },
      },
      422,
    ],
    [{ credential: "x".repeat(1024 * 1024) }, 413],
  ])("in a body that is none: %j", async (body, status) => {
    const { headers } = await join();
    expect((await post("/me/passkeys", body, headers)).status).toBe(status);
  });
});

describe("behavior 19.55: a sign-in is the same 401", () => {
  const wrong: [string, Tricks][] = [
    ["of another origin", { origin: "https://up.example.org" }],
    ["of another host", { rpId: "example.com" }],
    ["from a frame of another site", { crossOrigin: true }],
    ["below another top origin", { topOrigin: ORIGIN }],
    ["with the type of a registration", { type: "webauthn.create" }],
    ["without user verification", { flags: FLAGS.present }],
    ["without user presence", { flags: FLAGS.verified }],
    ["with another backup eligibility", { flags: 0x05 | FLAGS.eligible }],
    ["with an unknown credential", { id: "AAAA" }],
    ["with the handle of somebody else", { userHandle: "AAAA" }],
    ["with a challenge that is not ours", { challenge: "A".repeat(43) }],
    ["with authenticator data that is cut", { authData: (bytes) => bytes.subarray(0, 36) }],
    ["with authenticator data that goes on", { authData: (bytes) => new Uint8Array([...bytes, 0]) }],
  ];

  test.each(wrong)("%s", async (_, tricks) => {
    const { own } = await joinWithPasskey();
    expect(await signIn(own, tricks)).toMatchObject(UNAUTHORIZED);
    expect((await signIn(own)).status).toBe(200);
  });

  test("with a signature of another key, or the credential of somebody else", async () => {
    const [ana, eve] = [await joinWithPasskey(), await joinWithPasskey()];
    expect(await signIn(ana.own, { signer: eve.own })).toMatchObject(UNAUTHORIZED);
    expect(await signIn(eve.own, { id: ana.own.id })).toMatchObject(UNAUTHORIZED);
    expect(await signIn(eve.own, { id: ana.own.id, userHandle: ana.own.userHandle })).toMatchObject(
      UNAUTHORIZED,
    );
    expect(await signIn(eve.own, { userHandle: ana.own.userHandle })).toMatchObject(UNAUTHORIZED);
  });

  test("behavior 19.42: which is in the audit log of the person whose passkey it was said to be", async () => {
    const [ana, eve] = [await joinWithPasskey(), await joinWithPasskey()];
    expect(await signIn(ana.own, { signer: eve.own })).toMatchObject(UNAUTHORIZED);
    const failures = async () => {
      const { data } = (await server.client.get("/api/v1/audit?limit=10")).body;
      return data.filter(
        ({ action, actor }: { action: string; actor: { id: string } }) =>
          action === "session.failed" && actor.id === ana.id,
      );
    };
    await eventually(async () => (await failures()).length > 0);
    expect(await failures()).toMatchObject([{ changed: ["passkey"], address: null }]);
  });

  test("with a signature that is none, or changed", async () => {
    const { own } = await joinWithPasskey();
    for (const change of [() => "", () => "AAAA", (text: string) => `${text.slice(0, -4)}AAAA`]) {
      const passkey = await own.use(await signInOptions());
      const response = { ...passkey.response, signature: change(passkey.response.signature) };
      expect(await post("/session", { passkey: { ...passkey, response } })).toMatchObject(UNAUTHORIZED);
    }
  });

  test("behavior 19.53: with a challenge that is used, of another kind, or five minutes old", async () => {
    const { headers, own } = await joinWithPasskey();
    const passkey = await own.use(await signInOptions());
    expect((await post("/session", { passkey })).status).toBe(200);
    expect(await post("/session", { passkey })).toMatchObject(UNAUTHORIZED);
    const { challenge } = await optionsFor(headers);
    expect(await signIn(own, { challenge })).toMatchObject(UNAUTHORIZED);
    const begunAgo = async (minutes: number) =>
      (await beginningsOf(server, minutes * MINUTE)).challenge({ kind: "sign_in", personId: null });
    expect(await signIn(own, { challenge: await begunAgo(5) })).toMatchObject(UNAUTHORIZED);
    expect((await signIn(own, { challenge: await begunAgo(4) })).status).toBe(200);
  });

  test("behavior 19.53: and many at once with one challenge get one session", async () => {
    const { own } = await joinWithPasskey();
    const passkey = await own.use(await signInOptions());
    const answers = await Promise.all(Array.from({ length: 8 }, () => post("/session", { passkey })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(7);
  });

  test("of somebody who is disabled", async () => {
    const { id, own } = await joinWithPasskey();
    await server.client.patch(`/api/v1/people/${id}`, { state: "disabled" });
    expect(await signIn(own)).toMatchObject(UNAUTHORIZED);
  });

  test("behavior 7.7: except bodies that are too large or no credential", async () => {
    expect((await post("/session", { passkey: "x".repeat(1024 * 1024) })).status).toBe(413);
    expect((await post("/session", { passkey: {} })).status).toBe(422);
    const { own } = await joinWithPasskey();
    const foreign = { "sec-fetch-site": "cross-site" };
    expect((await post("/session/passkey-options", undefined, foreign)).status).toBe(403);
    const passkey = await own.use(await signInOptions());
    expect((await post("/session", { passkey }, foreign)).status).toBe(403);
  });
});

describe("behavior 19.54: a sign-in with a passkey", () => {
  test("names no credential in its options", async () => {
    expect(await signInOptions()).toEqual({
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      timeout: 300_000,
      rpId: "up.example.com",
      allowCredentials: [],
      userVerification: "required",
    });
  });

  test("of somebody in several organizations needs one, with the same answer of the authenticator", async () => {
    const { own, email } = await joinWithPasskey();
    const { token } = await invite(email, await server.organization());
    await post(`/invites/${token}`, { password: PASSWORD });
    const passkey = await own.use(await signInOptions());
    const choice = await post("/session", { passkey });
    expect(choice).toMatchObject({
      status: 422,
      body: { organizations: [{ name: "Default" }, { name: "Other" }] },
    });
    expect(choice.headers.get("set-cookie")).toBeNull();
    const [, { id: organizationId }] = choice.body.organizations;
    expect((await post("/session", { passkey, organizationId })).status).toBe(200);
    expect(await post("/session", { passkey, organizationId })).toMatchObject(UNAUTHORIZED);
  });

  test("keeps the challenge of that choice for the person who has answered it", async () => {
    const [ana, eve] = [await joinWithPasskey(), await joinWithPasskey()];
    const { token } = await invite(ana.email, await server.organization());
    await post(`/invites/${token}`, { password: PASSWORD });
    const options = await signInOptions();
    expect((await post("/session", { passkey: await ana.own.use(options) })).status).toBe(422);
    expect(await post("/session", { passkey: await eve.own.use(options) })).toMatchObject(UNAUTHORIZED);
  });

  test("behavior 19.56: with a counter that goes back is logged, and signs in", async () => {
    const { id, own } = await joinWithPasskey();
    const warnings = () => logged.filter((line) => line.includes(id));
    for (const counter of [5, 9]) expect((await signIn(own, { counter })).status).toBe(200);
    expect(warnings()).toEqual([]);
    expect((await signIn(own, { counter: 6 })).status).toBe(200);
    expect(warnings()).toEqual([expect.stringContaining("the counter of a passkey went back")]);
    expect((await signIn(own, { counter: 10 })).status).toBe(200);
    expect(warnings()).toHaveLength(1);
  });

  test("that is backed up later goes on", async () => {
    const [{ headers }, own] = [await join(), await device()];
    await add(headers, own, { flags: 0x05 | FLAGS.eligible });
    expect((await signIn(own, { flags: 0x05 | FLAGS.eligible | FLAGS.backedUp })).status).toBe(200);
    expect(await signIn(own)).toMatchObject(UNAUTHORIZED);
  });

  test("can be begun 100 times by one client, and then once a second", async () => {
    await using own = await TestServer.start({ baseUrl: ORIGIN });
    const begin = () =>
      own.client.as(undefined).send("POST", "/api/v1/session/passkey-options", undefined, OWN_PAGE);
    const statuses = new Set<number>();
    for (let at = 0; at < 100; at++) statuses.add((await begin()).status);
    expect([...statuses]).toEqual([200]);
    const refused = (await Promise.all(Array.from({ length: 50 }, begin))).filter(
      ({ status }) => status === 429,
    );
    expect(refused.length).toBeGreaterThan(0);
  });
});

describe("behavior 19.58: an invitation", () => {
  const optionsOf = (token: string, name?: string) => post(`/invites/${token}/passkey-options`, { name });

  test("is accepted with a new passkey and a name", async () => {
    const [{ id, email, token }, own] = [await invite(), await device()];
    const { data } = (await optionsOf(token, "Ana")).body;
    expect(data.user).toEqual({ id: Buffer.from(id).toString("base64url"), name: email, displayName: "Ana" });
    const passkey = await own.register(data);
    const answer = await post(`/invites/${token}`, { name: "Ana", passkey });
    expect(answer).toMatchObject({ status: 200, body: { data: { personId: id } } });
    expect((await getAs(cookieOf(answer), "/me")).body.data).toMatchObject({
      name: "Ana",
      methods: ["passkey"],
    });
    const listed = (await server.client.get("/api/v1/people")).body.data;
    expect(listed.find((one: { id: string }) => one.id === id).methods).toEqual(["passkey"]);
    expect((await signIn(own)).status).toBe(200);
    expect(await post("/session", { email, password: PASSWORD })).toMatchObject(UNAUTHORIZED);
    expect(await post(`/invites/${token}`, { name: "Ana", passkey })).toMatchObject(NOT_FOUND);
    expect(await optionsOf(token)).toMatchObject(NOT_FOUND);
  });

  test("stays open after a passkey that is refused, for each reason", async () => {
    const [{ token }, other, own] = [await invite(), await invite(), await device()];
    const { data: foreign } = (await optionsOf(other.token)).body;
    for (const [options, tricks] of [
      [foreign, {}],
      [(await optionsOf(token)).body.data, { origin: "https://evil.example" }],
      [(await optionsOf(token)).body.data, { flags: FLAGS.present }],
    ] as const) {
      const passkey = await own.register(options, tricks);
      expect((await post(`/invites/${token}`, { name: "Ana", passkey })).status).toBe(422);
    }
    const passkey = await own.use(await signInOptions());
    expect(await post(`/invites/${token}`, { name: "Ana", passkey })).toMatchObject({
      status: 422,
      body: { error: "passkey must be a new registration, not a sign-in" },
    });
    const both = await own.register((await optionsOf(token)).body.data);
    expect((await post(`/invites/${token}`, { passkey: both, password: PASSWORD })).status).toBe(422);
    const right = await own.register((await optionsOf(token)).body.data);
    expect((await post(`/invites/${token}`, { name: "Ana", passkey: right })).status).toBe(200);
  });

  /** Somebody with only a passkey, who is invited to another organization. */
  async function invitedAgain() {
    const [{ id, email, token }, own] = [await invite(), await device()];
    const { data } = (await optionsOf(token)).body;
    const answer = await post(`/invites/${token}`, { name: "Ana", passkey: await own.register(data) });
    const { token: second } = await invite(email, await server.organization());
    return { id, email, own, headers: cookieOf(answer), token: second };
  }

  test("behavior 19.6: of somebody with a passkey needs that one, and changes nothing of theirs", async () => {
    const { id, own, token, email } = await invitedAgain();
    const eve = await joinWithPasskey();
    const { data: options } = (await optionsOf(token, "Eve")).body;
    expect(options).toMatchObject({ allowCredentials: [], rpId: "up.example.com" });
    expect(await post(`/invites/${token}`, { name: "Eve", password: "another password" })).toMatchObject(
      UNAUTHORIZED,
    );
    expect(await post(`/invites/${token}`, { name: "Eve" })).toMatchObject(UNAUTHORIZED);
    for (const passkey of [
      await eve.own.use(options),
      await own.use(await signInOptions()),
      await (await device()).register({
        ...options,
        rp: { id: "up.example.com" },
        user: { id: own.userHandle },
      }),
    ])
      expect(await post(`/invites/${token}`, { name: "Eve", passkey })).toMatchObject(UNAUTHORIZED);
    const passkey = await own.use((await optionsOf(token)).body.data);
    const answer = await post(`/invites/${token}`, { name: "Eve", passkey });
    expect(answer).toMatchObject({ status: 200, body: { data: { personId: id } } });
    const { data } = (await getAs(cookieOf(answer), "/me")).body;
    expect(data).toMatchObject({ name: "Ana", email, methods: ["passkey"], organization: { name: "Other" } });
  });

  test("behavior 19.6: or a session of theirs, and of nobody else", async () => {
    const { id, token, headers } = await invitedAgain();
    expect(await post(`/invites/${token}`, {}, (await join()).headers)).toMatchObject(UNAUTHORIZED);
    const foreign = { ...headers, "sec-fetch-site": "cross-site" };
    expect((await post(`/invites/${token}`, {}, foreign)).status).toBe(403);
    const answer = await post(`/invites/${token}`, { name: "Eve" }, headers);
    expect(answer).toMatchObject({ status: 200, body: { data: { personId: id } } });
    expect((await getAs(cookieOf(answer), "/me")).body.data).toMatchObject({
      name: "Ana",
      methods: ["passkey"],
    });
  });

  test("of somebody with a password only has no options", async () => {
    const { email } = await join();
    const { token } = await invite(email, await server.organization());
    expect(await optionsOf(token)).toMatchObject({
      status: 422,
      body: { error: "this account has no passkey: use the method with which you usually sign in" },
    });
  });

  test("behavior 19.8: and a link of the command line replaces all, for somebody who has lost theirs", async () => {
    const { id, headers, own } = await invitedAgain();
    const token = `person_${crypto.randomUUID()}`;
    await server.store.people.createLink({ personId: id, token }, server.now());
    const found = await device();
    const { data } = (await optionsOf(token)).body;
    expect(data.excludeCredentials).toHaveLength(1);
    expect((await post(`/invites/${token}`, { passkey: await found.register(data) })).status).toBe(200);
    expect(await getAs(headers, "/me")).toMatchObject(UNAUTHORIZED);
    expect((await signIn(own)).status).toBe(401);
    expect((await signIn(found)).status).toBe(200);
  });
});

describe("behavior 19.50: without a host name or a secure page", () => {
  test.each(["http://up.example.com", "https://192.0.2.1", "https://[2001:db8::1]", "http://127.0.0.1"])(
    "at %s, all routes of passkeys are a 404",
    async (baseUrl) => {
      await using own = await TestServer.start({ baseUrl });
      const { body } = await own.client.post("/api/v1/people", { email: "ana@example.com", role: "owner" });
      const token = body.data.inviteUrl.split("/invite/")[1];
      const client = own.client.as(undefined);
      const send = (path: string, given: unknown, headers: Headers = OWN_PAGE, method = "POST") =>
        client.send(method, `/api/v1${path}`, given, headers);
      const credential = await (await device(baseUrl)).use({ challenge: "A", rpId: "127.0.0.1" });
      expect(await send(`/invites/${token}/passkey-options`, {})).toMatchObject(NOT_FOUND);
      expect(await send(`/invites/${token}`, { passkey: credential })).toMatchObject(NOT_FOUND);
      expect(await send("/session/passkey-options", undefined)).toMatchObject(NOT_FOUND);
      expect(await send("/session", { passkey: credential })).toMatchObject(NOT_FOUND);
      const headers = cookieOf(await send(`/invites/${token}`, { name: "Ana", password: PASSWORD }));
      expect(await send("/me/passkeys/options", undefined, headers)).toMatchObject(NOT_FOUND);
      expect(await send("/me/passkeys", { credential }, headers)).toMatchObject(NOT_FOUND);
      expect(await send("/me/passkeys", undefined, headers, "GET")).toMatchObject(NOT_FOUND);
      expect(await send("/me/passkeys/x", undefined, headers, "DELETE")).toMatchObject(NOT_FOUND);
      expect((await send("/me", undefined, headers, "GET")).status).toBe(200);
    },
  );
});
