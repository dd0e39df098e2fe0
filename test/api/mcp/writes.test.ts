import { describe, expect, test } from "bun:test";
import { canonicalJson } from "../../../src/domain/canonical-json.ts";
import { parseAddressRanges } from "../../../src/domain/network/client-address.ts";
import { TestServer } from "../../support/product/server.ts";
import type { Client } from "../../support/requests/client.ts";
import { McpClient } from "../../support/requests/mcp-client.ts";
import { checkIn, createMonitor } from "../../support/requests/monitors.ts";
import { untilEndOfFile } from "../../support/until-end.ts";

const ADDRESS = "203.0.113.7";
const server = await untilEndOfFile(
  TestServer.start({ trustedProxies: parseAddressRanges("127.0.0.0/8") ?? [] }),
);

const WRONG = expect.stringContaining("confirm is not the one of this call");
const DOCUMENT = {
  monitors: {
    shop: { type: "TCP", config: { host: "127.0.0.1", port: 1, interval: 86_400 }, enabled: false },
  },
};
const WINDOW = { startsAt: "2036-01-30T20:00:00Z", endsAt: "2036-01-30T22:00:00Z" };

interface Start {
  owner: Client;
  agent: McpClient;
  job: { id: string };
  outage: { id: string };
}

async function start(): Promise<Start> {
  const owner = await server.organization();
  const agent = await untilEndOfFile(McpClient.connect(owner, { "x-forwarded-for": ADDRESS }));
  const job = await createMonitor(owner, "SCHEDULED", { name: "Backup", tags: ["night"] });
  await checkIn(owner, job.id, "ok", "fail");
  const [outage] = (await owner.get("/api/v1/outages?open=true")).body.data;
  return { owner, agent, job, outage };
}

/** The state that the writes change. */
async function stateOf({ owner }: Start) {
  const monitors = (await owner.get("/api/v1/monitors")).body.data;
  const outages = (await owner.get("/api/v1/outages")).body.data;
  const maintenances = (await owner.get("/api/v1/maintenances")).body.data;
  const audit = (await owner.get("/api/v1/audit")).body.data;
  return {
    monitors: monitors.map(({ ref, enabled }: { ref: string; enabled: boolean }) => ({ ref, enabled })),
    acknowledged: outages.map(({ acknowledgedBy, note }: Record<string, string>) => ({
      acknowledgedBy,
      note,
    })),
    maintenances: maintenances.map(({ title }: { title: string }) => title),
    audit: audit.length,
  };
}

interface Case {
  given: (start: Start) => Record<string, unknown>;
  /** Other arguments with which the tool would write too. */
  other: (start: Start) => Record<string, unknown>;
  /** A change by somebody else between the dry run and the write. */
  meanwhile: (start: Start) => Promise<unknown>;
  /** Before the dry run. */
  before?: (start: Start) => Promise<unknown>;
  /** The state after the write. */
  after: object;
  entry: { action: string; changed?: string[] };
}

const setEnabled = ({ owner, job }: Start, enabled: boolean) =>
  owner.patch(`/api/v1/monitors/${job.id}`, { enabled });

const cases: Record<string, Case> = {
  apply: {
    given: () => ({ document: DOCUMENT }),
    other: () => ({ document: DOCUMENT, prune: true }),
    meanwhile: ({ owner }) =>
      owner.put("/api/v1/monitors/by-ref/shop", { ...DOCUMENT.monitors.shop, name: "Theirs" }),
    after: {
      monitors: [
        { ref: null, enabled: true },
        { ref: "shop", enabled: false },
      ],
    },
    entry: { action: "monitor.created" },
  },
  pause: {
    given: ({ job }) => ({ monitorId: job.id }),
    other: () => ({ selector: { all: true } }),
    meanwhile: (start) => setEnabled(start, false),
    after: { monitors: [{ ref: null, enabled: false }] },
    entry: { action: "monitor.updated", changed: ["enabled"] },
  },
  resume: {
    before: (start) => setEnabled(start, false),
    given: () => ({ selector: { tags: ["night"] } }),
    other: ({ job }) => ({ monitorId: job.id }),
    meanwhile: ({ owner }) => createMonitor(owner, "SCHEDULED", { tags: ["night"], enabled: false }),
    after: { monitors: [{ ref: null, enabled: true }] },
    entry: { action: "monitor.updated", changed: ["enabled"] },
  },
  acknowledge: {
    given: ({ outage }) => ({ outageId: outage.id, note: "mine" }),
    other: ({ outage }) => ({ outageId: outage.id }),
    meanwhile: ({ owner, outage }) =>
      owner.post(`/api/v1/outages/${outage.id}/acknowledge`, { note: "theirs" }),
    after: { acknowledged: [{ acknowledgedBy: "owner", note: "mine" }] },
    entry: { action: "outage.acknowledged", changed: ["note"] },
  },
  maintenance: {
    given: () => ({ title: "Rack", selector: { all: true }, ...WINDOW }),
    other: () => ({ title: "Other rack", selector: { all: true }, ...WINDOW }),
    meanwhile: ({ owner }) =>
      owner.post("/api/v1/maintenances", { title: "Rack", selector: { all: true }, ...WINDOW }),
    after: { maintenances: ["Rack"] },
    entry: { action: "maintenance.created" },
  },
};

describe.each(Object.entries(cases))("%s", (name, { given, other, meanwhile, before, after, entry }) => {
  const begin = async () => {
    const begun = await start();
    await before?.(begun);
    return { ...begun, args: given(begun) };
  };

  test("behavior 29.20: writes nothing without confirm, and answers what it would do and a hash", async () => {
    const begun = await begin();
    const state = await stateOf(begun);
    const tried = await begun.agent.call(name, begun.args);
    expect([tried.isError, tried.confirm]).toEqual([false, expect.stringMatching(/^[0-9a-f]{64}$/)]);
    expect(tried.note).toContain("Nothing was written");
    expect(await stateOf(begun)).toEqual(state);
    expect(await begun.agent.call(name, begun.args)).toEqual(tried);
  });

  test("behavior 29.7, 29.21: writes with it, in the name of the key and with the address of the client", async () => {
    const begun = await begin();
    const { audit } = await stateOf(begun);
    const { isError, confirm, note } = await begun.agent.write(name, begun.args);
    expect([isError, confirm, note]).toEqual([
      false,
      undefined,
      expect.stringContaining("This was written."),
    ]);
    expect(await stateOf(begun)).toMatchObject({ ...after, audit: audit + 1 });
    const [latest] = (await begun.owner.get("/api/v1/audit")).body.data;
    expect(latest).toMatchObject({ ...entry, address: ADDRESS, actor: { type: "key", name: "owner" } });
  });

  test("behavior 29.21: writes nothing with a wrong confirm, or one of other arguments", async () => {
    const begun = await begin();
    const { confirm } = await begun.agent.call(name, other(begun));
    const state = await stateOf(begun);
    for (const wrong of [confirm, "", "0".repeat(64), "yes"]) {
      const refused = await begun.agent.call(name, { ...begun.args, confirm: wrong });
      expect([refused.isError, refused.data.error, refused.confirm]).toEqual([true, WRONG, undefined]);
    }
    expect(await stateOf(begun)).toEqual(state);
  });

  test("behavior 29.21: writes nothing with the confirm of another tool or another organization", async () => {
    const begun = await begin();
    const foreign = await begin();
    const confirms = [(await foreign.agent.call(name, foreign.args)).confirm];
    for (const [tool, one] of Object.entries(cases))
      if (tool !== name) confirms.push((await begun.agent.call(tool, one.given(begun))).confirm);
    const state = await stateOf(begun);
    // Where the tool can't write now, it has none.
    for (const confirm of confirms.filter((one) => one !== undefined))
      expect((await begun.agent.call(name, { ...begun.args, confirm })).data.error).toEqual(WRONG);
    expect(await stateOf(begun)).toEqual(state);
  });

  test("behavior 29.21: writes nothing if something has changed since", async () => {
    const begun = await begin();
    const { confirm } = await begun.agent.call(name, begun.args);
    await meanwhile(begun);
    const state = await stateOf(begun);
    const stale = await begun.agent.call(name, { ...begun.args, confirm });
    expect([stale.isError, stale.data.error]).toEqual([true, WRONG]);
    expect(await stateOf(begun)).toEqual(state);
  });

  test("behavior 29.22: writes once with one confirm, also if two calls come together", async () => {
    const begun = await begin();
    const { audit } = await stateOf(begun);
    const { confirm } = await begun.agent.call(name, begun.args);
    const args = { ...begun.args, confirm };
    const both = await Promise.all([begun.agent.call(name, args), begun.agent.call(name, args)]);
    expect(both.map(({ isError }) => isError).sort()).toEqual([false, true]);
    expect((await begun.agent.call(name, args)).data.error).toEqual(WRONG);
    expect(await stateOf(begun)).toMatchObject({ ...after, audit: audit + 1 });
  });

  test("behavior 29.23: a viewer gets no dry run, and can't write with the confirm of somebody else", async () => {
    const begun = await begin();
    const { confirm } = await begun.agent.call(name, begun.args);
    const { key } = (await begun.owner.post("/api/v1/api-keys", { name: "v", role: "viewer" })).body.data;
    const state = await stateOf(begun);
    await using viewer = await McpClient.connect(begun.owner.as(key));
    for (const args of [begun.args, { ...begun.args, confirm }])
      expect(await viewer.call(name, args)).toMatchObject({ isError: true, data: { error: "Forbidden" } });
    expect(await stateOf(begun)).toEqual(state);
  });
});

test("behavior 29.16, 29.20: plan answers the confirm of apply, the hash of what it shows", async () => {
  const { owner, agent } = await start();
  const given = { document: DOCUMENT, prune: "all" };
  const planned = await agent.call("plan", given);
  const tried = await agent.call("apply", given);
  expect([planned.data, planned.confirm]).toEqual([tried.data, tried.confirm as string]);
  const { id: organization } = (await owner.get("/api/v1/organization")).body.data;
  const text = canonicalJson({ tool: "apply", arguments: given, organization, shown: planned.data.changes });
  expect(planned.confirm).toBe(new Bun.CryptoHasher("sha256").update(text).digest("hex"));
  expect((await agent.call("apply", { ...given, confirm: planned.confirm })).isError).toBe(false);
  expect((await agent.call("plan", given)).data.counts).toEqual({ create: 0, update: 0, delete: 0 });
});

test("behavior 29.16, 29.21: plan shows the present values, and a value that changed since makes a confirm stale", async () => {
  const { owner, agent } = await start();
  await agent.write("apply", { document: DOCUMENT });
  const put = (port: number) =>
    owner.put("/api/v1/monitors/by-ref/shop", {
      ...DOCUMENT.monitors.shop,
      ...{ name: "shop", config: { ...DOCUMENT.monitors.shop.config, port } },
    });
  await put(2);
  const planned = await agent.call("plan", { document: DOCUMENT });
  const change = { action: "update", kind: "monitor", ref: "shop", fields: ["config.port"] };
  expect(planned.data.changes).toEqual([{ ...change, present: { "config.port": 2 } }]);
  await put(3);
  const stale = await agent.call("apply", { document: DOCUMENT, confirm: planned.confirm });
  expect(stale).toMatchObject({ isError: true, data: { error: WRONG } });
  const { data: monitors } = (await owner.get("/api/v1/monitors")).body;
  expect(monitors.map(({ config }: { config: { port?: number } }) => config.port)).toEqual([undefined, 3]);
  const { data } = await agent.call("plan", { document: {}, prune: "all" });
  expect(data.changes).toMatchObject([{ action: "delete", ref: "shop", present: { type: "TCP" } }]);
});

test("behavior 29.23: a dry run fails where the write would, and leaves no trace", async () => {
  const begun = await start();
  const { owner, agent, outage, job } = begun;
  await owner.post("/api/v1/maintenances", { title: "x", selector: { all: true }, ...WINDOW, ref: "taken" });
  const state = await stateOf(begun);
  const base = { title: "Rack", selector: { all: true }, ...WINDOW };
  for (const [name, given, error] of [
    ["maintenance", { ...base, ref: "taken" }, "ref is taken"],
    [
      "maintenance",
      { ...base, selector: { monitorIds: ["none"] } },
      "selector.monitorIds.0 is not a monitor",
    ],
    ["maintenance", { ...base, notifyChannelIds: ["none"] }, "notifyChannelIds.0 is not "],
    ["maintenance", { ...base, endsAt: "2020-01-01T00:00:00Z" }, "endsAt must "],
    ["pause", { selector: { monitorIds: [job.id, "none"] } }, "selector.monitorIds.1 is not a monitor"],
  ] as const)
    expect((await agent.call(name, given)).data.error).toStartWith(error);
  await checkIn(owner, job.id, "ok");
  expect((await agent.call("acknowledge", { outageId: outage.id })).data.error).toContain("has ended");
  expect(await stateOf(begun)).toEqual(state);
});

test("behavior 29.24: pause and resume name the monitors that change", async () => {
  const { owner, agent, job } = await start();
  const other = await createMonitor(owner, "SCHEDULED", { name: "Other", tags: ["night"], enabled: false });
  const { data } = await agent.call("pause", { selector: { matching: { tags: ["night"] } } });
  expect(data).toEqual({
    matched: 2,
    changedCount: 1,
    changed: [{ monitorId: job.id, name: "Backup" }],
    moreChanged: 0,
  });
  expect((await agent.write("resume", { monitorId: other.id })).data).toMatchObject({ changedCount: 1 });
});

test("behavior 29.25: acknowledge shows the present acknowledgement, maintenance the others of its title", async () => {
  const { agent, outage } = await start();
  await agent.write("acknowledge", { outageId: outage.id, note: "first" });
  const again = await agent.call("acknowledge", { outageId: outage.id, note: "second" });
  expect(again.data).toMatchObject({ acknowledges: { outageId: outage.id, note: "first" }, note: "second" });
  const given = { title: "Rack", selector: { tags: ["night"] }, ...WINDOW };
  const { data } = await agent.write("maintenance", given);
  expect((await agent.call("maintenance", given)).data).toMatchObject({
    creates: { title: "Rack", startsAt: "2036-01-30T20:00:00.000Z" },
    matchedMonitors: 1,
    existingMaintenances: 1,
    ofTheSameTitle: [data.id],
  });
});
