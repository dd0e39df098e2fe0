import { describe, expect, test } from "bun:test";
import type { Caller } from "../../../src/domain/accounts/api-key.ts";
import { hashKey } from "../../../src/store/accounts/api-keys.ts";
import { contractSuite } from "./suite.ts";
import { DAY, HOUR, MINUTE, NOW, type World } from "./world.ts";

const notFound = { kind: "not_found" };
const invalid = { kind: "invalid" };
const unauthorized = { kind: "unauthorized" };
const client = { address: "192.0.2.1", userAgent: "test" };

contractSuite("people", (world) => {
  const people = () => world().store.people;
  const sessions = () => world().store.personSessions;

  describe("behavior 19.1: a person", () => {
    test("is one for an address, with a role and a state of each organization", async () => {
      const other = await world().another();
      const ana = await invite(world(), "Ana@example.com", "t1");
      const same = await invite(other, "aNA@EXAMPLE.com", "t2", "viewer");
      expect(same.id).toBe(ana.id);
      expect(await people().hasPasswords()).toBe(false);
      await people().redeemInvite({ token: "t1", name: "Ana", way: { passwordHash: "h" } }, NOW);
      expect(await people().hasPasswords()).toBe(true);
      const roles = async (own: World) =>
        (await people().list(own.organizationId)).map(({ role, state, methods }) => [role, state, methods]);
      expect(await roles(world())).toEqual([["admin", "active", ["password"]]]);
      expect(await roles(other)).toEqual([["viewer", "invited", []]]);
      await people().update(other.organizationId, ana.id, { role: "owner" });
      expect((await people().find(world().organizationId, ana.id)).role).toBe("admin");
      await people().delete(world().organizationId, ana.id);
      expect((await people().find(other.organizationId, ana.id)).role).toBe("owner");
      await people().delete(other.organizationId, ana.id);
      expect(await people().findApplicant("ana@example.com")).toBeUndefined();
    });

    test("is in an organization once, and unknown ones are not found", async () => {
      const ana = await invite(world(), "ana@example.com", "t");
      const again = invite(world(), "ANA@example.com", "t2");
      expect(await again.catch((error) => error)).toMatchObject(invalid);
      const other = await world().another();
      for (const lookup of [
        people().find(other.organizationId, ana.id),
        people().update(other.organizationId, ana.id, { name: "x" }),
        people().delete(world().organizationId, "none"),
        people().invite({ organizationId: other.organizationId, id: ana.id, token: "x" }, NOW),
        people().findProfile("none"),
        people().createLink({ personId: "none", token: "x" }, NOW),
      ])
        expect(await lookup.catch((error: unknown) => error)).toMatchObject(notFound);
    });
  });

  describe("behavior 19.5: an invitation", () => {
    test("holds for seven days, once, and a new one ends it", async () => {
      const { id } = await invite(world(), "ana@example.com", "first");
      expect(await people().findInvite("first", NOW + 7 * DAY - 1)).toMatchObject({
        role: "admin",
        passwordHash: null,
      });
      const late = people().findInvite("first", NOW + 7 * DAY);
      expect(await late.catch((error) => error)).toMatchObject(notFound);
      await people().invite({ organizationId: world().organizationId, id, token: "second" }, NOW);
      const old = people().findInvite("first", NOW);
      expect(await old.catch((error) => error)).toMatchObject(notFound);
      await people().redeemInvite({ token: "second", name: "Ana", way: { passwordHash: "h" } }, NOW);
      const twice = people().redeemInvite({ token: "second", name: "Eve", way: { passwordHash: "x" } }, NOW);
      expect(await twice.catch((error) => error)).toMatchObject(notFound);
      expect((await people().findProfile(id)).name).toBe("Ana");
    });

    test("behavior 19.6: never replaces the password of another invitation that is accepted at the same time", async () => {
      const { id } = await invite(world(), "ana@example.com", "own");
      await invite(await world().another(), "ana@example.com", "foreign");
      await people().redeemInvite({ token: "own", name: "Ana", way: { passwordHash: "of Ana" } }, NOW);
      const late = people().redeemInvite(
        { token: "foreign", name: "Eve", way: { passwordHash: "of Eve" } },
        NOW,
      );
      expect(await late.catch((error) => error)).toMatchObject(notFound);
      expect(await people().findProfile(id)).toMatchObject({ name: "Ana", passwordHash: "of Ana" });
    });

    test("behavior 19.8: a link of the command line sets a password, and ends the sessions", async () => {
      const { id } = await join(world(), "ana@example.com");
      const token = "session";
      await begin(world(), id, token);
      await people().createLink({ personId: id, token: "old" }, NOW);
      await people().createLink({ personId: id, token: "link" }, NOW);
      for (const [link, now] of [
        ["old", NOW],
        ["link", NOW + HOUR],
      ] as const)
        expect(
          await people()
            .findInvite(link, now)
            .catch((error: unknown) => error),
        ).toMatchObject(notFound);
      expect(await people().findInvite("link", NOW + HOUR - 1)).toMatchObject({
        organization: null,
        role: null,
      });
      await people().redeemInvite({ token: "link", way: { passwordHash: "new" } }, NOW);
      expect((await people().findProfile(id)).passwordHash).toBe("new");
      expect(await sessions().findCaller(hashKey(token))).toBeUndefined();
    });

    test("behavior 19.8: a link accepts the invitations of somebody who is active nowhere, and of nobody else", async () => {
      const other = await world().another();
      const { id } = await invite(world(), "ana@example.com", "own");
      const state = async (own: World) => (await people().find(own.organizationId, id)).state;
      await people().createLink({ personId: id, token: "link" }, NOW);
      const nameless = people().redeemInvite({ token: "link", way: { passwordHash: "new" } }, NOW);
      expect(await nameless.catch((error) => error)).toMatchObject(invalid);
      await people().redeemInvite({ token: "link", name: "Ana", way: { passwordHash: "new" } }, NOW);
      await invite(other, "ana@example.com", "later");
      await people().createLink({ personId: id, token: "second" }, NOW);
      await people().redeemInvite({ token: "second", way: { passwordHash: "newer" } }, NOW);
      expect([await state(world()), await state(other)]).toEqual(["active", "invited"]);
    });

    test("behavior 19.17: a link for an address is for somebody with a way in who is active or invited, and ends no other", async () => {
      const { id } = await join(world(), "ana@example.com");
      await invite(world(), "eve@example.com", "eve");
      await people().createLink({ personId: id, token: "printed" }, NOW);
      const create = (email: string, token: string) => people().createLinkFor({ email, token }, NOW);
      expect(await create("ANA@example.com", "mailed")).toMatchObject({ id, email: "ana@example.com" });
      expect([await create("eve@example.com", "x"), await create("nobody@example.com", "y")]).toEqual([
        ...[null, null],
      ]);
      for (const token of ["printed", "mailed"])
        expect(await people().findInvite(token, NOW)).toMatchObject({ role: null });
      await people().update(world().organizationId, id, { state: "disabled" });
      expect(await create("ana@example.com", "z")).toBeNull();
      await invite(await world().another(), "ana@example.com", "elsewhere");
      expect(await create("ana@example.com", "z")).toMatchObject({ id });
    });

    test("behavior 19.13: a link has no use after a new password", async () => {
      const { id } = await join(world(), "ana@example.com");
      await people().createLink({ personId: id, token: "link" }, NOW);
      const { sessionId: keptSessionId = "" } = await begin(world(), id, "token");
      const change = { personId: id, currentHash: "hash", passwordHash: "new", keptSessionId };
      await people().setPassword(change, NOW);
      const link = people().findInvite("link", NOW);
      expect(await link.catch((error: unknown) => error)).toMatchObject(notFound);
    });
  });

  describe("behavior 19.31: what somebody has presented", () => {
    const changes: [name: string, change: (id: string) => Promise<unknown>][] = [
      [
        "a new password",
        async (id) => {
          const { sessionId: keptSessionId = "" } = await begin(world(), id, "own");
          const change = { personId: id, currentHash: "hash", passwordHash: "new", keptSessionId };
          await people().setPassword(change, NOW);
        },
      ],
      [
        "a link",
        async (id) => {
          await people().createLink({ personId: id, token: "link" }, NOW);
          await people().redeemInvite({ token: "link", way: { passwordHash: "new" } }, NOW);
        },
      ],
    ];

    test.each(changes)(
      "does not begin a session after %s, nor accept an invitation, nor set a password",
      async (_, change) => {
        const { id } = await join(world(), "ana@example.com");
        const other = await world().another();
        await invite(other, "ana@example.com", "elsewhere");
        const { sessionId = "" } = await begin(world(), id, "before");
        await change(id);
        const judged = { by: "password", passwordHash: "hash" } as const;
        const late = {
          personId: id,
          currentHash: "hash",
          passwordHash: "of the thief",
          keptSessionId: sessionId,
        };
        const attempts = [
          () => begin(world(), id, "late"),
          () => people().redeemInvite({ token: "elsewhere", way: judged }, NOW),
          () => people().redeemInvite({ token: "elsewhere", way: { by: "session", sessionId } }, NOW),
          () => people().setPassword(late, NOW),
        ];
        for (const attempt of attempts)
          expect(await attempt().catch((error: unknown) => error)).toMatchObject(unauthorized);
        expect((await people().findProfile(id)).passwordHash).toBe("new");
        expect((await people().find(other.organizationId, id)).state).toBe("invited");
      },
    );

    test("of two new passwords at once, the second does not replace the first", async () => {
      const { id } = await join(world(), "ana@example.com");
      const { sessionId: keptSessionId = "" } = await begin(world(), id, "own");
      const set = (passwordHash: string) =>
        people()
          .setPassword({ personId: id, currentHash: "hash", passwordHash, keptSessionId }, NOW)
          .catch((error) => error);
      const ends = await Promise.all([set("first"), set("second")]);
      expect(ends.filter((end) => end instanceof Error)).toMatchObject([invalid]);
    });
  });

  describe("behavior 19.8: a link", () => {
    test("of somebody who is disabled everywhere signs nobody in, changes nothing, and is not spent", async () => {
      const { id } = await join(world(), "ana@example.com");
      await people().createLink({ personId: id, token: "link" }, NOW);
      await people().update(world().organizationId, id, { state: "disabled" });
      const redeem = () =>
        people()
          .redeemInvite({ token: "link", way: { passwordHash: "new" } }, NOW)
          .catch((error) => error);
      expect(await redeem()).toMatchObject(unauthorized);
      expect((await people().findProfile(id)).passwordHash).toBe("hash");
      await people().update(world().organizationId, id, { state: "active" });
      expect(await redeem()).toMatchObject({ personId: id, organizationId: world().organizationId });
    });
  });

  describe("behavior 19.30: a session of a person", () => {
    test("is for one organization in which they are active, and expires 30 days after its last use", async () => {
      const { id } = await join(world(), "ana@example.com");
      const caller = await begin(world(), id, "token");
      expect(caller).toMatchObject({
        actor: { type: "person", id, name: "Ana" },
        role: "admin",
        organizationId: world().organizationId,
        expiresAt: NOW + 30 * DAY,
      });
      await sessions().renew(
        new Map([
          [caller.sessionId ?? "", NOW + DAY],
          ["gone", NOW],
        ]),
      );
      expect((await sessions().findCaller(hashKey("token")))?.expiresAt).toBe(NOW + 31 * DAY);
      expect(await people().find(world().organizationId, id)).toMatchObject({ lastSeenAt: NOW + DAY });
      const other = await world().another();
      expect(await begin(other, id, "x").catch((error) => error)).toMatchObject(unauthorized);
      await people().update(world().organizationId, id, { state: "disabled" });
      expect(await sessions().findCaller(hashKey("token"))).toBeUndefined();
    });

    test("behavior 19.32: is fresh for five minutes after a sign-in, and only for its person", async () => {
      const { id: personId } = await join(world(), "ana@example.com");
      const { sessionId = "" } = await begin(world(), personId, "token");
      const fresh = (of: string, now: number) =>
        sessions()
          .assertFresh({ personId: of, sessionId }, now)
          .catch((error: unknown) => error);
      expect(await fresh(personId, NOW + 5 * MINUTE)).toBeUndefined();
      expect(await fresh(personId, NOW + 5 * MINUTE + 1)).toMatchObject(invalid);
      for (const of of [(await join(world(), "eve@example.com")).id, "none"])
        expect(await fresh(of, NOW)).toMatchObject(unauthorized);
    });

    test("switches to another organization of the person, and to no other", async () => {
      const { id } = await join(world(), "ana@example.com");
      const [second, foreign] = [await world().another(), await world().another()];
      await invite(second, "ana@example.com", "t2", "viewer");
      await people().redeemInvite({ token: "t2", way: { by: "password", passwordHash: "hash" } }, NOW);
      await begin(world(), id, "token");
      const to = (own: World) =>
        sessions().switchOrganization({ token: "token", personId: id, organizationId: own.organizationId });
      await to(second);
      expect(await sessions().findCaller(hashKey("token"))).toMatchObject({ role: "viewer" });
      expect(await to(foreign).catch((error) => error)).toMatchObject(notFound);
    });

    test("is listed for its person, who ends it; a new password ends all others", async () => {
      const { id } = await join(world(), "ana@example.com");
      const eve = await join(world(), "eve@example.com");
      const [first, second] = [await begin(world(), id, "a"), await begin(world(), id, "b", NOW + MINUTE)];
      await begin(world(), id, "c", NOW + 2 * MINUTE);
      const listed = await sessions().list(id, NOW);
      expect(listed.map(({ createdAt }) => createdAt)).toEqual([NOW + 2 * MINUTE, NOW + MINUTE, NOW]);
      expect(listed[2]).toMatchObject({ id: first.sessionId, ...client });
      const foreign = sessions().deleteOwn({ personId: eve.id, id: first.sessionId ?? "" });
      expect(await foreign.catch((error) => error)).toMatchObject(notFound);
      await sessions().deleteOwn({ personId: id, id: first.sessionId ?? "" });
      const keptSessionId = second.sessionId ?? "";
      const change = { personId: id, currentHash: "hash", passwordHash: "new", keptSessionId };
      await people().setPassword(change, NOW);
      expect((await sessions().list(id, NOW)).map((one) => one.id)).toEqual([second.sessionId ?? ""]);
      await sessions().delete("b");
      expect(await sessions().list(id, NOW)).toEqual([]);
    });
  });

  test("behavior 19.42: failed sign-ins are in the audit log of the organization, without any address", async () => {
    const other = await world().another();
    const [ana, eve] = [
      await join(world(), "ana@example.com"),
      await invite(other, "eve@example.com", "eve"),
    ];
    const { organizationId } = world();
    const failure = (personId: string, at: number) =>
      ({ personId, organizationId, method: "password", at }) as const;
    await people().recordFailures([
      failure(ana.id, NOW),
      failure(eve.id, NOW),
      failure(ana.id, NOW + MINUTE),
    ]);
    const { items } = await world().store.audit.list(organizationId, { limit: 10 });
    const who = { id: ana.id, name: "Ana" };
    const entry = {
      ...{ action: "session.failed", actor: { type: "person", ...who }, changed: ["password"] },
      ...{ resource: { type: "session", ...who }, address: null },
    };
    const failed = items.filter(({ action }) => action === "session.failed");
    expect(failed).toMatchObject([
      { ...entry, createdAt: NOW + MINUTE },
      { ...entry, createdAt: NOW },
    ]);
    expect(JSON.stringify(failed)).not.toContain("@");
  });

  test("behavior 19.40: two changes at once do not end the last two ways in", async () => {
    const [ana, bob] = [await join(world(), "ana@example.com"), await join(world(), "bob@example.com")];
    const { organizationId } = world();
    for (const { id } of [ana, bob]) await people().update(organizationId, id, { role: "owner" });
    const ends = await Promise.all(
      [ana, bob].map(({ id }) =>
        people()
          .update(organizationId, id, { state: "disabled" })
          .catch((error) => error),
      ),
    );
    expect(ends.filter((end) => end instanceof Error)).toMatchObject([{ kind: "last_way_in" }]);
    const active = (await people().list(organizationId)).filter(({ state }) => state === "active");
    expect(active).toHaveLength(1);
  });
});

function invite(
  { store, organizationId }: World,
  email: string,
  token: string,
  role: "admin" | "viewer" = "admin",
) {
  return store.people.create({ organizationId, email, role, token }, NOW);
}

async function join(world: World, email: string) {
  const token = `invite of ${email}`;
  const person = await invite(world, email, token);
  await world.store.people.redeemInvite({ token, name: "Ana", way: { passwordHash: "hash" } }, NOW);
  return person;
}

function begin(
  { store, organizationId }: World,
  personId: string,
  token: string,
  now = NOW,
): Promise<Caller> {
  const proof = { by: "password", passwordHash: "hash" } as const;
  const given = { personId, organizationId, token, proof, method: "password", ...client } as const;
  return store.personSessions.create(given, now);
}
