import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Clock } from "../../../src/clock.ts";
import type { RdapSource } from "../../../src/domain/registration/rdap-servers.ts";
import { createLogger } from "../../../src/log.ts";
import { createNetwork } from "../../../src/probes/connections/network.ts";
import { createRegistrations, type Registrations } from "../../../src/runner/registrations/registrations.ts";
import type { Store } from "../../../src/store/store.ts";
import { createTestClock, systemClock, type TestClock } from "../../support/clock.ts";
import { eventually } from "../../support/eventually.ts";
import { Registry, rdap } from "../../support/servers/registry.ts";
import { engines } from "../../support/store/engines.ts";
import type { TestStore } from "../../support/store/test-store.ts";

// The first test on PostgreSQL creates a cluster.
setDefaultTimeout(300_000);

const SECOND = 1000;
const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

const tls = (host: string) => ({ host, port: 443, interval: 300, registration: true });

describe.each(engines)("registrations on $name", (engine) => {
  let opened: TestStore;
  let clock: TestClock;
  let registry: Registry;
  let started: Registrations[];
  let stores: Store[];
  let lines: string[];

  beforeEach(async () => {
    [opened, clock, registry] = [await engine.open(), createTestClock(), new Registry()];
    [started, stores, lines] = [[], [], []];
  });

  afterEach(async () => {
    for (const one of started) await one.stop();
    for (const store of stores) await store.close();
    registry[Symbol.dispose]();
    await opened[Symbol.asyncDispose]();
  });

  function start({
    source = registry.listed("example", "test"),
    node = 1,
    store = opened.store,
    time = clock,
  }: {
    source?: RdapSource;
    node?: number;
    store?: Store;
    time?: Clock;
  } = {}): Registrations {
    const { addressesOf: resolve } = createNetwork({ privateTargets: "allow" });
    const one = createRegistrations({
      ...{ store, clock: time, claimant: () => ({ node, place: 0, nodes: 2 }) },
      log: createLogger({ level: "warn" }, (line) => lines.push(line)),
      settings: { source, resolve, resolveOwn: resolve },
    });
    one.start();
    started.push(one);
    return one;
  }

  const refusal = (work: Promise<unknown>) =>
    work.then(
      () => "accepted",
      (error) => error.message,
    );

  test("behavior 20.71: the domain is that of the public suffix list, without its private section", async () => {
    const registrations = start({ source: registry.listed("uk", "com", "com.br", "test") });
    for (const host of ["www.shop.co.uk", "a.b.github.io.shop.test", "x.blogspot.com", "WWW.Loja.com.br."])
      await registrations.confirm(tls(host));
    expect(registry.asked.toSorted()).toEqual(["blogspot.com", "loja.com.br", "shop.co.uk", "shop.test"]);
  });

  test.each(["127.0.0.1", "::1", "co.uk", "localhost"])(
    "behavior 20.71: %s is not in a domain that can be registered",
    async (host) => {
      expect(await refusal(start().confirm(tls(host)))).toBe(
        `config.registration must be left out: ${host} is not in a domain that can be registered`,
      );
    },
  );

  test("behavior 20.72: a registry without RDAP, or without a date, is refused", async () => {
    const registrations = start();
    expect(await refusal(registrations.confirm(tls("www.shop.de")))).toBe(
      "config.registration must be left out: the registry of .de offers no RDAP, which is how registrations are looked up",
    );
    registry.knows("shop.example", { events: [] });
    const noDate =
      "config.registration must be left out: the registry of shop.example does not say when its registration expires";
    expect(await refusal(registrations.confirm(tls("shop.example")))).toBe(noDate);
    expect(await refusal(registrations.confirm(tls("www.shop.example")))).toBe(noDate);
    expect(registry.asked).toEqual(["shop.example"]);
  });

  test("behavior 20.72: a good answer is shown, and shared by all monitors of the domain", async () => {
    const registrations = start();
    registry.knows("shop.example");
    await registrations.confirm(tls("www.shop.example"));
    await registrations.confirm(tls("mail.shop.example"));
    expect(registry.asked).toEqual(["shop.example"]);
    expect(await registrations.shown(tls("shop.example"))).toEqual({
      registration: {
        domain: "shop.example",
        expiresAt: expect.stringMatching(/Z$/),
        registrar: "Example Registrar Inc.",
        statuses: ["clientTransferProhibited", "ok"],
      },
    });
    expect(await registrations.find(tls("shop.example"))).toMatchObject({
      domain: "shop.example",
      notFound: 0,
    });
  });

  test.each<[string, number, () => Response]>([
    ["fails", 2, () => new Response("no", { status: 503 })],
    ["does not know the domain", 27, () => new Response("{}", { status: 404 })],
    ["answers about another domain", 2, () => rdap("other.example")],
  ])("behavior 20.72: a registry that %s is asked again later", async (_, hours, answer) => {
    const registrations = start();
    registry.answers.set("shop.example", answer);
    await registrations.confirm(tls("shop.example"));
    expect(await registrations.shown(tls("shop.example"))).toEqual({ registration: null });
    registry.knows("shop.example");
    await registrations.find(tls("shop.example"));
    expect(registry.asked).toHaveLength(1);
    await clock.advance(hours * HOUR);
    await registrations.find(tls("shop.example"));
    await eventually(async () => (await registrations.shown(tls("shop.example"))).registration !== null);
    expect(registry.asked).toHaveLength(2);
  });

  test("behavior 20.72: a request waits for a slow registry for 10 seconds", async () => {
    const registrations = start();
    const answer = Promise.withResolvers<Response>();
    registry.answers.set("shop.example", () => answer.promise);
    let isSaved = false;
    const saved = registrations.confirm(tls("shop.example")).then(() => {
      isSaved = true;
    });
    await eventually(() => registry.asked.length === 1);
    await clock.advance(9999);
    expect(isSaved).toBe(false);
    await clock.advance(1);
    await saved;
    expect(await registrations.shown(tls("shop.example"))).toEqual({ registration: null });
    answer.resolve(rdap("shop.example"));
    await eventually(async () => (await registrations.shown(tls("shop.example"))).registration !== null);
  });

  test("behavior 20.73: a registry gets one request at a time", async () => {
    const registrations = start();
    const hosts = Array.from({ length: 8 }, (_, at) => `shop${at}.${at % 2 ? "example" : "test"}`);
    for (const host of hosts)
      registry.answers.set(host, async () => {
        await new Promise((resolve) => setImmediate(resolve));
        return rdap(host);
      });
    await Promise.all(hosts.map((host) => registrations.confirm(tls(host))));
    expect([registry.asked.length, registry.most]).toEqual([8, 1]);
  });

  test("behavior 20.73: a registry that wants a pause is not asked for any domain, also after a restart", async () => {
    const busy = () => new Response("", { status: 429, headers: { "retry-after": "7200" } });
    registry.answers.set("shop.example", busy);
    await start().confirm(tls("shop.example"));
    registry.knows("other.example");
    const registrations = start();
    await registrations.confirm(tls("other.example"));
    expect(registry.asked).toEqual(["shop.example"]);
    await clock.advance(3 * HOUR);
    await registrations.find(tls("other.example"));
    await eventually(async () => (await registrations.shown(tls("other.example"))).registration !== null);
  });

  test("behavior 20.73: a domain is looked up once a day, as long as checks ask for it", async () => {
    const registrations = start();
    registry.knows("shop.example");
    await registrations.confirm(tls("shop.example"));
    for (const count of [2, 3]) {
      await registrations.find(tls("shop.example"));
      await clock.advance(27 * HOUR);
      await eventually(async () => {
        // The database may have answered the look for due domains only now: the next look finds the domain.
        await clock.advance(SECOND);
        return registry.asked.length === count;
      });
      // Its next look-up is a day after the answer.
      await eventually(async () => {
        const stored = await opened.store.registrations.find("shop.example");
        return stored && stored.nextAt > clock.now();
      });
    }
    await clock.advance(5 * DAY);
    await registrations.shown(tls("shop.example"));
    const { length } = registry.asked;
    await clock.advance(5 * DAY);
    expect(registry.asked).toHaveLength(length);
  });

  test("behavior 20.70: a config that does not ask for it gets nothing", async () => {
    const registrations = start();
    const config = { host: "shop.example", port: 443, interval: 300 };
    expect(registrations.find(config)).toBeUndefined();
    await registrations.confirm(config);
    expect(await registrations.shown(config)).toEqual({});
    expect(registry.asked).toEqual([]);
  });

  test("behavior 20.72: each monitor of a document is confirmed, with its path", async () => {
    const registrations = start();
    registry.knows("shop.example");
    const monitors = {
      shop: { type: "TLS", config: { host: "shop.example" } },
      old: { type: "TLS", config: { host: "old.de" } },
      site: { type: "HTTP", config: { url: "https://site.de/" } },
    };
    const document = { defaults: { config: { interval: 300, registration: true } }, monitors };
    const faults = await registrations.confirmDocument(document).catch((error) => error.faults);
    expect(faults).toEqual([
      { path: "monitors.old.config.registration", message: expect.stringContaining("must be left out") },
    ]);
    await registrations.confirmDocument({ monitors: { site: monitors.site } });
    expect(registry.asked).toEqual(["shop.example"]);
  });

  test.skipIf(!engine.isShared)("behavior 20.73: of several nodes, one looks up a domain", async () => {
    const other = await opened.openAnother();
    stores.push(other);
    // In real time: a test clock does not wait for two stores and a registry.
    const time = systemClock();
    const nodes = [start({ time }), start({ node: 2, store: other, time })];
    const turns = Promise.withResolvers<void>();
    for (const host of ["shop.example", "mail.example"])
      registry.answers.set(host, async () => {
        await turns.promise;
        return rdap(host);
      });
    const saved = nodes.map((node) => node.confirm(tls("shop.example")));
    await eventually(() => registry.asked.length === 1);
    saved.push(...nodes.slice(1).map((node) => node.confirm(tls("mail.example"))));
    turns.resolve();
    await Promise.all(saved);
    for (const node of nodes)
      expect((await node.shown(tls("shop.example"))).registration).toMatchObject({ domain: "shop.example" });
    expect([registry.asked.toSorted(), registry.most]).toEqual([["mail.example", "shop.example"], 1]);
  });
});

describe("the list of servers", () => {
  const text = (url: string) =>
    JSON.stringify({ publication: "2026-11-01", services: [[["example"], [url]]] });

  test("behavior 20.75: a URL of the operator is read at the start, and again each day", async () => {
    using registry = new Registry();
    registry.knows("shop.example");
    const seen: (string | null)[] = [];
    using lists = serve((request) => {
      seen.push(request.headers.get("if-none-match"));
      if (seen.length > 1) return new Response(null, { status: 304 });
      return new Response(text(registry.url), { headers: { etag: '"1"' } });
    });
    await using world = await open({ url: lists.url });
    await world.registrations.confirm(tls("shop.example"));
    expect(registry.asked).toEqual(["shop.example"]);
    await world.clock.advance(27 * HOUR);
    await eventually(() => seen.length === 2);
    expect(seen).toEqual([null, '"1"']);
  });

  test.each<[string, () => Response]>([
    ["fails", () => new Response("no", { status: 500 })],
    ["has no list", () => new Response("<html>")],
  ])("behavior 20.75: a URL that %s leaves the built-in list, and is logged once", async (_, answer) => {
    using lists = serve(answer);
    await using world = await open({ url: lists.url });
    const { registrations, lines } = world;
    expect(await registrations.confirm(tls("www.shop.de")).catch(({ message }) => message)).toContain(".de");
    await world.clock.advance(27 * HOUR);
    await eventually(() => lists.requests() === 2);
    expect(lines).toEqual([expect.stringContaining("the list of RDAP servers could not be read")]);
  });
});

function serve(fetch: (request: Request) => Response) {
  let requests = 0;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      requests++;
      return fetch(request);
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}/dns.json`,
    requests: () => requests,
    [Symbol.dispose]: () => void server.stop(true),
  };
}

async function open(source: RdapSource) {
  const lines: string[] = [];
  const clock = createTestClock();
  const [engine] = engines;
  if (!engine) throw new Error("there is no engine");
  const opened = await engine.open();
  const { addressesOf: resolve } = createNetwork({ privateTargets: "allow" });
  const registrations = createRegistrations({
    ...{ store: opened.store, clock, claimant: () => ({ node: 1, place: 0, nodes: 1 }) },
    log: createLogger({ level: "warn" }, (line) => lines.push(line)),
    settings: { source, resolve, resolveOwn: resolve },
  });
  registrations.start();
  return {
    ...{ registrations, clock, lines },
    async [Symbol.asyncDispose]() {
      await registrations.stop();
      await opened[Symbol.asyncDispose]();
    },
  };
}
