import { describe, expect, test } from "bun:test";
import { TestServer } from "../support/product/server.ts";
import type { Client } from "../support/requests/client.ts";
import { createChannel, createMonitor } from "../support/requests/monitors.ts";
import { untilEndOfFile } from "../support/until-end.ts";

const server = await untilEndOfFile(TestServer.start());

const PATH = "/api/v1/audit";

interface Entry {
  id: string;
  action: string;
  changed: string[];
  before?: Record<string, unknown>;
}

async function entries(owner: Client): Promise<Entry[]> {
  return (await owner.get(`${PATH}?limit=200`)).body.data;
}

async function latest(owner: Client): Promise<Entry> {
  const [entry] = await entries(owner);
  if (!entry) throw new Error("the audit log is empty");
  return entry;
}

const undo = (client: Client, { id }: { id: string }) => client.post(`${PATH}/${id}/undo`);

describe("behavior 14.100: an entry of the audit log has the old values", () => {
  test("of the fields that changed, and none for what was created", async () => {
    const owner = await server.organization();
    const channel = await createChannel(owner);
    const { id } = await createMonitor(owner, "TCP", { tags: ["web"], alertChannelIds: [channel.id] });
    expect(await latest(owner)).not.toHaveProperty("before");
    await owner.patch(`/api/v1/monitors/${id}`, {
      name: "Shop",
      tags: [],
      enabled: false,
      alertChannelIds: [],
    });
    expect((await latest(owner)).before).toEqual({
      name: "a TCP monitor",
      tags: ["web"],
      enabled: true,
      alertBindings: [{ alertChannelId: channel.id, after: 0, every: 0 }],
    });
    await owner.delete(`/api/v1/monitors/${id}`);
    expect((await latest(owner)).before).toMatchObject({ type: "TCP", enabled: false, tags: [] });
  });

  test("but no secret: the fields that hold one are left out", async () => {
    const owner = await server.organization();
    const config = { url: "http://127.0.0.1:1/", interval: 86_400, method: "POST", body: "hidden-1" };
    const secrets = { headers: { "X-Key": "hidden-2" }, basicAuth: { user: "u", password: "hidden-3" } };
    const { id } = await createMonitor(owner, "HTTP", { config: { ...config, ...secrets } });
    const masked = { headers: { "X-Key": "•••" }, basicAuth: { user: "u", password: "•••" } };
    const slower = { ...config, ...masked, interval: 43_200 };
    expect((await owner.patch(`/api/v1/monitors/${id}`, { config: slower })).status).toBe(200);
    expect((await latest(owner)).before).toEqual({
      config: expect.objectContaining({ url: "http://127.0.0.1:1/", interval: 86_400 }),
    });
    await owner.patch(`/api/v1/monitors/${id}`, { config: { ...slower, headers: { "X-Key": "hidden-4" } } });
    expect(await latest(owner)).toMatchObject({ changed: ["config"] });
    expect(await latest(owner)).not.toHaveProperty("before");
    const channel = await createChannel(owner, {
      config: { url: "http://127.0.0.1:1/hidden-5", secret: "hidden-6" },
    });
    await owner.patch(`/api/v1/alerts/${channel.id}`, { config: { url: "http://127.0.0.1:1/" } });
    await owner.delete(`/api/v1/alerts/${channel.id}`);
    await owner.delete(`/api/v1/monitors/${id}`);
    const text = JSON.stringify(await entries(owner));
    expect(text).not.toContain("hidden");
    expect(text).not.toContain("•••");
  });

  test("and nothing that is longer than 16 KiB", async () => {
    const owner = await server.organization();
    const message = "x".repeat(2000);
    const { id } = await createMonitor(owner, "SCHEDULED");
    const page = {
      slug: `p-${id
        .slice(0, 8)
        .toLowerCase()
        .replace(/[^a-z0-9]/g, "x")}`,
      title: "P",
    };
    const pixel = `data:image/png;base64,${await pngOf(20_000)}`;
    const created = (await owner.post("/api/v1/pages", { ...page, logo: pixel, description: message })).body
      .data;
    expect((await owner.patch(`/api/v1/pages/${created.id}`, { logo: null, title: "Q" })).status).toBe(200);
    const entry = await latest(owner);
    expect(entry.changed.toSorted()).toEqual(["logo", "title"]);
    expect(entry.before).toEqual({ title: "P" });
    expect(await undo(owner, entry)).toMatchObject({
      status: 409,
      body: { error: "this change can't be undone: the old value of logo is not kept" },
    });
  });
});

describe("behavior 14.101: a change is undone", () => {
  test("while nothing has changed since, with the resource as answer and an entry of its own", async () => {
    const owner = await server.organization();
    const channel = await createChannel(owner);
    const monitor = await createMonitor(owner, "TCP", { tags: ["web"], alertChannelIds: [channel.id] });
    const path = `/api/v1/monitors/${monitor.id}`;
    await owner.patch(path, {
      name: "Shop",
      tags: [],
      enabled: false,
      alertChannelIds: [],
      confirmations: 3,
    });
    const change = await latest(owner);
    const { status, body } = await undo(owner, change);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      id: monitor.id,
      name: "a TCP monitor",
      tags: ["web"],
      enabled: true,
      confirmations: monitor.confirmations,
      alertBindings: [{ alertChannelId: channel.id }],
    });
    const undone = await latest(owner);
    expect(undone).toMatchObject({ action: "monitor.updated", before: { name: "Shop", enabled: false } });
    expect(await undo(owner, change)).toMatchObject({
      status: 409,
      body: { error: "Shop was changed again since then" },
    });
    // An undo can be undone.
    expect((await undo(owner, undone)).body.data).toMatchObject({ name: "Shop", enabled: false });
  });

  test("without the secrets of a config, which stay", async () => {
    const owner = await server.organization();
    const config = { url: "http://127.0.0.1:1/", interval: 86_400, headers: { "X-Key": "hidden" } };
    const { id } = await createMonitor(owner, "HTTP", { config });
    const masked = { ...config, headers: { "X-Key": "•••" } };
    await owner.patch(`/api/v1/monitors/${id}`, {
      config: { ...masked, interval: 43_200, contains: undefined },
    });
    const { status, body } = await undo(owner, await latest(owner));
    expect({ status, config: body.data.config }).toEqual({
      status: 200,
      config: expect.objectContaining({ interval: 86_400, headers: { "X-Key": "•••" } }),
    });
  });

  test("of each kind of resource", async () => {
    const owner = await server.organization();
    const channel = await createChannel(owner);
    const window = { startsAt: "2998-01-01T00:00:00.000Z", endsAt: "2999-01-01T00:00:00.000Z" };
    const maintenance = { title: "old", selector: { all: true }, ...window };
    const changes: [string, object, object][] = [
      [`alerts/${channel.id}`, { name: "new", enabled: false }, { name: channel.name, enabled: true }],
      ["organization", { defaultAlertChannelIds: [channel.id] }, { defaultAlertChannelIds: [] }],
    ];
    const made = async (path: string, body: object) =>
      (await owner.post(`/api/v1/${path}`, body)).body.data.id;
    const key = await made("api-keys", { name: "old", role: "admin", expiresAt: window.endsAt });
    changes.push([
      `api-keys/${key}`,
      { role: "viewer", expiresAt: null },
      { role: "admin", expiresAt: window.endsAt },
    ]);
    const location = await made("locations", { name: "old" });
    changes.push([`locations/${location}`, { name: "new" }, { name: "old" }]);
    const repair = await made("maintenances", maintenance);
    changes.push([`maintenances/${repair}`, { title: "new" }, { title: "old" }]);
    const cron = { cron: "0 3 * * *", duration: 3600 };
    changes.push([`maintenances/${repair}`, cron, { ...window, cron: null }]);
    const job = await createMonitor(owner, "SCHEDULED");
    const page = await made("pages", {
      slug: "undo",
      title: "old",
      components: [{ monitorId: job.id }],
    });
    changes.push([`pages/${page}`, { title: "new", accent: "#2450c4" }, { title: "old", accent: null }]);
    const incident = await made(`pages/${page}/incidents`, { title: "old", impact: "major" });
    changes.push([
      `pages/${page}/incidents/${incident}`,
      { title: "new", impact: "minor" },
      { title: "old", impact: "major" },
    ]);
    changes.push([`pages/${page}`, { components: [] }, { components: [{ monitorId: job.id, name: null }] }]);
    for (const [path, change, before] of changes) {
      expect((await owner.patch(`/api/v1/${path}`, change)).status).toBe(200);
      expect(await undo(owner, await latest(owner))).toMatchObject({ status: 200, body: { data: before } });
    }
  });

  test("409 says why it can't be", async () => {
    const owner = await server.organization();
    const { id, name } = await createMonitor(owner, "TCP");
    const refused = async (entry: Entry, error: string) =>
      expect(await undo(owner, entry)).toMatchObject({ status: 409, body: { error } });
    await refused(await latest(owner), "this change can't be undone");
    await owner.patch(`/api/v1/monitors/${id}`, { tags: ["web"] });
    const tagged = await latest(owner);
    await owner.post("/api/v1/monitors/pause-all");
    await refused(await latest(owner), "this change can't be undone");
    await refused(tagged, `${name} was changed again since then`);
    await owner.patch(`/api/v1/monitors/${id}`, { tags: [] });
    const change = await latest(owner);
    await owner.delete(`/api/v1/monitors/${id}`);
    await refused(change, `${name} was deleted since then: it can't be restored`);
    const channel = await createChannel(owner);
    const other = await createMonitor(owner, "TCP", { alertChannelIds: [channel.id] });
    await owner.patch(`/api/v1/monitors/${other.id}`, { alertChannelIds: [] });
    const unbound = await latest(owner);
    await owner.delete(`/api/v1/alerts/${channel.id}`);
    expect((await undo(owner, unbound)).body.error).toStartWith(
      "this change can't be undone: alertBindings.0",
    );
    const page = (await owner.post("/api/v1/pages", { slug: "refused", title: "P" })).body.data.id;
    const incidents = `/api/v1/pages/${page}/incidents`;
    const incident = (await owner.post(incidents, { title: "I", impact: "none" })).body.data.id;
    await owner.patch(`${incidents}/${incident}`, { title: "J" });
    const renamed = await latest(owner);
    const update = { status: "identified", body: "b" };
    expect((await owner.post(`${incidents}/${incident}/updates`, update)).status).toBe(201);
    await refused(await latest(owner), "this change can't be undone: the old value of updates is not kept");
    await refused(renamed, "J was changed again since then");
    await owner.patch(`${incidents}/${incident}`, { title: "K" });
    const again = await latest(owner);
    await owner.delete(`/api/v1/pages/${page}`);
    await refused(again, "K was deleted since then: it can't be restored");
    expect(await undo(owner, { id: "none" })).toMatchObject({ status: 404 });
    expect(await undo(await server.organization(), unbound)).toMatchObject({ status: 404 });
  });

  test("by whoever may change the resource, under their name and address", async () => {
    const owner = await server.organization();
    const keyOf = async (role: string) =>
      (await owner.post("/api/v1/api-keys", { name: role, role })).body.data.key as string;
    const [admin, viewer] = [owner.as(await keyOf("admin")), owner.as(await keyOf("viewer"))];
    await owner.patch("/api/v1/organization", { name: "new" });
    const renamed = await latest(owner);
    expect((await undo(viewer, renamed)).status).toBe(403);
    expect((await undo(owner.as(undefined), renamed)).status).toBe(401);
    expect((await undo(admin, renamed)).status).toBe(200);
    expect(await latest(owner)).toMatchObject({ actor: { name: "admin" }, address: "127.0.0.1" });
    const { id } = (await owner.post("/api/v1/api-keys", { name: "k" })).body.data;
    await owner.patch(`/api/v1/api-keys/${id}`, { name: "l" });
    const key = await latest(owner);
    expect((await undo(admin, key)).status).toBe(403);
    expect((await undo(owner, key)).status).toBe(200);
  });

  test("once, if two ask at the same time", async () => {
    const owner = await server.organization();
    const { id } = await createMonitor(owner, "TCP");
    await owner.patch(`/api/v1/monitors/${id}`, { tags: ["web"], name: "b" });
    const change = await latest(owner);
    const before = (await entries(owner)).length;
    const answers = await Promise.all([undo(owner, change), undo(owner, change), undo(owner, change)]);
    // Whoever is late finds that all is as it was, or that it was changed.
    for (const { status } of answers) expect([200, 409]).toContain(status);
    expect(answers.map(({ status }) => status)).toContain(200);
    expect((await entries(owner)).length).toBe(before + 1);
  });
});

describe("behavior 14.102: a change of many monitors", () => {
  test("answers with its entries only if they are asked for, and is undone by them", async () => {
    const owner = await server.organization();
    const [one, two] = [
      await createMonitor(owner, "TCP", { tags: ["a"] }),
      await createMonitor(owner, "HTTP", {
        tags: ["b"],
        config: { url: "http://127.0.0.1:1/", interval: 43_200, headers: { "X-Key": "hidden" } },
      }),
    ];
    const body = { selector: { all: true }, change: { interval: 3600, addTags: ["c"], enabled: false } };
    const dry = await owner.post("/api/v1/monitors/bulk?undo=true&dryRun=true", body);
    expect(dry.body.data).not.toHaveProperty("auditIds");
    const done = await owner.post("/api/v1/monitors/bulk?undo=true", body);
    const { auditIds } = done.body.data;
    expect(auditIds).toHaveLength(2);
    expect(await owner.post(`${PATH}/undo/bulk`, { ids: auditIds })).toMatchObject({
      status: 200,
      body: { data: { undone: 2, refusedCount: 0, refused: [] } },
    });
    for (const [{ id }, interval, tags] of [
      [one, 86_400, ["a"]],
      [two, 43_200, ["b"]],
    ] as const)
      expect((await owner.get(`/api/v1/monitors/${id}`)).body.data).toMatchObject({
        enabled: true,
        tags,
        config: { interval },
      });
    const again = await owner.post("/api/v1/monitors/bulk", body);
    expect(again.body.data).not.toHaveProperty("auditIds");
    const viewer = owner.as(
      (await owner.post("/api/v1/api-keys", { name: "v", role: "viewer" })).body.data.key,
    );
    expect((await viewer.post(`${PATH}/undo/bulk`, { ids: auditIds })).status).toBe(403);
    expect((await owner.post(`${PATH}/undo/bulk`, { ids: ["none"] })).status).toBe(404);
    expect((await owner.post(`${PATH}/undo/bulk`, { ids: [] })).status).toBe(422);
  });
});

/** A picture of some bytes that don't compress, in base64. */
async function pngOf(size: number): Promise<string> {
  const { deflateSync } = await import("node:zlib");
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(Bun.hash.crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const side = Math.ceil(Math.sqrt(size / 3));
  const head = Buffer.alloc(13);
  head.writeUInt32BE(side, 0);
  head.writeUInt32BE(side, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const width = side * 3 + 1;
  const rows = Buffer.from(crypto.getRandomValues(new Uint8Array(side * width)));
  // Each row begins with its filter.
  for (let row = 0; row < side; row++) rows[row * width] = 0;
  const magic = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    magic,
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]).toString("base64");
}
