import { describe, expect, test } from "bun:test";
import type { Role } from "../../../src/domain/accounts/role.ts";
import { METHODS, type Method } from "../../../src/domain/people/person.ts";
import { createPersonToken } from "../../../src/store/ids.ts";
import type { ProvenPerson } from "../../../src/store/store.ts";
import { contractSuite } from "./suite.ts";
import { HOUR, NOW } from "./world.ts";

const refused = { kind: "forbidden" };

/** Somebody whom a provider knows. */
const ANA: ProvenPerson = {
  issuer: "https://idp.example.com/",
  subject: "ana",
  email: "ana@example.com",
  isEmailVerified: true,
  name: "Ana",
  given: null,
  address: "192.0.2.1",
};

contractSuite("identities", (world, _, slow) => {
  async function invite(organizationId: string, role: Role = "viewer", name?: string): Promise<string> {
    const given = { organizationId, email: ANA.email ?? "", role, name, token: createPersonToken() };
    await world().store.people.create(given, NOW);
    return given.token;
  }

  async function session(personId: string, organizationId: string) {
    const client = { address: "192.0.2.1", userAgent: "test" };
    const given = {
      personId,
      organizationId,
      token: createPersonToken(),
      method: "oidc",
      proof: { by: "identity", issuer: ANA.issuer, subject: ANA.subject },
      ...client,
    } as const;
    const { sessionId = "" } = await world().store.personSessions.create(given, NOW);
    return { sessionId, token: given.token };
  }

  describe("behavior 19.66: an identity", () => {
    test("is attached to the person of an open invitation, and found again", async () => {
      const { store, organizationId } = world();
      await expect(store.identities.signIn(ANA, NOW)).rejects.toMatchObject(refused);
      await invite(organizationId, "admin");
      const found = await store.identities.signIn(ANA, NOW);
      expect(found).toEqual({ personId: expect.any(String), organizationId, keptRole: null });
      expect(await store.identities.signIn({ ...ANA, email: undefined }, NOW)).toEqual(found);
      expect(await store.people.find(organizationId, found.personId)).toMatchObject({
        ...{ name: "Ana", role: "admin", state: "active", methods: ["oidc"] },
      });
    });

    slow("is refused before the transaction of an edit, as within it", async () => {
      const { store, organizationId } = world();
      const given = { role: "viewer", organizationId } as const;
      const reasonOf = (judged: Promise<unknown>) =>
        judged.then(
          () => undefined,
          ({ message }: Error) => message,
        );
      const isRefused = async (proven: ProvenPerson, now = NOW) => {
        const reason = await reasonOf(store.identities.assertMaySignIn(proven, now));
        expect(await reasonOf(store.identities.signIn(proven, now))).toBe(reason);
        return reason !== undefined;
      };
      const eve = { ...ANA, subject: "eve" };
      expect(await isRefused(ANA)).toBe(true);
      await invite(organizationId);
      expect(await isRefused({ ...ANA, isEmailVerified: false })).toBe(true);
      expect(await isRefused({ ...ANA, isEmailVerified: false, given })).toBe(true);
      expect(await isRefused(ANA, NOW + 8 * 24 * HOUR)).toBe(true);
      expect(await isRefused(ANA)).toBe(false);
      for (const proven of [eve, { ...eve, given }, { ...eve, email: undefined, given }])
        expect(await isRefused(proven)).toBe(true);
      const { personId } = await store.identities.signIn(ANA, NOW);
      await store.people.update(organizationId, personId, { state: "disabled" });
      for (const proven of [ANA, { ...ANA, given }]) expect(await isRefused(proven)).toBe(true);
      await store.people.delete(organizationId, personId);
      expect(await isRefused({ ...ANA, given })).toBe(false);
    });

    test("of another issuer or subject is another one", async () => {
      const { store, organizationId } = world();
      await invite(organizationId);
      await store.identities.signIn(ANA, NOW);
      for (const other of [{ issuer: "https://other.example.com/" }, { subject: "Ana" }])
        await expect(store.identities.signIn({ ...ANA, ...other }, NOW)).rejects.toMatchObject(refused);
    });

    test("of a new person joins the organizations of all open invitations, with the name that one of them gave", async () => {
      const { store, organizationId } = world();
      const other = await world().another();
      await invite(organizationId);
      await invite(other.organizationId, "admin", "Ana of theirs");
      const { personId } = await store.identities.signIn({ ...ANA, name: undefined }, NOW);
      expect(await store.people.findProfile(personId)).toMatchObject({
        name: "Ana of theirs",
        organizations: [{ role: "viewer" }, { role: "admin" }],
      });
    });

    test("of a known person redeems no invitation: they accept it themselves", async () => {
      const { store, organizationId } = world();
      const other = await world().another();
      await invite(organizationId);
      const { personId } = await store.identities.signIn(ANA, NOW);
      const token = await invite(other.organizationId);
      expect(await store.identities.signIn(ANA, NOW + HOUR)).toMatchObject({ personId, organizationId });
      expect((await store.people.findProfile(personId)).organizations).toHaveLength(1);
      const { sessionId } = await session(personId, organizationId);
      await store.people.redeemInvite({ token, way: { by: "session", sessionId } }, NOW);
      expect((await store.people.findProfile(personId)).organizations).toHaveLength(2);
    });

    test("behavior 19.71: gets a role in spite of what other organizations have written about the address", async () => {
      const { store, organizationId } = world();
      const other = await world().another();
      const token = await invite(other.organizationId, "owner", "Somebody");
      const given = { role: "viewer", organizationId } as const;
      for (const isEmailVerified of [false, true]) {
        const subject = `${isEmailVerified}`;
        const late = NOW + (isEmailVerified ? 8 * 24 * HOUR : 0);
        const somebody = { ...ANA, subject, isEmailVerified, given };
        const { personId } = await store.identities.signIn(somebody, late);
        expect(await store.people.find(organizationId, personId)).toMatchObject({ name: "Ana" });
        expect(await store.people.find(other.organizationId, personId)).toMatchObject({
          ...{ name: "Somebody", state: "invited", methods: [], lastSeenAt: null },
        });
        await store.people.delete(organizationId, personId);
      }
      expect((await store.people.findInvite(token, NOW)).methods).toEqual([]);
    });

    test("keeps an invitation from setting a password, also if it was attached while the password was hashed", async () => {
      const { store, organizationId } = world();
      await invite(organizationId);
      const { personId } = await store.identities.signIn(ANA, NOW);
      const other = (await world().another()).organizationId;
      const token = createPersonToken();
      await store.people.create(
        { organizationId: other, email: "ana@example.com", role: "viewer", token },
        NOW,
      );
      const redemption = { token, name: "Eve", way: { passwordHash: "hash" } };
      await expect(store.people.redeemInvite(redemption, NOW)).rejects.toMatchObject({ kind: "not_found" });
      expect((await store.people.findProfile(personId)).methods).toEqual(["oidc"]);
    });

    test("behavior 19.69: is listed with its last use, and is unlinked once, but not as the last way in", async () => {
      const { store, organizationId } = world();
      await invite(organizationId);
      const { personId } = await store.identities.signIn(ANA, NOW);
      const { sessionId } = await session(personId, organizationId);
      await store.identities.link({ ...ANA, subject: "ana-2", sessionId }, NOW + HOUR);
      const [second, first] = await store.identities.list(personId);
      expect([first, second]).toEqual([
        { id: expect.any(String), issuer: ANA.issuer, createdAt: NOW, lastUsedAt: NOW },
        { id: expect.any(String), issuer: ANA.issuer, createdAt: NOW + HOUR, lastUsedAt: null },
      ]);
      const unlink = (id = "", usable: readonly Method[] = METHODS) =>
        store.identities.delete({ personId, id, usable }).catch((error) => error);
      expect(await unlink(first?.id)).toEqual({ id: first?.id ?? "" });
      expect(await unlink(first?.id)).toMatchObject({ kind: "not_found" });
      expect(await unlink(second?.id)).toMatchObject({ kind: "invalid" });
      await store.people.setPassword(
        { personId, currentHash: null, passwordHash: "hash", keptSessionId: sessionId },
        NOW,
      );
      expect(await unlink(second?.id, ["oidc"])).toMatchObject({ kind: "invalid" });
      expect(await unlink(second?.id)).toEqual({ id: second?.id ?? "" });
      await expect(store.identities.signIn(ANA, NOW)).rejects.toMatchObject(refused);
    });

    test("is gone with its person", async () => {
      const { store, organizationId } = world();
      await invite(organizationId);
      const { personId } = await store.identities.signIn(ANA, NOW);
      await store.people.delete(organizationId, personId);
      await expect(store.identities.signIn(ANA, NOW)).rejects.toMatchObject(refused);
    });
  });

  describe("behavior 19.71: a given role", () => {
    test("is that of its organization, and of no other", async () => {
      const { store, organizationId } = world();
      const other = await world().another();
      await invite(other.organizationId, "viewer");
      const given = { role: "owner", organizationId } as const;
      const { personId } = await store.identities.signIn({ ...ANA, given }, NOW);
      expect(await store.people.find(organizationId, personId)).toMatchObject({
        role: "owner",
        state: "active",
      });
      expect(await store.people.find(other.organizationId, personId)).toMatchObject({ role: "viewer" });
    });

    test("that would end the last way in does not count, and any other does", async () => {
      const { store, organizationId } = world();
      const first = { ...ANA, given: { role: "owner", organizationId } as const };
      const { personId } = await store.identities.signIn(first, NOW);
      const lowered = { ...ANA, given: { role: "viewer", organizationId } as const };
      expect((await store.identities.signIn(lowered, NOW)).keptRole).toBe("owner");
      expect((await store.people.find(organizationId, personId)).role).toBe("owner");
      await store.identities.signIn({ ...first, subject: "ben", email: "ben@example.com" }, NOW);
      expect((await store.identities.signIn(lowered, NOW)).keptRole).toBeNull();
      expect((await store.people.find(organizationId, personId)).role).toBe("viewer");
    });

    test("of an organization that is unknown creates nobody", async () => {
      const { store, organizationId } = world();
      const given = { role: "owner", organizationId: "none" } as const;
      await expect(store.identities.signIn({ ...ANA, given }, NOW)).rejects.toMatchObject({
        kind: "not_found",
      });
      expect(await store.people.list(organizationId)).toEqual([]);
    });
  });

  test("behavior 19.67: an identity is not linked after the session has ended", async () => {
    const { store, organizationId } = world();
    await invite(organizationId);
    const { personId } = await store.identities.signIn(ANA, NOW);
    const { sessionId, token } = await session(personId, organizationId);
    await store.identities.link({ ...ANA, subject: "ana-2", sessionId }, NOW);
    await store.personSessions.delete(token);
    await expect(store.identities.link({ ...ANA, subject: "ana-3", sessionId }, NOW)).rejects.toMatchObject(
      refused,
    );
    expect((await store.identities.signIn({ ...ANA, subject: "ana-2" }, NOW)).personId).toBe(personId);
  });
});
