import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Store } from "../../src/store/store.ts";
import { shiftClock } from "../support/clock.ts";
import { eventually } from "../support/eventually.ts";
import { joinedPerson, PASSWORD, type SignedInPerson, signedIn } from "../support/people/person.ts";
import { SoftwareAuthenticator } from "../support/people/software-authenticator.ts";
import { startNode, type TestNode } from "../support/product/node.ts";
import type { Client } from "../support/requests/client.ts";
import { sharedCluster } from "../support/store/postgres/cluster.ts";
import { createTestDatabase, dropDatabase } from "../support/store/postgres/databases.ts";
import { openPostgres } from "../support/store/postgres/postgres-store.ts";
import { findPrograms } from "../support/store/postgres/programs.ts";

setDefaultTimeout(300_000);

const ORIGIN = "https://up.example.com";
const OWN_PAGE = { "sec-fetch-site": "same-origin" };
const NEW_PASSWORD = "another long password";
const MINUTE = 60_000;

describe.skipIf(findPrograms() === undefined)("people on two nodes", () => {
  const ends = new AsyncDisposableStack();
  let now: TestNode["now"];
  /** As the command line has it. */
  let store: Store;
  let first: Client;
  let second: Client;
  let people = 0;

  beforeAll(async () => {
    const database = await createTestDatabase();
    ends.defer(() => dropDatabase(database));
    const cluster = await sharedCluster();
    const url = cluster.url(database);
    const a = ends.use(await startNode(url, { baseUrl: ORIGIN }));
    const b = ends.use(await startNode(url, { baseUrl: ORIGIN }));
    now = a.now;
    const opened = ends.use(await openPostgres(cluster, database, (given) => given));
    store = opened.store;
    first = a.client;
    second = b.client.as(a.client.key);
  });

  afterAll(() => ends[Symbol.asyncDispose]());

  /** Somebody with a session on the first node, which both nodes know, and another session. */
  async function join() {
    const email = `p${people++}@example.com`;
    const here = await joinedPerson(first, { email, role: "admin" });
    const person = { id: here.id, email };
    const other = await signedIn(second, person);
    for (const session of [here, here.at(second), other, other.at(first)])
      expect((await session.send("GET", "/api/v1/me")).status).toBe(200);
    return { ...person, here, there: here.at(second), other };
  }

  type Joined = Awaited<ReturnType<typeof join>>;

  const everywhere = (session: SignedInPerson) =>
    Promise.all([session.at(first), session.at(second)].map((at) => at.send("GET", "/api/v1/monitors")));
  const statuses = async (session: SignedInPerson) => (await everywhere(session)).map(({ status }) => status);

  const ways: [name: string, end: (of: Joined) => Promise<unknown>][] = [
    ["signs out", ({ here }) => here.send("DELETE", "/api/v1/session")],
    [
      "ends it in another session",
      async ({ other }) => {
        const { data } = (await other.send("GET", "/api/v1/me/sessions")).body;
        const own = data.find(({ current }: { current: boolean }) => !current);
        return other.send("DELETE", `/api/v1/me/sessions/${own.id}`);
      },
    ],
    [
      "sets a new password in another session",
      ({ other }) => other.send("POST", "/api/v1/me/password", { current: PASSWORD, password: NEW_PASSWORD }),
    ],
    ["is disabled", ({ id }) => second.patch(`/api/v1/people/${id}`, { state: "disabled" })],
    ["is deleted", ({ id }) => second.delete(`/api/v1/people/${id}`)],
  ];

  test.each(ways)("behavior 19.7, 19.30: a session ends on all nodes when the person %s", async (_, end) => {
    const joined = await join();
    expect(await end(joined)).toMatchObject({ status: 200 });
    expect(await statuses(joined.here)).toEqual([401, 401]);
  });

  test("behavior 19.8: and when a link of the command line is used at another node", async () => {
    const { id, here } = await join();
    const token = `person_${"n".repeat(43)}`;
    await store.people.createLink({ personId: id, token }, now());
    expect(await statuses(here)).toEqual([200, 200]);
    const body = { password: NEW_PASSWORD };
    const used = await second.as(undefined).send("POST", `/api/v1/invites/${token}`, body, OWN_PAGE);
    expect(used.status).toBe(200);
    expect(await statuses(here)).toEqual([401, 401]);
  });

  test("behavior 19.7: a role that was changed at one node counts at the other for the next request (removed role)", async () => {
    const { id, here, there } = await join();
    const write = (at: SignedInPerson) =>
      at.send("POST", "/api/v1/monitors", { name: "m", type: "SCHEDULED", config: {} });
    expect([(await write(here)).status, (await write(there)).status]).toEqual([201, 201]);
    await second.patch(`/api/v1/people/${id}`, { role: "viewer" });
    expect([(await write(here)).status, (await write(there)).status]).toEqual([403, 403]);
    await first.patch(`/api/v1/people/${id}`, { role: "admin" });
    expect([(await write(there)).status, (await write(here)).status]).toEqual([201, 201]);
  });

  test("behavior 19.7: the stream at one node ends before its next pulse when the person is disabled at the other", async () => {
    const { id, there } = await join();
    const stream = await there.stream();
    const ended = stream.text();
    await first.patch(`/api/v1/people/${id}`, { state: "disabled" });
    expect((await ended).match(/event: pulse/g)).toHaveLength(1);
  });

  test("behavior 19.5: an invitation is accepted once, at whichever node", async () => {
    const email = `p${people++}@example.com`;
    const { inviteUrl } = (await first.post("/api/v1/people", { email, role: "viewer" })).body.data;
    const path = `/api/v1/invites/${inviteUrl.split("/invite/")[1]}`;
    const accept = (at: Client) =>
      at.as(undefined).send("POST", path, { name: "Ana", password: PASSWORD }, OWN_PAGE);
    const answers = await Promise.all([first, second, first, second].map(accept));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404, 404, 404]);
  });

  test("behavior 19.21: failed sign-ins are counted by each node, and are in one audit log", async () => {
    const { id, email } = await join();
    const guess = async (at: Client) => {
      const body = { email, password: "not the password" };
      return (await at.as(undefined).send("POST", "/api/v1/session", body, OWN_PAGE)).status;
    };
    for (let at = 0; at < 10; at++) expect(await guess(first)).toBe(401);
    expect([await guess(first), await guess(second)]).toEqual([429, 401]);
    await eventually(async () => {
      const { data } = (await first.get("/api/v1/audit?limit=50")).body;
      const failed = data.filter(
        ({ action, actor }: { action: string; actor: { id: string } }) =>
          action === "session.failed" && actor.id === id,
      );
      return failed.length === 11;
    });
  });

  test("behavior 19.53: a passkey is added and used with challenges of another node", async () => {
    const { here, there } = await join();
    const own = await SoftwareAuthenticator.create(ORIGIN);
    const options = (await here.send("POST", "/api/v1/me/passkeys/options")).body.data;
    const credential = await own.register(options);
    expect((await there.send("POST", "/api/v1/me/passkeys", { credential })).status).toBe(201);
    const [begin, end] = [first.as(undefined), second.as(undefined)];
    const challenge = await begin.send("POST", "/api/v1/session/passkey-options", undefined, OWN_PAGE);
    const passkey = await own.use(challenge.body.data);
    expect((await end.send("POST", "/api/v1/session", { passkey }, OWN_PAGE)).status).toBe(200);
    expect((await begin.send("POST", "/api/v1/session", { passkey }, OWN_PAGE)).status).toBe(401);
  });

  test.each([MINUTE, -MINUTE])(
    "behavior 12.5, 19.30: sessions have the time of the database on machines whose clocks are %d ms wrong",
    async (shift) => {
      const before = now();
      using _ = shiftClock(shift);
      const { here, other } = await join();
      expect([await statuses(here), await statuses(other)].flat()).toEqual([200, 200, 200, 200]);
      const { data } = (await here.at(second).send("GET", "/api/v1/me/sessions")).body;
      expect(data).toHaveLength(2);
      for (const { createdAt, lastSeenAt } of data)
        for (const at of [createdAt, lastSeenAt])
          expect(Math.abs(Date.parse(at) - before)).toBeLessThan(MINUTE / 2);
    },
  );
});
