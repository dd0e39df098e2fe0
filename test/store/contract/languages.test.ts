import { describe, expect, test } from "bun:test";
import { hashKey } from "../../../src/store/accounts/api-keys.ts";
import { createKey } from "../../../src/store/ids.ts";
import { transitionOf } from "../../support/alerts/transitions.ts";
import { contractSuite } from "./suite.ts";
import { MINUTE, NOW, type World } from "./world.ts";

const pagerduty = {
  type: "WEBHOOK",
  config: { url: "http://127.0.0.1:1/", format: "pagerduty", options: { routingKey: "k" } },
} as const;

contractSuite("languages", (world) => {
  /** The language of each due notification, by the ID of its channel. */
  async function dueLanguages(): Promise<Record<string, string>> {
    const due = await world().due();
    return Object.fromEntries(due.map(({ channel }) => [channel.id, channel.language]));
  }

  describe("behavior 27.20, 27.21: a notification", () => {
    test("is in the language of its channel, else of its organization, else in English", async () => {
      const { store, organizationId } = world();
      const [own, plain] = [await world().channel({ language: "pt-BR" }), await world().channel()];
      await world().checkin(await world().job(own, plain), "fail");
      expect(await dueLanguages()).toEqual({ [own]: "pt-BR", [plain]: "en" });
      await store.organizations.updateSettings(organizationId, { language: "ja" });
      expect(await dueLanguages()).toEqual({ [own]: "pt-BR", [plain]: "ja" });
    });

    test("that is tried again is in the language that its channel has then", async () => {
      const { store, organizationId } = world();
      const id = await world().channel({ language: "de" });
      await world().checkin(await world().job(id), "fail");
      await world().attemptAll({ outcome: "failed", error: "503", final: false });
      await store.channels.update(organizationId, id, { language: "fi" }, NOW + 1);
      expect(await dueLanguages()).toEqual({ [id]: "fi" });
      await store.channels.update(organizationId, id, { language: null }, NOW + 2);
      expect(await dueLanguages()).toEqual({ [id]: "en" });
    });

    test("that ends an incident at the previous address of a channel keeps its language", async () => {
      const { store, organizationId } = world();
      const id = await world().channel({ ...pagerduty, language: "he" });
      await world().checkin(await world().job(id), "fail");
      await world().attemptAll({ outcome: "delivered" });
      await store.channels.delete(organizationId, id);
      const [end] = await world().due(NOW + MINUTE);
      expect(end && transitionOf(end).closed?.why).toBe("removed");
      expect(end?.channel.language).toBe("he");
    });
  });

  test("behavior 27.20: an update without `language` keeps that of the channel", async () => {
    const { store, organizationId } = world();
    const id = await world().channel({ language: "zh-TW" });
    await store.channels.update(organizationId, id, { name: "z" }, NOW + 1);
    await world().opened.reopen();
    expect(await world().store.channels.find(organizationId, id)).toMatchObject({ language: "zh-TW" });
  });

  describe("behavior 27.22: the language of a person", () => {
    /** Somebody who has accepted the invitation of an organization. */
    async function join({ store, organizationId }: World, email: string): Promise<string> {
      const token = `${email} ${organizationId}`;
      const { id } = await store.people.create({ organizationId, email, role: "viewer", token }, NOW);
      const way = { passwordHash: "hash" };
      const proof = { by: "password", ...way } as const;
      const { methods } = await store.people.findInvite(token, NOW);
      const given = methods.length > 0 ? proof : way;
      await store.people.redeemInvite({ token, name: "Ana", way: given }, NOW);
      return id;
    }

    test("is one in all organizations, also for the sessions, and none of them reads it", async () => {
      const { store, organizationId } = world();
      const other = await world().another();
      const id = await join(world(), "ana@example.com");
      await join(other, "ana@example.com");
      const proof = { by: "password", passwordHash: "hash" } as const;
      const client = { token: "s", method: "password", address: "192.0.2.1", userAgent: "test" } as const;
      const session = { personId: id, organizationId: other.organizationId, proof, ...client };
      expect((await store.personSessions.create(session, NOW)).language).toBeNull();
      const updated = await store.people.update(organizationId, id, { language: "ko" });
      expect(updated).not.toHaveProperty("language");
      await world().opened.reopen();
      const { people, personSessions } = world().store;
      expect((await people.findProfile(id)).language).toBe("ko");
      expect((await personSessions.findCaller(hashKey("s")))?.language).toBe("ko");
      expect(await people.list(other.organizationId)).toEqual([
        expect.not.objectContaining({ language: expect.anything() }),
      ]);
      await people.update(organizationId, id, { name: "Anna" });
      expect((await people.findProfile(id)).language).toBe("ko");
      await people.update(organizationId, id, { language: null });
      expect((await personSessions.findCaller(hashKey("s")))?.language).toBeNull();
    });

    test("is in the audit log without its value, and only if it changes", async () => {
      const { store, organizationId } = world();
      const id = await join(world(), "ana@example.com");
      const actor = { type: "person", id, name: "Ana" } as const;
      const { people } = store.as({ actor, address: null, at: NOW });
      await people.update(organizationId, id, { language: "sv" });
      await people.update(organizationId, id, { language: "sv" });
      const { items } = await store.audit.list(organizationId, { limit: 10 });
      const [entry] = items.filter(({ changed }) => changed.includes("language"));
      expect(items.length).toBe(2);
      expect(entry).toMatchObject({ action: "person.updated", changed: ["language"] });
      expect(entry).not.toHaveProperty("before");
    });

    test("is gone with the person", async () => {
      const { store, organizationId } = world();
      const other = await world().another();
      const id = await join(world(), "ana@example.com");
      await store.people.update(organizationId, id, { language: "tr" });
      const again = {
        organizationId: other.organizationId,
        email: "ana@example.com",
        role: "viewer",
      } as const;
      await store.people.create({ ...again, token: "open" }, NOW);
      await store.people.delete(organizationId, id);
      expect((await store.people.findProfile(id)).language).toBeNull();
    });

    test("behavior 27.27: comes with the link for a new password, as does that of the oldest organization", async () => {
      const { store, organizationId } = world();
      const other = await world().another();
      const id = await join(other, "ana@example.com");
      await other.store.organizations.updateSettings(other.organizationId, { language: "hu" });
      const receiver = async () => {
        const found = await store.people.createLinkFor({ email: "ana@example.com", token: createKey() }, NOW);
        return [found?.language, found?.organizationLanguage];
      };
      expect(await receiver()).toEqual([null, "hu"]);
      await join(world(), "ana@example.com");
      expect(await receiver()).toEqual([null, "en"]);
      await store.people.update(organizationId, id, { language: "it" });
      await store.people.update(organizationId, id, { state: "disabled" });
      expect(await receiver()).toEqual(["it", "hu"]);
    });
  });

  describe("behavior 27.24: the language of a channel", () => {
    const mail = { type: "EMAIL", config: { to: "ops@example.com" } } as const;
    const ops = { ...mail, language: "vi" } as const;

    async function apply(channel: object) {
      const { store, organizationId } = world();
      const options = { prune: "none", isDryRun: false } as const;
      const document = { channels: { ops: channel } };
      return (await store.configuration.apply(organizationId, document, options, NOW)).changes;
    }

    const stored = async () => (await world().store.channels.list(world().organizationId))[0]?.language;

    test("is applied and taken back by a document", async () => {
      expect(await apply(ops)).toMatchObject([
        { action: "create", fields: ["type", "config.to", "language"] },
      ]);
      expect(await stored()).toBe("vi");
      expect(await apply(ops)).toEqual([]);
      expect(await apply({ ...ops, language: "id" })).toMatchObject([
        { action: "update", fields: ["language"] },
      ]);
      expect(await stored()).toBe("id");
      expect(await apply(mail)).toMatchObject([{ action: "update", fields: ["language"] }]);
      expect(await stored()).toBeNull();
    });

    test("is in an export if it has one", async () => {
      const exported = async () =>
        (await world().store.configuration.export(world().organizationId, NOW)).document;
      await apply(ops);
      expect(await exported()).toMatchObject({ channels: { ops } });
      await apply(mail);
      expect(await exported()).toMatchObject({ channels: { ops: mail } });
      expect(JSON.stringify(await exported())).not.toContain("language");
    });

    test("ends if a request by ref replaces the channel without one", async () => {
      const { store, organization, organizationId } = world();
      const owner = { organizationId, plan: organization.plan, subscription: organization.subscription };
      const put = (values: object) =>
        store.channels.createOrReplace(owner, { name: "c", ref: "ops", ...mail, ...values }, NOW);
      expect((await put({ language: "ro" })).channel.language).toBe("ro");
      expect((await put({})).channel.language).toBeNull();
    });
  });

  test("behavior 27.21: an organization keeps its language, which is English at first", async () => {
    const { store, organizationId } = world();
    expect((await store.organizations.findSettings(organizationId)).language).toBe("en");
    const updated = await store.organizations.updateSettings(organizationId, { language: "uk" });
    expect(updated).toMatchObject({ name: "A", language: "uk" });
    await store.organizations.updateSettings(organizationId, { name: "Z" });
    await world().opened.reopen();
    const settings = await world().store.organizations.findSettings(organizationId);
    expect(settings).toMatchObject({ name: "Z", language: "uk" });
  });
});
