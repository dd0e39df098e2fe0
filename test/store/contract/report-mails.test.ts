import { describe, expect, test } from "bun:test";
import type { NewReportMail, ReportMailChanges } from "../../../src/domain/reports/report-mail.ts";
import { contractSuite } from "./suite.ts";
import { DAY, HOUR, MINUTE } from "./world.ts";

/** A Tuesday. */
const START = Date.UTC(2027, 5, 1, 12);
const SPAN = { from: START - DAY, to: START };

contractSuite("report-mails", (world) => {
  const store = () => world().store.reportMails;
  const create = (values: Partial<NewReportMail> = {}, now = START) =>
    store().create(
      world().organizationId,
      {
        title: "Ours",
        kind: "day",
        selector: { all: true },
        ...(values.channelIds ? {} : { to: ["a@example.com"] }),
        ...values,
      },
      now,
    );
  const update = (id: string, changes: ReportMailChanges, now: number) =>
    store().update(world().organizationId, id, changes, now);
  /** The mails that are queued at a moment, which are then done. */
  async function take(now: number): Promise<string[]> {
    while (await store().queue(now));
    const due = await store().listDue({ now, limit: 1000 });
    for (const { pk, attempts } of due) await store().record({ pk, attempts, nextAttemptAt: null });
    return due.map(({ period, recipient }) => `${period.first} ${recipient}`);
  }
  const at = (day: number, hour: number) => Date.UTC(2027, 5, day, hour);

  describe("behavior 23.71: a report", () => {
    test("goes once for each period, at its time, to each address", async () => {
      await create({ to: ["a@example.com", "b@example.com"] });
      expect(await store().isDue(at(2, 8) - 1)).toBe(false);
      expect(await take(at(2, 8) - 1)).toEqual([]);
      expect(await store().isDue(at(2, 8))).toBe(true);
      expect(await take(at(2, 8))).toEqual(["2027-06-01 a@example.com", "2027-06-01 b@example.com"]);
      expect(await take(at(2, 9))).toEqual([]);
      expect(await store().isDue(at(2, 9))).toBe(false);
      expect(await take(at(3, 8))).toHaveLength(2);
    });

    test("that was missed while no server ran is made up, only the last one", async () => {
      const { id } = await create();
      expect(await take(at(6, 10))).toEqual(["2027-06-05 a@example.com"]);
      expect((await store().find(world().organizationId, id)).nextAt).toBe(at(7, 8));
    });

    test("behavior 23.72: whose time of day changes leaves no period out, and repeats none", async () => {
      const [early, late] = [
        await create({ at: "06:00" }),
        await create({ at: "20:00", to: ["late@example.com"] }),
      ];
      expect(await take(at(1, 20))).toEqual(["2027-05-31 late@example.com"]);
      expect(await take(at(2, 7))).toEqual(["2027-06-01 a@example.com"]);
      await update(early.id, { at: "12:00" }, at(2, 8));
      await update(late.id, { at: "07:00" }, at(2, 8));
      expect(await take(at(2, 8))).toEqual(["2027-06-01 late@example.com"]);
      expect(await take(at(2, 23))).toEqual([]);
      expect((await take(at(3, 12))).toSorted()).toEqual([
        "2027-06-02 a@example.com",
        "2027-06-02 late@example.com",
      ]);
    });

    test("behavior 23.72: of another kind has no mail that waits", async () => {
      const { id } = await create();
      while (await store().queue(at(2, 8)));
      await update(id, { title: "Others" }, at(2, 8));
      expect(await store().listDue({ now: at(2, 8), limit: 9 })).toHaveLength(1);
      await update(id, { kind: "week" }, at(2, 8));
      expect(await store().listDue({ now: at(2, 8), limit: 9 })).toEqual([]);
    });

    test("behavior 23.72: of another kind begins as a new one does", async () => {
      const { id } = await create({ kind: "week" });
      expect((await update(id, { kind: "day" }, at(2, 12))).nextAt).toBe(at(3, 8));
      expect((await update(id, { kind: "month" }, at(2, 12))).nextAt).toBe(Date.UTC(2027, 6, 1, 8));
    });

    test("goes to the channels that are enabled when it is queued", async () => {
      const channel = (to: string) => world().channel({ name: to, type: "EMAIL", config: { to } });
      const ids = [
        await channel("one@example.com"),
        await channel("two@example.com"),
        await channel("three@example.com"),
      ];
      const { id } = await create({ channelIds: ids });
      await world().store.channels.update(world().organizationId, ids[0] ?? "", { enabled: false }, START);
      await world().store.channels.delete(world().organizationId, ids[1] ?? "");
      expect(await store().findRecipients(world().organizationId, id)).toEqual(["three@example.com"]);
      expect(await take(at(2, 8))).toEqual(["2027-06-01 three@example.com"]);
    });

    test("behavior 23.73: whose mail waits for its next attempt is due again, and gone with the report", async () => {
      const { id } = await create();
      await store().queue(at(2, 8));
      const [mail] = await store().listDue({ now: at(2, 8), limit: 10 });
      expect(mail).toMatchObject({
        recipient: "a@example.com",
        attempts: 0,
        organizationId: world().organizationId,
      });
      const [pk, later] = [mail?.pk ?? 0, at(2, 8) + MINUTE];
      await store().record({ pk, attempts: 0, nextAttemptAt: later });
      // Another node tried it meanwhile: its outcome is ignored.
      await store().record({ pk, attempts: 0, nextAttemptAt: null });
      expect(await store().listDue({ now: later - 1, limit: 10 })).toEqual([]);
      expect(await store().listDue({ now: later, limit: 10 })).toMatchObject([
        { pk, attempts: 1, id: mail?.id },
      ]);
      await store().delete(world().organizationId, id);
      expect(await store().listDue({ now: later, limit: 10 })).toEqual([]);
      expect(await store().isDue(at(3, 9))).toBe(false);
    });
  });

  test("behavior 23.70: reports are of their organization, oldest first, and replaced in full by their ref", async () => {
    const [one, other] = [await create(), await create({ ref: "two", at: "09:00" })];
    const foreign = await world().another();
    expect(await store().list(world().organizationId)).toEqual([one, other]);
    expect(await store().list(foreign.organizationId)).toEqual([]);
    expect(store().find(foreign.organizationId, one.id)).rejects.toThrow("Not found");
    const request = {
      title: "Two",
      kind: "day",
      selector: { all: true },
      to: ["c@example.com"],
      ref: "two",
    } as const;
    const replaced = await store().createOrReplace(
      world().organizationId,
      { ...request, to: [...request.to] },
      START,
    );
    expect(replaced).toMatchObject({ isNew: false, report: { id: other.id, title: "Two", at: "08:00" } });
  });

  test("behavior 23.75: missed runs, and the ends of certificates and domains, are those of the monitors that are asked for", async () => {
    const [job, site] = [await world().job(), await world().site()];
    await world().checkin(job, "ok", START - DAY + MINUTE);
    const { ends, missed } = await world().store.reports.readFacts(world().organizationId, {
      ids: [job, site],
      span: SPAN,
    });
    expect(missed).toEqual([]);
    expect(ends).toEqual([]);
    await world().down(site, START - HOUR);
    const slice = await world().store.reports.readMonth(world().organizationId, {
      ...{ month: SPAN, after: 0 },
      selector: { monitorIds: [site] },
    });
    expect(slice.monitors.map(({ id }) => id)).toEqual([site]);
    const pks = slice.monitors.flatMap(({ outages }) => outages.map(({ pk }) => pk));
    expect(pks).toHaveLength(1);
    const [pk = 0] = pks;
    expect([...(await world().store.reports.explain(pks))]).toEqual([
      [pk, "a refuses connections on port 1"],
    ]);
  });

  describe("behavior 23.75: missed runs of a period that begins or ends within an hour", () => {
    const missed = async (ids: string[], from: number, to: number) =>
      (await world().store.reports.readFacts(world().organizationId, { ids, span: { from, to } })).missed;

    test("are those within it", async () => {
      const { store } = world();
      const job = await world().jobWith({ period: 600, grace: 60 });
      const other = await world().jobWith({ period: 600, grace: 60 });
      await world().checkin(job, "ok", START);
      // Misses a run each 10 minutes from 12:11 on, for three hours.
      for (let at = 11 * MINUTE; at <= 3 * HOUR; at += 10 * MINUTE)
        await store.recording.record([{ kind: "silence", monitorId: job, at: START + at + 1 }]);
      const all = await missed([job, other], START, START + 4 * HOUR);
      expect(all.map(({ count }) => count)).toEqual([17]);
      const half = 30 * MINUTE;
      const counts = async (from: number, to: number) =>
        (await missed([job, other], START + from, START + to))[0]?.count ?? 0;
      // At 12:31, 12:41 and 12:51, then six an hour, then at 14:01, 14:11 and 14:21.
      expect(await counts(half, 2 * HOUR + half)).toBe(12);
      expect(await counts(half, HOUR)).toBe(3);
      expect(await counts(HOUR, HOUR + half)).toBe(3);
      expect(await counts(31 * MINUTE, 51 * MINUTE)).toBe(2);
      expect(await counts(0, half)).toBe(2);
      expect(await counts(-half, 5 * HOUR + half)).toBe(17);
    });
  });
});
