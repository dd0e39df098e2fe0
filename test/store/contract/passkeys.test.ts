import { describe, expect, test } from "bun:test";
import { METHODS } from "../../../src/domain/people/person.ts";
import { createPersonToken } from "../../../src/store/ids.ts";
import type { Proof } from "../../../src/store/store.ts";
import { contractSuite } from "./suite.ts";
import { MINUTE, NOW, type World } from "./world.ts";

const notFound = { kind: "not_found" };
const invalid = { kind: "invalid" };

contractSuite("passkeys", (world) => {
  const passkeys = () => world().store.passkeys;
  const failure = (work: Promise<unknown>) => work.catch((error) => error);

  describe("behavior 19.51: a passkey", () => {
    test("is found by its credential, and listed for its person, the latest first", async () => {
      const { id: personId, email } = await join(world(), "ana@example.com");
      expect(await passkeys().isAny()).toBe(false);
      const first = await add(world(), personId, 1);
      const second = await add(world(), personId, 2, NOW + MINUTE);
      expect(await passkeys().list(personId)).toEqual([second, first]);
      expect(await passkeys().isAny()).toBe(true);
      expect(await passkeys().listCredentials(personId)).toEqual([known(1), known(2)]);
      const { publicKey, isBackupEligible } = credential(1);
      expect(await passkeys().find(credential(1).credentialId)).toEqual({
        ...{ id: first.id, personId, email, publicKey, counter: 0, isBackupEligible },
      });
      expect(await passkeys().find(credential(3).credentialId)).toBeUndefined();
      const { methods } = await world().store.people.find(world().organizationId, personId);
      expect(methods).toEqual(["password", "passkey"]);
      expect((await world().store.people.findProfile(personId)).methods).toEqual(methods);
    });

    test("is of one person, once", async () => {
      const [ana, eve] = [await join(world(), "ana@example.com"), await join(world(), "eve@example.com")];
      await add(world(), ana.id, 1);
      for (const { id } of [ana, eve]) expect(await failure(add(world(), id, 1))).toMatchObject(invalid);
      expect(
        await failure(passkeys().create({ personId: "none", sessionId: "none", ...named(2) }, NOW)),
      ).toMatchObject({ kind: "unauthorized" });
      expect((await world().store.people.findProfile(eve.id)).methods).toEqual(["password"]);
    });

    test("behavior 19.32: needs a session that began within five minutes by a sign-in, and goes on", async () => {
      const { id: personId } = await join(world(), "ana@example.com");
      const sessionId = await begin(world(), personId);
      const create = (number: number, own: string, now: number) =>
        failure(passkeys().create({ personId, sessionId: own, ...named(number) }, now));
      const unauthorized = { kind: "unauthorized" };
      expect(await create(1, sessionId, NOW + 5 * MINUTE)).toMatchObject({ name: "Key" });
      expect(await create(2, sessionId, NOW + 5 * MINUTE + 1)).toMatchObject(invalid);
      const { organizationId, store } = world();
      const given = { personId, organizationId, token: createPersonToken(), address: "", userAgent: "" };
      const proof = { by: "session", sessionId } as const;
      const { sessionId: copied = "" } = await store.personSessions.create(
        { ...given, method: "session", proof },
        NOW,
      );
      expect(await create(2, copied, NOW)).toMatchObject(invalid);
      const [ana, eve] = [personId, (await join(world(), "eve@example.com")).id];
      expect(await create(2, await begin(world(), eve), NOW)).toMatchObject(unauthorized);
      await store.personSessions.deleteOwn({ personId: ana, id: sessionId });
      expect(await create(2, sessionId, NOW)).toMatchObject(unauthorized);
    });

    test("keeps the counter and the backup of its last use", async () => {
      const { id: personId } = await join(world(), "ana@example.com");
      const { id } = await add(world(), personId, 1);
      await passkeys().noteUse({ id, counter: 2 ** 32 - 1, isBackedUp: true }, NOW + MINUTE);
      expect(await passkeys().find(credential(1).credentialId)).toMatchObject({ counter: 2 ** 32 - 1 });
      expect(await passkeys().list(personId)).toMatchObject([{ id, lastUsedAt: NOW + MINUTE }]);
    });

    test("behavior 19.57: is deleted by its person, also if both are deleted at once, except as the last way in", async () => {
      const [ana, eve] = [await joinByPasskey(world(), 1), await join(world(), "eve@example.com")];
      const [first] = await passkeys().list(ana.id);
      const second = await add(world(), ana.id, 2);
      const remove = (personId: string, id = first?.id ?? "") =>
        failure(passkeys().delete({ personId, id, usable: METHODS }));
      expect(await remove(eve.id)).toMatchObject(notFound);
      const ends = await Promise.all([remove(ana.id), remove(ana.id, second.id)]);
      expect(ends.filter((end) => end instanceof Error)).toMatchObject([invalid]);
      expect(await passkeys().list(ana.id)).toHaveLength(1);
      const { id } = await add(world(), eve.id, 3);
      expect(await passkeys().delete({ personId: eve.id, id, usable: METHODS })).toEqual({ id });
    });

    test("is gone with its person", async () => {
      const { id } = await joinByPasskey(world(), 1);
      await world().store.people.delete(world().organizationId, id);
      expect(await passkeys().find(credential(1).credentialId)).toBeUndefined();
    });
  });

  test("behavior 19.58: an invitation gives a passkey and a name to somebody without a way in only", async () => {
    const { id } = await joinByPasskey(world(), 1);
    expect(await world().store.people.findProfile(id)).toMatchObject({ name: "Ana", methods: ["passkey"] });
    const other = await world().another();
    await invite(other, "key1@example.com", "second");
    const late = { token: "second", name: "Eve", way: { passwordHash: null, passkey: named(2) } };
    expect(await failure(world().store.people.redeemInvite(late, NOW))).toMatchObject(notFound);
    const [{ id: passkeyId } = { id: "" }] = await passkeys().list(id);
    const way = { by: "passkey", passkeyId } as const;
    await world().store.people.redeemInvite({ token: "second", name: "Eve", way }, NOW);
    expect(await world().store.people.findProfile(id)).toMatchObject({ name: "Ana", methods: ["passkey"] });
  });
});

function credential(number: number) {
  return {
    ...{ credentialId: new Uint8Array([0, number, 255]), publicKey: new Uint8Array([number]), counter: 0 },
    ...{ isBackupEligible: true, isBackedUp: false, transports: ["usb", "nfc"] },
  };
}

const known = (number: number) => {
  const { credentialId, transports } = credential(number);
  return { credentialId, transports };
};

const named = (number: number) => ({ credential: credential(number), name: "Key" });

async function add(world: World, personId: string, number: number, now = NOW) {
  const sessionId = await begin(world, personId, now);
  return world.store.passkeys.create({ personId, sessionId, ...named(number) }, now);
}

/** A new session of a person. */
async function begin({ store }: World, personId: string, now = NOW): Promise<string> {
  const { passwordHash, organizations } = await store.people.findProfile(personId);
  const [key] = await store.passkeys.list(personId);
  const proof: Proof = passwordHash
    ? { by: "password", passwordHash }
    : { by: "passkey", passkeyId: key?.id ?? "" };
  const organizationId = organizations[0]?.id ?? "";
  const token = createPersonToken();
  const given = {
    personId,
    organizationId,
    token,
    proof,
    method: "password",
    address: "",
    userAgent: "",
  } as const;
  return (await store.personSessions.create(given, now)).sessionId ?? "";
}

function invite({ store, organizationId }: World, email: string, token: string) {
  return store.people.create({ organizationId, email, role: "admin", token }, NOW);
}

async function join(world: World, email: string) {
  const person = await invite(world, email, email);
  await world.store.people.redeemInvite({ token: email, name: "Ana", way: { passwordHash: "hash" } }, NOW);
  return person;
}

/** Somebody with a passkey and without a password. */
async function joinByPasskey(world: World, number: number) {
  const email = `key${number}@example.com`;
  const person = await invite(world, email, email);
  const redemption = { token: email, name: "Ana", way: { passwordHash: null, passkey: named(number) } };
  await world.store.people.redeemInvite(redemption, NOW);
  return person;
}
