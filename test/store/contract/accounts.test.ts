import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { ApiKey } from "../../../src/domain/accounts/api-key.ts";
import { ROLES } from "../../../src/domain/accounts/role.ts";
import { hashKey } from "../../../src/store/accounts/api-keys.ts";
import { createKey, createToken } from "../../../src/store/ids.ts";
import { walks } from "../../support/long.ts";
import { contractSuite } from "./suite.ts";
import { DAY, HOUR, NOW, type World } from "./world.ts";

const unknown = { kind: "not_found" };

contractSuite("accounts", (world) => {
  describe("organizations", () => {
    test("are listed oldest first, with their changes", async () => {
      const { store, organization } = world();
      const pro = { name: "B", plan: "pro", subscription: "inactive" } as const;
      const created = await store.organizations.create(pro, NOW);
      expect(created).toEqual({ ...pro, id: expect.any(String) });
      const updated = await store.organizations.update(organization.id, { name: "Z", plan: "starter" });
      expect(updated).toEqual({ ...organization, name: "Z", plan: "starter" });
      await world().opened.reopen();
      expect(await world().store.organizations.list()).toEqual([updated, created]);
    });

    test("that do not exist are not found", async () => {
      const { organizations } = world().store;
      await expect(organizations.update("none", { name: "x" })).rejects.toMatchObject(unknown);
      await expect(organizations.findSettings("none")).rejects.toMatchObject(unknown);
      await expect(organizations.updateSettings("none", {})).rejects.toMatchObject(unknown);
    });

    test("have default channels, oldest first, each once", async () => {
      const { store, organization } = world();
      const [first, second] = [await world().channel(), await world().channel()];
      const settings = {
        ...organization,
        name: "Z",
        language: "en" as const,
        defaultAlertChannelIds: [first, second],
      };
      const changes = { name: "Z", defaultAlertChannelIds: [second, first, second] };
      expect(await store.organizations.updateSettings(organization.id, changes)).toEqual(settings);
      expect(await store.organizations.findSettings(organization.id)).toEqual(settings);
      await store.channels.delete(organization.id, first);
      const { defaultAlertChannelIds } = await store.organizations.findSettings(organization.id);
      expect(defaultAlertChannelIds).toEqual([second]);
    });

    test("cannot have a default channel of another organization", async () => {
      const { store, organizationId } = world();
      const foreign = await (await world().another()).channel();
      const changes = { name: "Z", defaultAlertChannelIds: [await world().channel(), foreign] };
      await expect(store.organizations.updateSettings(organizationId, changes)).rejects.toMatchObject({
        kind: "invalid",
        message: "defaultAlertChannelIds.1 is not an alert channel of this organization",
      });
      const settings = await store.organizations.findSettings(organizationId);
      expect(settings).toMatchObject({ name: "A", defaultAlertChannelIds: [] });
    });

    test("behavior 24.4: a database with an organization has no invitation that is to be shown", async () => {
      const { organizations } = world().store;
      const key = createKey();
      expect(await organizations.createDefault({ key, ownerEmail: "ana@example.com" }, NOW)).toBeFalse();
      expect(await organizations.findUnshownInvite()).toBeUndefined();
      expect(await organizations.noteInviteShown({ pk: 1, token: "token" }, NOW)).toBeFalse();
    });

    test("behavior 9.14: only a first start creates the organization Default", async () => {
      const { organizations, apiKeys } = world().store;
      expect(await organizations.isFirstStart()).toBeFalse();
      const key = createKey();
      expect(await organizations.createDefault({ key }, NOW)).toBeFalse();
      expect(await organizations.list()).toEqual([world().organization]);
      expect(await apiKeys.findCaller(hashKey(key))).toBeUndefined();
    });
  });

  describe("API keys", () => {
    test("are found by their hash, also when they have expired", async () => {
      const { store, organization } = world();
      const key = createKey();
      const values = {
        organizationId: organization.id,
        name: "k",
        role: "admin",
        expiresAt: NOW - 1,
      } as const;
      const { id } = await store.apiKeys.create({ ...values, key }, NOW);
      expect(await store.apiKeys.findCaller(hashKey(key))).toEqual({
        actor: { type: "key", id, name: "k" },
        role: "admin",
        expiresAt: NOW - 1,
        organizationId: organization.id,
        plan: "enterprise",
        subscription: "active",
      });
      expect(await store.apiKeys.findCaller(hashKey(createKey()))).toBeUndefined();
      await store.apiKeys.delete(id);
      expect(await store.apiKeys.findCaller(hashKey(key))).toBeUndefined();
    });

    test("belong to one organization", async () => {
      const { store, organizationId } = world();
      const other = await world().another();
      const { id } = await createNamed(world(), "mine");
      await createNamed(other, "theirs");
      const named = async (of?: string) => (await store.apiKeys.list(of)).map(({ name }) => name);
      expect(await named(organizationId)).toEqual(["mine"]);
      expect(await named(other.organizationId)).toEqual(["theirs"]);
      expect(await named()).toEqual(["mine", "theirs"]);
      await expect(store.apiKeys.update(other.organizationId, id, { name: "x" })).rejects.toMatchObject(
        unknown,
      );
      await expect(store.apiKeys.delete(id, other.organizationId)).rejects.toMatchObject(unknown);
      await expect(store.apiKeys.list("")).rejects.toMatchObject(unknown);
      await expect(
        store.apiKeys.create(
          { organizationId: "none", name: "k", role: "owner", expiresAt: null, key: "k" },
          NOW,
        ),
      ).rejects.toMatchObject(unknown);
    });

    test("keep the time of their last use", async () => {
      const { store, organizationId } = world();
      const [one, other] = [await createNamed(world(), "one"), await createNamed(world(), "other")];
      const gone = await createNamed(world(), "gone");
      await store.apiKeys.delete(gone.id, organizationId);
      await store.apiKeys.saveLastUses(new Map([one, gone].map(({ id }) => [id, NOW + 5])));
      await world().opened.reopen();
      const kept = await world().store.apiKeys.list(organizationId);
      expect(kept).toEqual([{ ...one, lastUsedAt: NOW + 5 }, other]);
    });

    test("behavior 12.11: the last use never goes back", async () => {
      const { store, organizationId } = world();
      const { id } = await createNamed(world(), "one");
      for (const at of [NOW + 5, NOW, NOW + 7, NOW + 6])
        await store.apiKeys.saveLastUses(new Map([[id, at]]));
      expect(await store.apiKeys.list(organizationId)).toMatchObject([{ lastUsedAt: NOW + 7 }]);
    });

    test("any walk of creates, updates and deletes leaves the keys of a plain list", async () => {
      const step = fc.record({
        act: fc.constantFrom("create", "update", "delete"),
        at: fc.nat(9),
        name: fc.string({ maxLength: 8 }),
        role: fc.constantFrom(...ROLES),
        expiresAt: fc.option(fc.integer({ min: NOW - DAY, max: NOW + DAY })),
      });
      const walk = fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
        const { store, organizationId } = await world().another();
        let model: ApiKey[] = [];
        for (const { act, at, ...values } of steps) {
          const chosen = model[at % Math.max(model.length, 1)];
          if (act === "create" || !chosen) {
            model.push(await store.apiKeys.create({ ...values, organizationId, key: createKey() }, NOW));
          } else if (act === "update") {
            const updated = await store.apiKeys.update(organizationId, chosen.id, values);
            expect(updated).toEqual({ ...chosen, ...values });
            model = model.map((one) => (one === chosen ? updated : one));
          } else {
            expect(await store.apiKeys.delete(chosen.id, organizationId)).toEqual({ id: chosen.id });
            model = model.filter((one) => one !== chosen);
          }
        }
        expect(await store.apiKeys.list(organizationId)).toEqual(model);
      });
      await fc.assert(walk, { numRuns: walks(15) });
    });
  });

  describe("sessions", () => {
    test("behavior 8.11: end after 12 hours, or with their key if it expires earlier", async () => {
      const { store } = world();
      const tokens = [createToken(), createToken()];
      const ends: number[] = [];
      for (const [at, expiresAt] of [null, NOW + HOUR].entries()) {
        const caller = await callerOf(world(), expiresAt);
        ends.push(await store.sessions.create({ caller, token: tokens[at] ?? "" }, NOW));
        const found = await store.sessions.findCaller(hashKey(tokens[at] ?? ""));
        expect(found).toEqual({ ...caller, expiresAt: ends[at] ?? null });
      }
      expect(ends).toEqual([NOW + 12 * HOUR, NOW + HOUR]);
      // A later session deletes those that have expired.
      await store.sessions.create({ caller: await callerOf(world(), null), token: "t" }, NOW + HOUR);
      expect(await store.sessions.findCaller(hashKey(tokens[1] ?? ""))).toBeUndefined();
      expect(await store.sessions.findCaller(hashKey(tokens[0] ?? ""))).toBeDefined();
    });

    test("behavior 8.100: end after 30 days if they are kept, or with their key if it expires earlier", async () => {
      const { sessions } = world().store;
      const endOf = async (expiresAt: number | null, token: string) =>
        sessions.create({ caller: await callerOf(world(), expiresAt), token, isKept: true }, NOW);
      expect(await endOf(null, "long")).toBe(NOW + 30 * 24 * HOUR);
      expect(await endOf(NOW + HOUR, "short")).toBe(NOW + HOUR);
    });

    test("behavior 8.12: have the current role of their key, and end when it is deleted", async () => {
      const { store, organizationId } = world();
      const caller = await callerOf(world(), null);
      await store.sessions.create({ caller, token: "t" }, NOW);
      await store.apiKeys.update(organizationId, caller.actor.id, { role: "viewer", expiresAt: NOW + 1 });
      expect(await store.sessions.findCaller(hashKey("t"))).toMatchObject({
        role: "viewer",
        expiresAt: NOW + 1,
      });
      await store.apiKeys.delete(caller.actor.id, organizationId);
      expect(await store.sessions.findCaller(hashKey("t"))).toBeUndefined();
      await expect(store.sessions.create({ caller, token: "u" }, NOW)).rejects.toMatchObject({
        kind: "unauthorized",
      });
    });

    test("end when they are deleted, without effect on others", async () => {
      const { sessions } = world().store;
      const caller = await callerOf(world(), null);
      await sessions.create({ caller, token: "one" }, NOW);
      await sessions.create({ caller, token: "other" }, NOW);
      await sessions.delete("one");
      await sessions.delete("unknown");
      expect(await sessions.findCaller(hashKey("one"))).toBeUndefined();
      expect(await sessions.findCaller(hashKey("other"))).toBeDefined();
    });
  });

  describe("links of the wall", () => {
    test("behavior 16.362: are found by their token until they are deleted, and belong to one organization", async () => {
      const { store, organizationId } = world();
      const { wallLinks } = store;
      const { organizationId: other } = await world().another("starter");
      const create = (name: string, tag: string | null) =>
        wallLinks.create({ organizationId, name, tag, token: name }, NOW);
      const [all, web] = [await create("all", null), await create("web", "web")];
      expect(all).toEqual({ id: all.id, name: "all", tag: null, createdAt: NOW });
      expect(await wallLinks.list(organizationId)).toEqual([all, web]);
      expect(await wallLinks.list(other)).toEqual([]);
      expect(await wallLinks.find("web")).toEqual({ organizationId, name: "web", tag: "web" });
      await expect(wallLinks.delete(other, web.id)).rejects.toMatchObject({ kind: "not_found" });
      expect(await wallLinks.delete(organizationId, web.id)).toEqual({ id: web.id });
      expect(await wallLinks.find("web")).toBeUndefined();
      expect(await wallLinks.list(organizationId)).toEqual([all]);
    });
  });
});

function createNamed({ store, organizationId }: World, name: string): Promise<ApiKey> {
  const values = { organizationId, name, role: "owner", expiresAt: null } as const;
  return store.apiKeys.create({ ...values, key: createKey() }, NOW);
}

async function callerOf({ store, organizationId }: World, expiresAt: number | null) {
  const key = createKey();
  await store.apiKeys.create({ organizationId, name: "k", role: "owner", expiresAt, key }, NOW);
  const caller = await store.apiKeys.findCaller(hashKey(key));
  if (!caller) throw new Error("the key was not found");
  return caller;
}
