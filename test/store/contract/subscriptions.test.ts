import { describe, expect, test } from "bun:test";
import { createPublicPage, dueMails, subscribe, takeMails } from "../../support/store/subscribers.ts";
import { contractSuite } from "./suite.ts";
import { DAY, HOUR, MINUTE, NOW, untilDone } from "./world.ts";

const ADA = "ada@example.com";

contractSuite("subscriptions", (world, _, slow) => {
  const create = (values = {}) => createPublicPage(world(), values, NOW);
  const {
    request,
    find,
    confirm,
    delete: unsubscribe,
  } = {
    request: (slug: string, now = NOW, email = ADA, locale = "en") =>
      world().store.subscriptions.request({ slug, email, locale }, now),
    find: (token: string) => world().store.subscriptions.find(token),
    confirm: (token: string, now = NOW) => world().store.subscriptions.confirm(token, now),
    delete: (token: string) => world().store.subscriptions.delete(token),
  };
  const kinds = async (now = NOW) => (await takeMails(world().store, now)).map(({ mail }) => mail.kind);
  const tokens = async (now = NOW) =>
    (await dueMails(world().store, now)).map(({ subscriber }) => subscriber.token);

  test("behavior 21.6: a repeated request changes the language, until the subscription is confirmed", async () => {
    const page = await create();
    const locale = async () => (await dueMails(world().store, NOW))[0]?.subscriber.locale;
    await request(page.slug, NOW, ADA, "it-CH");
    expect(await locale()).toBe("it-CH");
    await request(page.slug, NOW, ADA, "fr");
    expect(await locale()).toBe("fr");
    await confirm((await tokens())[0] ?? "");
    await request(page.slug, NOW, ADA, "ja");
    expect(await locale()).toBe("fr");
  });

  test("behavior 15.111: a repeated request changes the components, until the subscription is confirmed", async () => {
    const page = await create({ monitorIds: [await world().site()] });
    const componentIds = page.components.map(({ id }) => id);
    const ask = (chosen: string[] | null) =>
      world().store.subscriptions.request(
        { slug: page.slug, email: ADA, locale: "en", componentIds: chosen },
        NOW,
      );
    const kept = async () => (await find((await tokens())[0] ?? ""))?.componentIds;
    await ask(componentIds);
    expect(await kept()).toEqual(componentIds);
    await ask(null);
    expect(await kept()).toBeNull();
    await ask(componentIds);
    const [token = ""] = await tokens();
    await confirm(token);
    await ask(null);
    expect((await find(token))?.componentIds).toEqual(componentIds);
    expect(ask(["another"])).rejects.toThrow("componentIds.0 is not a component of this page");
  });

  describe("behavior 15.71: a request", () => {
    test("creates an opt-in message, and nothing else until it is confirmed", async () => {
      const page = await create();
      expect(await request(page.slug)).toEqual({
        slug: page.slug,
        title: page.title,
        language: "auto",
        isPublic: true,
      });
      const [mail] = await dueMails(world().store, NOW);
      expect(mail).toMatchObject({ mail: { kind: "optIn" }, subscriber: { email: ADA, confirmedAt: null } });
      expect(mail?.subscriber.token).toMatch(/^[0-9A-Za-z]{43}$/);
      const incident = { title: "Slow", impact: "minor" } as const;
      await world().store.incidents.create(
        { organizationId: world().organizationId, pageId: page.id },
        incident,
        NOW,
      );
      expect(await kinds()).toEqual(["optIn"]);
    });

    test("needs a public page", async () => {
      const { slug } = await create({ visibility: "off" });
      for (const wrong of [slug, "no-such-page"]) expect(request(wrong)).rejects.toThrow("Not found");
      expect(await kinds()).toEqual([]);
    });

    test("of a confirmed address creates no message, and changes nothing", async () => {
      const { slug } = await create();
      await subscribe(world().store, slug, ADA, NOW);
      await request(slug, NOW + DAY);
      expect(await kinds(NOW + DAY)).toEqual([]);
    });

    test("of an address is one of each page", async () => {
      const [one, other] = [await create(), await create()];
      await subscribe(world().store, one.slug, ADA, NOW);
      await request(other.slug);
      expect(await kinds()).toEqual(["optIn"]);
    });
  });

  describe("behavior 15.73: an address gets three opt-in messages in 24 hours", () => {
    test("of all pages", async () => {
      const [one, other] = [await create(), await create()];
      for (const { slug } of [one, other, one, other, one]) await request(slug);
      expect(await kinds()).toEqual(["optIn", "optIn", "optIn"]);
      await request(one.slug, NOW + DAY - 1);
      expect(await kinds(NOW + DAY - 1)).toEqual([]);
      await request(one.slug, NOW + DAY);
      expect(await kinds(NOW + DAY)).toEqual(["optIn"]);
      await request(one.slug, NOW, "grace@example.com");
      expect(await kinds(NOW + DAY)).toEqual(["optIn"]);
    });

    test("whatever its tag is", async () => {
      const { slug } = await create();
      for (const tag of ["", "+1", "+2", "+3"]) await request(slug, NOW, `ada${tag}@example.com`);
      expect(await kinds()).toEqual(["optIn", "optIn", "optIn"]);
    });

    slow("and a page sends 500 for which it waits", async () => {
      const { slug } = await create();
      for (let at = 0; at < 501; at++) await request(slug, NOW, `reader-${at}@example.com`);
      expect(await kinds()).toHaveLength(500);
      await request(slug, NOW + DAY, "late@example.com");
      expect(await kinds(NOW + DAY)).toHaveLength(1);
    });

    test("also if it unsubscribes, or its page is deleted, in between", async () => {
      const page = await create();
      await request(page.slug);
      await unsubscribe((await tokens())[0] ?? "");
      await request(page.slug);
      await world().store.pages.delete(world().organizationId, page.id, NOW);
      const { slug } = await create();
      await request(slug);
      expect(await tokens()).toHaveLength(1);
      await request(slug);
      expect(await kinds()).toEqual(["optIn"]);
    });
  });

  describe("a link", () => {
    test("behavior 15.74: confirms once, and is valid after the slug changed", async () => {
      const page = await create();
      await request(page.slug);
      const [token = ""] = await tokens();
      expect(await find(token)).toMatchObject({ slug: page.slug });
      await world().store.pages.update(world().organizationId, page.id, { slug: "renamed-page" }, NOW);
      expect(await confirm(token)).toEqual({
        slug: "renamed-page",
        title: page.title,
        language: "auto",
        isPublic: true,
      });
      expect(await confirm(token, NOW + HOUR)).toMatchObject({ slug: "renamed-page" });
      const [mail] = await dueMails(world().store, NOW);
      expect(mail?.subscriber.confirmedAt).toBe(NOW);
    });

    test("behavior 15.75: unsubscribes, and deletes the waiting messages", async () => {
      const { slug } = await create();
      const token = await subscribe(world().store, slug, ADA, NOW);
      await request(slug, NOW, "grace@example.com");
      expect(await unsubscribe(token)).toMatchObject({ slug });
      for (const use of [find, unsubscribe, confirm]) expect(await use(token)).toBeUndefined();
      expect(await takeMails(world().store, NOW)).toMatchObject([{ to: "grace@example.com" }]);
    });

    test("behavior 15.75: unsubscribes from a page that is off", async () => {
      const page = await create();
      const token = await subscribe(world().store, page.slug, ADA, NOW);
      await world().store.pages.update(world().organizationId, page.id, { visibility: "off" }, NOW);
      expect(await find(token)).toMatchObject({ isPublic: false });
      expect(await confirm(token)).toBeUndefined();
      await unsubscribe(token);
    });
  });

  test("behavior 15.76: a subscription that is not confirmed within three days of its latest request is deleted", async () => {
    const { slug } = await create();
    const { store } = world();
    const confirmed = await subscribe(store, slug, ADA, NOW);
    await request(slug, NOW, "grace@example.com");
    await request(slug, NOW, "joan@example.com");
    await request(slug, NOW + HOUR, "joan@example.com");
    const left = async () => (await tokens(NOW + DAY)).length;
    const prune = (now: number) => untilDone(() => store.housekeeping.pruneSubscribers(now));
    await prune(NOW + 3 * DAY);
    expect(await left()).toBe(2);
    await prune(NOW + 3 * DAY + MINUTE);
    expect(await left()).toBe(1);
    await prune(NOW + 3 * DAY + HOUR + 1);
    expect(await left()).toBe(0);
    expect(await find(confirmed)).toMatchObject({ slug });
  });
});
