import { describe, expect, setDefaultTimeout, test } from "bun:test";
import PostalMime from "postal-mime";
import { createLogger } from "../../../src/log.ts";
import { createReportSender } from "../../../src/runner/reports/report-sender.ts";
import type { Store } from "../../../src/store/store.ts";
import { DAY, HOUR, MINUTE, World } from "../../store/contract/world.ts";
import { systemClock } from "../../support/clock.ts";
import { eventually } from "../../support/eventually.ts";
import { MailServer } from "../../support/servers/mail-server.ts";
import { alone } from "../../support/store/alone.ts";
import { engines } from "../../support/store/engines.ts";

setDefaultTimeout(300_000);

/** A Monday, before the time at which reports go. */
const START = Date.UTC(2027, 5, 7, 7);
const DUE = START + HOUR;

function senderOf(
  store: Store,
  mail: MailServer,
  { now = () => DUE, claimant = () => alone, logged = [] as string[] } = {},
) {
  return createReportSender({
    store,
    clock: { ...systemClock(), now },
    claimant,
    log: createLogger({ level: "info" }, (line: string) => logged.push(line)),
    settings: mail.settings(),
  });
}

const isDone = (store: Store, now: number) => async () =>
  !(await store.reportMails.isDue(now)) &&
  (await store.reportMails.listDue({ now: now + DAY, limit: 1 })).length === 0;

async function create(world: World, to: string[], values = {}) {
  const report = { title: "Ours", kind: "week" as const, selector: { all: true as const }, to, ...values };
  return world.store.reportMails.create(world.organizationId, report, START);
}

describe.each(engines)("reports by mail on $name", (engine) => {
  test("behavior 23.75, 23.76: have what happened in the period, as a mail program reads it", async () => {
    await using mail = await MailServer.start();
    await using world = await World.create(await engine.open());
    const [job, site] = [await world.job(), await world.site()];
    const monday = START - 7 * DAY;
    for (let hour = 0; hour < 160; hour++) await world.up(site, { at: monday + hour * HOUR });
    await world.down(site, monday + 160 * HOUR);
    await world.up(site, { at: monday + 161 * HOUR });
    await world.checkin(job, "ok", monday);
    await world.checkin(job, "fail", monday + HOUR);
    await world.checkin(job, "ok", monday + 2 * HOUR);
    await create(world, ["ada@example.com"], { title: "<b>Ours</b>\r\nBcc: x@example.com" });
    const sender = senderOf(world.store, mail);
    sender.start();
    await eventually(() => mail.received.length === 1);
    await eventually(isDone(world.store, DUE));
    await sender.stop(5000);
    const {
      subject,
      text = "",
      html = "",
      to,
      from,
      messageId,
      headers,
    } = await PostalMime.parse(mail.received[0]?.source ?? "");
    expect(subject).toBe("<b>Ours</b> Bcc: x@example.com: May 31 – Jun 6, 2027");
    expect(to).toEqual([{ name: "", address: "ada@example.com" }]);
    expect(from?.address).toBe("stillup@example.com");
    expect(messageId).toMatch(/^<report\.\w{22}@example\.com>$/);
    expect(headers.find(({ key }) => key === "auto-submitted")?.value).toBe("auto-generated");
    expect(mail.received[0]?.to).toEqual(["ada@example.com"]);
    for (const part of [text, html]) {
      expect(part).toContain("site");
      expect(part).toContain("a refuses connections on port 1");
      expect(part).toContain("1 hr");
      expect(part).toContain("/2027-05-31");
    }
    expect(html).not.toMatch(/<script|<b>|javascript:|<img/i);
  });

  test("behavior 23.73: are retried with the same ID, and logged", async () => {
    await using mail = await MailServer.start();
    await using world = await World.create(await engine.open());
    await create(world, ["ada@example.com"]);
    const logged: string[] = [];
    let now = DUE;
    const sender = senderOf(
      world.store,
      {
        settings: () => ({
          ...mail.settings(),
          smtp: { from: "a@b.example", url: new URL("smtp://127.0.0.1:9") },
        }),
      } as unknown as MailServer,
      { now: () => now, logged },
    );
    sender.start();
    await eventually(() => logged.some((line) => line.includes("a report could not be sent")));
    await sender.stop(5000);
    const [waiting] = await world.store.reportMails.listDue({ now: now + DAY, limit: 1 });
    expect(waiting).toMatchObject({ attempts: 1 });
    now += HOUR;
    const again = senderOf(world.store, mail, { now: () => now });
    again.start();
    await eventually(isDone(world.store, now));
    await again.stop(5000);
    expect(mail.received).toHaveLength(1);
    expect(mail.received[0]?.source).toContain(`<report.${waiting?.id}@`);
  });

  test("behavior 23.71: queued before a crash, go once after it", async () => {
    await using mail = await MailServer.start();
    await using world = await World.create(await engine.open());
    await create(world, ["ada@example.com", "bob@example.com"]);
    // The process ended between the transaction and the first mail.
    await world.store.reportMails.queue(DUE);
    for (const round of [0, 1]) {
      const sender = senderOf(world.store, mail, { now: () => DUE + round * MINUTE });
      sender.start();
      await eventually(isDone(world.store, DUE + round * MINUTE));
      await sender.stop(5000);
    }
    expect(mail.received.flatMap(({ to }) => to).toSorted()).toEqual(["ada@example.com", "bob@example.com"]);
  });
});

describe.each(engines.filter(({ isShared }) => isShared))("two nodes on $name", (engine) => {
  test("behavior 23.71: send each report once", async () => {
    await using mail = await MailServer.start();
    await using world = await World.create(await engine.open());
    await using stack = new AsyncDisposableStack();
    const readers = Array.from({ length: 12 }, (_, at) => `reader${at}@example.com`);
    for (const reader of readers) await create(world, [reader]);
    const stores = await Promise.all([1, 2].map(() => world.opened.openAnother()));
    for (const store of stores) stack.defer(store.close);
    // Both queue in the same moment, as after a lost claim.
    await Promise.all(stores.map((store) => store.reportMails.queue(DUE)));
    for (const [at, store] of stores.entries()) {
      const claimant = () => ({ node: at + 1, place: at, nodes: 2 });
      const sender = senderOf(store, mail, { claimant });
      sender.start();
      stack.defer(() => sender.stop(5000));
    }
    await eventually(isDone(world.store, DUE));
    expect(mail.received.flatMap(({ to }) => to).toSorted()).toEqual(readers.toSorted());
  });
});
