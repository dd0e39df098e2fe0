import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { type App, createApp, type OwnerInvite } from "../../src/app.ts";
import { readConfig } from "../../src/config.ts";
import { DAY } from "../../src/domain/duration.ts";
import { AppError } from "../../src/errors.ts";
import { createLogger } from "../../src/log.ts";
import { createFirstOrganization, createOwnerInvites } from "../../src/runner/first-start.ts";
import type { Store } from "../../src/store/store.ts";
import { createTestClock, type TestClock } from "../support/clock.ts";
import { eventually } from "../support/eventually.ts";
import { type DeathAt, Life, mortalStore } from "../support/outbox/life.ts";
import { LITTLE } from "../support/product/server.ts";
import { Client } from "../support/requests/client.ts";
import { MailServer } from "../support/servers/mail-server.ts";
import { engines } from "../support/store/engines.ts";
import type { TestStore } from "../support/store/test-store.ts";

// The first one may start a database server.
setDefaultTimeout(300_000);

const OWNER = "ana@example.com";
const OWN_PAGE = { "sec-fetch-site": "same-origin" };
const quiet = createLogger({ level: "silent" });

const tokenOf = ({ url }: OwnerInvite) => url.split("/invite/")[1] ?? "";

describe.each(engines)("the first owner on $name", (engine) => {
  let opened: TestStore;
  let apps: App[];

  beforeEach(async () => {
    opened = await engine.open();
    apps = [];
  });

  afterEach(async () => {
    for (const app of apps) await app.stop();
    await opened[Symbol.asyncDispose]();
  });

  async function start(ownerEmail?: string, more: object = {}) {
    const config = {
      ...readConfig({ port: "0" }, { env: {}, isTerminal: false }),
      ...opened.settings,
      ...(ownerEmail !== undefined && { ownerEmail }),
      ...more,
    };
    const app = await createApp(config, quiet, LITTLE);
    apps.push(app);
    const { url, initialKey } = await app.start();
    const shown: OwnerInvite[] = [];
    await app.showOwnerInvite((invite) => shown.push(invite));
    return { app, shown, anyone: new Client(url, undefined), owner: new Client(url, initialKey) };
  }

  async function restart(ownerEmail?: string) {
    for (const app of apps.splice(0)) await app.stop();
    return start(ownerEmail);
  }

  test("behavior 24.1, 24.2: a first start invites the owner, and shows the link once", async () => {
    const { shown, anyone, owner } = await start(OWNER);
    const [invite, ...others] = shown;
    if (!invite) throw new Error("no link was shown");
    expect(others).toEqual([]);
    expect(invite.email).toBe(OWNER);
    expect(invite.url).toMatch(/^http:\/\/.+\/invite\/\w+$/);
    const { body: people } = await owner.get("/api/v1/people");
    expect(people.data).toMatchObject([{ email: OWNER, role: "owner", state: "invited" }]);
    const path = `/api/v1/invites/${tokenOf(invite)}`;
    expect(await anyone.get(path)).toMatchObject({
      status: 200,
      body: { data: { organization: { name: "Default" }, email: OWNER, role: "owner" } },
    });
    const way = { name: "Ana", password: "a password of Ana" };
    expect(await anyone.send("POST", path, way, OWN_PAGE)).toMatchObject({
      status: 200,
      body: { data: { role: "owner" } },
    });
    expect(await anyone.send("POST", path, way, OWN_PAGE)).toMatchObject({ status: 404 });
    expect((await restart(OWNER)).shown).toEqual([]);
  });

  test("behavior 24.1: the link works for seven days", async () => {
    const { app, shown } = await start(OWNER);
    const [invite] = shown;
    expect(invite?.expiresAt).toBeWithin(app.clock.now() + 7 * DAY - 60_000, app.clock.now() + 7 * DAY + 1);
    const find = (at: number) => opened.store.people.findInvite(invite ? tokenOf(invite) : "", at);
    expect(await find((invite?.expiresAt ?? 0) - 1000)).toMatchObject({ email: OWNER, role: "owner" });
    expect(find((invite?.expiresAt ?? 0) + 1000)).rejects.toBeInstanceOf(AppError);
  });

  test("behavior 24.4: an existing database gets no invitation", async () => {
    const { owner } = await start();
    const { shown } = await restart(OWNER);
    expect(shown).toEqual([]);
    expect(await opened.store.organizations.findUnshownInvite()).toBeUndefined();
    expect(owner.key).toBeDefined();
    const [organization] = await opened.store.organizations.list();
    expect(await opened.store.people.list(organization?.id ?? "")).toEqual([]);
  });

  test("behavior 24.1: with a mail server the invitation is sent by e-mail too", async () => {
    await using mails = await MailServer.start({ startTls: false });
    const { smtp } = mails.settings({ host: "localhost" });
    const { shown } = await start(OWNER, { smtp });
    const [invite] = shown;
    const [mail, ...others] = await eventually(() => mails.received.length > 0 && mails.received);
    expect(others).toEqual([]);
    expect(mail?.to).toEqual([OWNER]);
    // Long lines are wrapped with "=" at their ends.
    expect(mail?.source.replaceAll("=\r\n", "")).toContain(invite ? tokenOf(invite) : "none");
  });

  const claimant = { node: 1, place: 0, nodes: 1 };

  /** A start that ends as given; then nothing of it happens any more. */
  async function startUntil(
    death: DeathAt | undefined,
    { clock, node = 1, store = opened.store }: { clock: TestClock; node?: number; store?: Store },
  ) {
    const life = new Life();
    if (death) life.endAt(death);
    const mortal = mortalStore(store, { clock, life });
    const shown: OwnerInvite[] = [];
    const parts = { store: mortal, clock, claimant: () => ({ ...claimant, node }), log: quiet };
    const invites = createOwnerInvites({ ...parts, baseUrl: () => "http://up", mails: { send() {} } });
    const work = (async () => {
      await createFirstOrganization({ ...parts, dataDir: opened.path(""), ownerEmail: OWNER });
      await invites.start((invite) => shown.push(invite));
    })();
    return { shown, life, work, stop: invites.stop };
  }

  test("behavior 24.3: wherever a first start ends, the next one has one invitation and a link that works", async () => {
    let ended = 0;
    for (let call = 1; ; call++) {
      for (const effect of ["none", "all"] as const) {
        await using fresh = await engine.open();
        const clock = createTestClock();
        const first = await startUntil({ call, effect }, { clock, store: fresh.store });
        await first.life.during(first.work);
        if (!first.life.isOver) {
          expect(ended).toBeGreaterThan(5);
          return;
        }
        ended++;
        // Claims of a node that died end by themselves.
        clock.stall(61_000);
        const second = await startUntil(undefined, { clock, node: 2, store: fresh.store });
        const valid = async (invites: OwnerInvite[]) => {
          const found = invites.map((one) => fresh.store.people.findInvite(tokenOf(one), clock.now()));
          return (await Promise.allSettled(found)).filter(({ status }) => status === "fulfilled").length;
        };
        await clock.until(
          async () =>
            (await fresh.store.organizations.list()).length === 1 &&
            (await fresh.store.organizations.findUnshownInvite()) === undefined,
        );
        second.stop();
        const [organization] = await fresh.store.organizations.list();
        expect(await fresh.store.people.list(organization?.id ?? "")).toHaveLength(1);
        expect(await valid([...first.shown, ...second.shown])).toBe(1);
      }
    }
  });

  if (!engine.isShared) return;

  test("behavior 24.3: of nodes that start at the same time one shows the link", async () => {
    const nodes = await Promise.all([start(OWNER), start(OWNER), start(OWNER)]);
    await eventually(async () => (await opened.store.organizations.findUnshownInvite()) === undefined);
    expect(nodes.flatMap(({ shown }) => shown)).toHaveLength(1);
    const [organization] = await opened.store.organizations.list();
    expect(await opened.store.people.list(organization?.id ?? "")).toHaveLength(1);
  });
});
