import { describe, expect, test } from "bun:test";
import { transitionOf } from "../../support/alerts/transitions.ts";
import { contractSuite } from "./suite.ts";
import { MINUTE, NOW } from "./world.ts";

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
