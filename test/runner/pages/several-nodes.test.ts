import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { createLogger } from "../../../src/log.ts";
import { createMailSender, createPageWatch } from "../../../src/runner/pages/mail-sender.ts";
import { World } from "../../store/contract/world.ts";
import { systemClock } from "../../support/clock.ts";
import { eventually } from "../../support/eventually.ts";
import { mailParts } from "../../support/servers/mail-parts.ts";
import { MailServer } from "../../support/servers/mail-server.ts";
import { engines } from "../../support/store/engines.ts";
import { createPublicPage, subscribe } from "../../support/store/subscribers.ts";

setDefaultTimeout(300_000);

/** SQLite has one process. */
const shared = engines.filter(({ isShared }) => isShared);

describe.each(shared)("two nodes on $name", (engine) => {
  test("behavior 15.78, 15.83: notice an outage once and send each message once", async () => {
    await using mail = await MailServer.start();
    await using world = await World.create(await engine.open());
    await using stack = new AsyncDisposableStack();
    const [job, clock] = [await world.job(), systemClock()];
    const page = await createPublicPage(world, { monitorIds: [job], minOutage: 0 }, clock.now());
    const readers = Array.from({ length: 10 }, (_, at) => `reader${at}@example.com`);
    for (const email of readers) await subscribe(world.store, page.slug, email, clock.now());
    for (const node of [1, 2]) {
      const store = await world.opened.openAnother();
      stack.defer(store.close);
      const log = createLogger({ level: "silent" });
      const claimant = () => ({ node, place: node - 1, nodes: 2 });
      const urlOf = (slug: string) => `https://up.example.com/status/${slug}`;
      const sender = createMailSender({ store, clock, claimant, log, settings: mail.settings(), urlOf });
      const watch = createPageWatch({ store, clock, claimant, log, wakeMails: sender.wake });
      for (const part of [sender, watch]) part.start();
      stack.defer(() => sender.stop(5000));
      stack.defer(watch.stop);
    }
    const path = { organizationId: world.organizationId, pageId: page.id };
    await world.store.incidents.create(path, { title: "Slow", impact: "minor" }, clock.now());
    await world.checkin(job, "fail", clock.now());
    const expected = 2 * readers.length;
    await eventually(() => mail.received.length >= expected);
    await world.checkin(job, "ok", clock.now());
    await eventually(() => mail.received.length >= expected + readers.length);
    await eventually(async () => (await world.store.pageMails.count()) === 0);
    for (const email of readers) {
      const own = mail.received.filter(({ to }) => to[0] === email);
      const subjects = own.map(({ source }) => mailParts(source).headers.subject ?? "");
      expect(subjects.toSorted()).toEqual(["New incident: Slow", "Resolved: job 1 is down", "job 1 is down"]);
    }
  });
});
