import { describe, expect, test } from "bun:test";
import type { DueMail } from "../../../src/store/store.ts";
import { createPublicPage, dueMails, subscribe, takeMails } from "../../support/store/subscribers.ts";
import { contractSuite } from "./suite.ts";
import { DAY, HOUR, MINUTE, NOW, SECOND } from "./world.ts";

const ADA = "ada@example.com";
const GRACE = "grace@example.com";

contractSuite("page-mails", (world) => {
  const due = (now = NOW) => dueMails(world().store, now);
  const record = ({ pk, attempts }: DueMail, nextAttemptAt: number) =>
    world().store.pageMails.record({ pk, attempts, outcome: "retried", nextAttemptAt });

  async function publicPage() {
    const { id, slug } = await createPublicPage(world(), {}, NOW);
    return { pageId: id, slug, organizationId: world().organizationId };
  }

  type OwnPage = Awaited<ReturnType<typeof publicPage>>;

  const write = (page: OwnPage, title: string, updates: { status: "investigating"; body: string }[] = []) =>
    world().store.incidents.create(page, { title, impact: "minor", updates }, NOW);

  const titles = (mails: { mail: DueMail["mail"] }[]) =>
    mails.map(({ mail }) => ("title" in mail ? mail.title : ""));

  describe("behavior 15.77: an incident", () => {
    test("behavior 17.40: and each of its updates, though not its edits, is a message to each confirmed subscriber, with the names of its components", async () => {
      const monitorIds = [await world().site(), await world().site()];
      const page = await createPublicPage(world(), { monitorIds }, NOW);
      for (const email of [ADA, GRACE]) await subscribe(world().store, page.slug, email, NOW);
      const path = { organizationId: world().organizationId, pageId: page.id };
      const componentIds = [page.components[1]?.id ?? ""];
      const first = { status: "investigating", body: "We *look*." } as const;
      const incident = { title: "Slow", impact: "minor" as const, componentIds, updates: [first] };
      const { id } = await world().store.incidents.create(path, incident, NOW);
      const resolved = { status: "resolved", body: "Done." } as const;
      await world().store.incidents.addUpdate({ ...path, incidentId: id }, resolved, NOW + MINUTE);
      const { updates } = await world().store.incidents.find({ ...path, incidentId: id });
      const posted = { ...path, incidentId: id, updateId: updates[0]?.id ?? "" };
      await world().store.incidents.editUpdate(posted, { body: "Nobody gets this." }, NOW + MINUTE);
      const notice = { kind: "incident" as const, title: "Slow", components: ["site"] };
      const mails = await takeMails(world().store, NOW + MINUTE);
      for (const email of [ADA, GRACE])
        expect(mails.filter(({ to }) => to === email).map(({ mail }) => mail)).toEqual([
          { ...notice, update: first, at: NOW },
          { ...notice, update: resolved, at: NOW + MINUTE },
        ]);
    });

    test("is sent to confirmed subscribers of its public page only", async () => {
      const [page, other] = [await publicPage(), await publicPage()];
      await subscribe(world().store, other.slug, ADA, NOW);
      await world().store.subscriptions.request({ slug: page.slug, email: ADA, locale: "en" }, NOW);
      await write(page, "Slow");
      expect(titles(await takeMails(world().store, NOW))).toEqual([""]);
      await world().store.pages.update(page.organizationId, other.pageId, { visibility: "off" }, NOW);
      await write(other, "Slow");
      expect(await due()).toEqual([]);
    });
  });

  describe("the outbox", () => {
    test("behavior 15.83: has the messages of a subscriber in their order, one at a time", async () => {
      const page = await publicPage();
      for (const email of [ADA, GRACE]) await subscribe(world().store, page.slug, email, NOW);
      for (const title of ["one", "two"]) await write(page, title);
      expect(await world().store.pageMails.count()).toBe(4);
      const first = await due();
      expect(titles(first)).toEqual(["one", "one"]);
      const [mail] = first;
      if (!mail) throw new Error("nothing is due");
      await record(mail, NOW + HOUR);
      expect((await due()).map(({ subscriber }) => subscriber.email)).toEqual([
        first[1]?.subscriber.email ?? "",
      ]);
      expect(await due(NOW + HOUR)).toContainEqual({ ...mail, attempts: 1 });
    });

    test("behavior 15.83: begins with confirmed subscribers, and with what was never tried", async () => {
      const page = await publicPage();
      for (const email of [ADA, GRACE]) await subscribe(world().store, page.slug, email, NOW);
      await write(page, "one");
      const [mail] = await due();
      if (!mail) throw new Error("nothing is due");
      await record(mail, NOW + SECOND);
      await world().store.subscriptions.request(
        { slug: page.slug, email: "joan@example.com", locale: "en" },
        NOW + SECOND,
      );
      const now = await due(NOW + SECOND);
      expect(now.map((one) => [one.mail.kind, one.attempts])).toEqual([
        ["incident", 0],
        ["incident", 1],
        ["optIn", 0],
      ]);
      const limited = await world().store.pageMails.listDue({ now: NOW + SECOND, limit: 1 });
      expect(limited.map(({ mail }) => mail.kind)).toEqual(["incident"]);
    });

    test("behavior 15.83: takes one outcome of each attempt", async () => {
      const page = await publicPage();
      await subscribe(world().store, page.slug, ADA, NOW);
      await write(page, "one");
      const [mail] = await due();
      if (!mail) throw new Error("nothing is due");
      expect(await world().store.pageMails.find(mail.pk)).toEqual(mail);
      await record(mail, NOW + SECOND);
      await record(mail, NOW + DAY);
      const { pk, attempts, subscriber } = mail;
      const counts = { sentDay: 1, sentCount: 1, writtenCount: 2 };
      const sent = { pk, attempts, outcome: "sent", subscriberPk: subscriber.pk, counts } as const;
      await world().store.pageMails.record(sent);
      const [again] = await due(NOW + SECOND);
      expect(again).toMatchObject({ attempts: 1, subscriber: { sentCount: 0 } });
      await world().store.pageMails.record({ ...sent, attempts: 1 });
      expect(await world().store.pageMails.find(mail.pk)).toBeUndefined();
      await write(page, "two");
      expect((await due())[0]?.subscriber).toMatchObject(counts);
    });

    test("behavior 15.84: does not wait for a time that is far away because the clock was set back", async () => {
      const page = await publicPage();
      await subscribe(world().store, page.slug, ADA, NOW);
      await write(page, "one");
      expect(await due(NOW - MINUTE)).toEqual([]);
      expect(await due(NOW - 2 * HOUR)).toHaveLength(1);
    });
  });
});
