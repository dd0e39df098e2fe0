import { expect, test } from "bun:test";
import type { Evidence } from "../../../src/domain/checks/observation.ts";
import type { CheckFacts } from "../../../src/domain/evidence/evidence.ts";
import type { MonitorConfig } from "../../../src/domain/monitors/monitor.ts";
import { contractSuite } from "./suite.ts";
import { allPages, DAY, MINUTE, NOW, SECOND, untilDone, type World } from "./world.ts";

const CANARY = "canary-5f2c81d09a";
const SITE = { url: "https://shop.example/", interval: 60 } as const;
const ADDRESS = "203.0.113.7";

const facts = (values: Partial<CheckFacts> = {}): CheckFacts => ({
  ...{ step: "answer", dns: null, tls: null, http: null },
  ...values,
});

const up = (values: object = {}): Evidence => ({
  outcome: "reached",
  latencyMs: 40,
  told: [ADDRESS],
  detail: { statusCode: 200, address: ADDRESS, phases: { connect: 12 } },
  ...values,
});

const refused: Evidence = {
  outcome: "failed",
  reason: "refused",
  told: [ADDRESS],
  facts: facts({ step: "connect" }),
  detail: { message: "connect ECONNREFUSED", address: ADDRESS },
};

const unavailable = (body: string | null, values: object = {}): Evidence => ({
  outcome: "failed",
  reason: "unexpected",
  told: [ADDRESS],
  facts: facts({
    step: "answer",
    http: { statusCode: 503, headers: { server: "nginx" }, headerNames: ["server"], size: 9, body },
  }),
  detail: {
    ...{ statusCode: 503, address: ADDRESS, message: "503 Service Unavailable, expected 200 to 299" },
    ...values,
  },
});

const WHY_REFUSED = { layer: "port", summary: `${ADDRESS} refuses connections on port 443` } as const;

contractSuite("evidence", (world) => {
  test("behavior 22.1, 22.5: a suspicion and the check that opens an outage give evidence, which belongs to the outage", async () => {
    const site = await siteOf(world(), { confirmations: 2 });
    await world().check(site, up());
    await world().check(site, refused, NOW + MINUTE);
    expect(await listed(world(), site)).toMatchObject([
      {
        ...{ monitorId: site, outageId: null, location: "here", at: NOW + MINUTE, status: "down" },
        ...{ reason: "refused", ...WHY_REFUSED },
        good: { at: NOW, address: ADDRESS, statusCode: 200, phases: { connect: 12 }, size: null },
      },
    ]);
    for (const seconds of [80, 100]) await world().check(site, refused, NOW + seconds * SECOND);
    const outage = await only(world());
    expect(outage.why).toEqual(WHY_REFUSED);
    const all = await listed(world(), site);
    expect(all.map(({ at, outageId }) => [at - NOW, outageId])).toEqual([
      [100 * SECOND, outage.id],
      [MINUTE, outage.id],
    ]);
    const { store, organizationId } = world();
    const ofOutage = await store.evidence.listOfOutage(organizationId, outage.id);
    expect(ofOutage).toEqual(all.toReversed());
  });

  test("behavior 22.1: a failure that is over before it is confirmed has evidence, and opens no outage", async () => {
    const site = await siteOf(world(), { confirmations: 2 });
    await world().check(site, up());
    await world().check(site, refused, NOW + MINUTE);
    await world().check(site, up(), NOW + MINUTE + 20 * SECOND);
    expect(await listed(world(), site)).toMatchObject([{ outageId: null, ...WHY_REFUSED }]);
    expect((await world().store.outages.list(world().organizationId, { limit: 5 })).items).toEqual([]);
  });

  test("behavior 22.1, 22.6: an outage that turns to down has evidence of that too, within the same minute", async () => {
    const site = await siteOf(world(), { confirmations: 0 });
    await world().check(site, up());
    await world().check(site, up({ slowBy: 500, detail: { phases: { connect: 900 } } }), NOW + SECOND);
    await world().check(site, refused, NOW + 2 * SECOND);
    const { id } = await only(world());
    const all = await world().store.evidence.listOfOutage(world().organizationId, id);
    expect(all.map(({ status, layer }) => [status, layer])).toEqual([
      ["degraded", "network"],
      ["down", "port"],
    ]);
    expect(all[0]?.changes).toEqual([{ what: "phase", before: "connect 12 ms", now: "connect 900 ms" }]);
  });

  test("behavior 22.6: a monitor has at most one suspicion a minute with evidence", async () => {
    const site = await siteOf(world(), { confirmations: 1 });
    for (let at = 0; at < 4; at++) {
      await world().check(site, up(), NOW + at * 30 * SECOND);
      await world().check(site, refused, NOW + at * 30 * SECOND + SECOND);
    }
    expect((await listed(world(), site)).map(({ at }) => at - NOW)).toEqual([61 * SECOND, SECOND]);
  });

  test("behavior 22.6: of a storm, the layers and summaries of all are kept, and all else of eight", async () => {
    const sites = await Promise.all(Array.from({ length: 12 }, () => siteOf(world(), { confirmations: 0 })));
    const { recording } = world().store;
    const check = (evidence: Evidence, at: number) =>
      recording.record(sites.map((monitorId) => ({ kind: "check", monitorId, revision: 0, evidence, at })));
    await check(up(), NOW);
    const recorded = await check(unavailable("sorry"), NOW + MINUTE);
    const all = (await Promise.all(sites.map((site) => listed(world(), site)))).flat();
    expect(all.map(({ layer }) => layer)).toEqual(sites.map(() => "content" as const));
    expect(all.map(({ summary }) => summary.startsWith("503 instead of 200"))).toEqual(sites.map(() => true));
    expect(all.filter(({ http }) => http !== null)).toHaveLength(8);
    expect(recorded.filter((one) => one?.look)).toHaveLength(8);
  });

  test("behavior 22.4: addresses that the DNS gave good checks are known for a week, also after a restart", async () => {
    const site = await siteOf(world(), { confirmations: 0 });
    await world().check(site, up());
    await world().opened.reopen();
    const moved = { ...refused, told: ["198.51.100.9"], detail: { address: "198.51.100.9", message: "no" } };
    await world().check(site, moved, NOW + 7 * DAY);
    const [first] = await listed(world(), site);
    expect(first).toMatchObject({
      layer: "dns",
      summary: `The addresses changed from ${ADDRESS} to 198.51.100.9, where nothing answers`,
    });
    expect(first?.changes).toContainEqual({ what: "addresses", before: [ADDRESS], now: ["198.51.100.9"] });
    await world().check(site, up({ told: ["198.51.100.9"] }), NOW + 7 * DAY + MINUTE);
    const back = { ...refused, told: ["192.0.2.1"] };
    await world().check(site, back, NOW + 16 * DAY);
    expect((await listed(world(), site))[0]).toMatchObject({ layer: "port" });
  });

  test("behavior 22.7: a look completes evidence and explains it again; without one it stays as it was", async () => {
    const site = await siteOf(world(), { confirmations: 0 });
    const other = await siteOf(world(), { confirmations: 0 });
    await world().check(site, up());
    await world().check(other, up(), NOW + MINUTE - SECOND);
    const timeout: Evidence = {
      ...{ outcome: "failed", reason: "timeout", facts: facts({ step: "connect" }) },
      detail: { address: ADDRESS },
    };
    const [recorded] = await world().check(site, timeout, NOW + MINUTE);
    const id = recorded?.look?.evidenceId ?? "";
    await world().opened.reopen();
    expect(await listed(world(), site)).toMatchObject([
      {
        id,
        layer: "network",
        summary: `No answer from ${ADDRESS}`,
        path: null,
        connections: null,
        self: null,
      },
    ]);
    const path = [{ hop: 1, address: "198.51.100.1", rttMs: 2 }];
    const connections = [{ address: ADDRESS, port: 443, outcome: "timeout", tookMs: 1000 } as const];
    const self = { loopDelayMs: 1, load: 0.5, freeDescriptors: null, online: true };
    const looked = { id, location: 0, look: { path, connections }, self, now: NOW + MINUTE + SECOND };
    const { recording } = world().store;
    expect(await recording.completeEvidence({ ...looked, location: 7 })).toBe(false);
    expect(await recording.completeEvidence(looked)).toBe(true);
    expect(await listed(world(), site)).toMatchObject([
      {
        ...{ id, path, connections, layer: "network" },
        summary: `No answer from ${ADDRESS}; the path ends after 198.51.100.1 (hop 1)`,
        self: { ...self, healthyElsewhere: 1, failingElsewhere: 0 },
      },
    ]);
    expect(await recording.completeEvidence({ ...looked, id: "unknown" })).toBe(false);
  });

  test("behavior 22.2: a refused port is compared with other ports of the same host, after a look", async () => {
    const site = await siteOf(world(), { confirmations: 0 });
    const ssh = await siteOf(
      world(),
      { confirmations: 0 },
      { url: "https://shop.example:8443/", interval: 60 },
    );
    await world().check(ssh, up());
    const [recorded] = await world().check(site, refused, NOW + SECOND);
    const look = { connections: null, path: null };
    const looked = {
      id: recorded?.look?.evidenceId ?? "",
      location: 0,
      look,
      self: null,
      now: NOW + 2 * SECOND,
    };
    expect(await world().store.recording.completeEvidence(looked)).toBe(true);
    expect((await listed(world(), site))[0]?.summary).toBe(
      `${WHY_REFUSED.summary}; other ports of this host answer`,
    );
  });

  test("behavior 22.2, 22.16: a body is compared with the last good body that was read", async () => {
    const site = await siteOf(world(), { confirmations: 0 });
    const read = (body: number, size: number, values: object = {}) =>
      up({ size, detail: { statusCode: 200, address: ADDRESS, phases: { connect: 12, body } }, ...values });
    await world().check(site, read(5, 312));
    await world().check(site, read(910, 312, { slowBy: 900 }), NOW + MINUTE);
    const [slow] = await listed(world(), site);
    expect(slow).toMatchObject({ layer: "content", good: { size: 312, phases: { connect: 12, body: 5 } } });
    expect(slow?.summary).toStartWith("The body took 910 ms instead of 5");
  });

  test("behavior 22.3, 22.16: the names of headers are compared with those of the last good answer that was read", async () => {
    const site = await siteOf(world(), { confirmations: 0 });
    await world().check(site, up({ headerNames: ["date", "x-cache"] }));
    const failed = unavailable("a body");
    if (failed.outcome === "failed" && failed.facts?.http) failed.facts.http.headerNames = ["server", "date"];
    await world().check(site, failed, NOW + MINUTE);
    const [evidence] = await listed(world(), site);
    const names = { before: ["date", "x-cache"], now: ["date", "server"] };
    expect(evidence?.changes).toContainEqual({ what: "headers", ...names });
  });

  test("behavior 22.14: no secret of a config is in evidence, whatever a server repeats", async () => {
    const config: MonitorConfig<"HTTP"> = {
      ...SITE,
      headers: { Authorization: `Bearer ${CANARY}-header`, Cookie: `sid=${CANARY}-cookie` },
      method: "POST",
      body: `${CANARY}-body`,
    };
    const site = await siteOf(world(), { confirmations: 0 }, config);
    const echo = `${CANARY}-header ${CANARY}-body sid=${CANARY}-cookie ${btoa(`${CANARY}-body`)}`;
    await world().check(site, unavailable(echo, { message: `503, expected 200: ${echo}`, note: echo }));
    const text = JSON.stringify(await listed(world(), site));
    expect(text).toContain("•••");
    expect(text).not.toContain(CANARY);
    expect(text).not.toContain(btoa(`${CANARY}-body`));
  });

  test("behavior 22.6: evidence that is too large loses its body first", async () => {
    const site = await siteOf(world(), { confirmations: 0 });
    const noise = () =>
      [...crypto.getRandomValues(new Uint8Array(1000))].map((byte) => byte.toString(16)).join("");
    const headerNames = Array.from({ length: 40 }, noise);
    const large = unavailable("a body");
    if (large.outcome === "failed" && large.facts?.http) large.facts.http.headerNames = headerNames;
    await world().check(site, large);
    const [kept] = await listed(world(), site);
    expect(kept).toMatchObject({ layer: "content", http: { statusCode: 503, body: null, headerNames: [] } });
  });

  test("behavior 22.8: is listed in pages, the newest first, and belongs to one organization", async () => {
    const site = await siteOf(world(), { confirmations: 0 });
    for (let at = 0; at < 5; at++) {
      await world().check(site, refused, NOW + 2 * at * MINUTE);
      await world().check(site, up(), NOW + (2 * at + 1) * MINUTE);
      await world().check(site, up(), NOW + (2 * at + 1) * MINUTE + SECOND);
    }
    const { store, organizationId } = world();
    const page = (cursor?: string) =>
      store.evidence.listOfMonitor(organizationId, { monitorId: site, limit: 2, cursor });
    expect((await allPages(page)).map(({ at }) => (at - NOW) / MINUTE)).toEqual([8, 6, 4, 2, 0]);
    expect(page("bad")).rejects.toThrow("cursor must be one");
    await using stranger = await world().another();
    const foreign = { organizationId: stranger.organizationId, monitorId: site };
    const outages = await store.outages.list(organizationId, { limit: 1 });
    expect(store.evidence.listOfMonitor(foreign.organizationId, { ...foreign, limit: 1 })).rejects.toThrow(
      "Not found",
    );
    const id = outages.items[0]?.id ?? "";
    expect(store.evidence.listOfOutage(foreign.organizationId, id)).rejects.toThrow("Not found");
    expect(
      store.evidence.listOfMonitor(organizationId, { monitorId: await world().job(), limit: 1 }),
    ).resolves.toEqual({
      items: [],
      cursor: null,
    });
  });

  test("behavior 22.10: the newest 20 of a monitor and those of its outages of 90 days are kept, and none of a deleted monitor", async () => {
    const { store } = world();
    const blips = await siteOf(world(), { confirmations: 1 });
    const ended = await siteOf(world(), { confirmations: 0 });
    await world().check(ended, up());
    for (let at = 1; at <= 25; at++) {
      await world().check(blips, up(), NOW + 2 * at * MINUTE);
      await world().check(blips, refused, NOW + (2 * at + 1) * MINUTE);
      await world().check(ended, refused, NOW + 2 * at * MINUTE);
      await world().check(ended, up(), NOW + (2 * at + 1) * MINUTE);
    }
    const prune = (times: { before: number; outagesBefore: number }) => {
      let after: number | null = 0;
      return untilDone(async () => {
        after = await store.housekeeping.pruneEvidence(times, after ?? 0);
        return after !== null;
      });
    };
    await prune({ before: NOW, outagesBefore: NOW });
    expect([await count(world(), blips), await count(world(), ended)]).toEqual([20, 25]);
    await prune({ before: NOW + DAY, outagesBefore: NOW });
    expect([await count(world(), blips), await count(world(), ended)]).toEqual([0, 25]);
    await prune({ before: NOW, outagesBefore: NOW + DAY });
    expect(await count(world(), ended)).toBe(20);
    await store.monitors.delete(world().organizationId, ended);
    await untilDone(() => store.housekeeping.sweepDeletedMonitors());
    expect(
      store.evidence.listOfMonitor(world().organizationId, { monitorId: ended, limit: 1 }),
    ).rejects.toThrow("Not found");
  });

  test("behavior 22.9: a notification has the reason that is known when it is sent", async () => {
    const channel = await world().channel();
    const site = await siteOf(world(), { confirmations: 0 }, SITE, [channel]);
    await world().check(site, up());
    await world().check(site, refused, NOW + MINUTE);
    const [delivery] = await world().due();
    expect(delivery?.event).toMatchObject({ status: "down", why: WHY_REFUSED });
  });
});

function siteOf(
  { store, owner }: World,
  numbers: { confirmations: number },
  config: MonitorConfig<"HTTP"> = SITE,
  alertChannelIds: string[] = [],
): Promise<string> {
  const values = { name: "shop", type: "HTTP", config, alertChannelIds, recoveries: 0, ...numbers } as const;
  return store.monitors.create(owner, values, NOW).then(({ id }) => id);
}

function listed({ store, organizationId }: World, monitorId: string) {
  return allPages((cursor) => store.evidence.listOfMonitor(organizationId, { monitorId, limit: 50, cursor }));
}

async function count(world: World, monitorId: string): Promise<number> {
  return (await listed(world, monitorId)).length;
}

async function only({ store, organizationId }: World) {
  const { items } = await store.outages.list(organizationId, { limit: 2 });
  const [outage, other] = items;
  if (!outage || other) throw new Error(`there are ${items.length} outages`);
  return outage;
}
