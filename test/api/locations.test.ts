import { describe, expect, test } from "bun:test";
import { TestServer } from "../support/product/server.ts";
import { createMonitor, newMonitor } from "../support/requests/monitors.ts";
import { createLocation, EVIDENCE, ProbeClient } from "../support/requests/probe-client.ts";
import { scrape } from "../support/requests/scrape.ts";
import { storedRows } from "../support/store/states.ts";
import { untilEndOfFile } from "../support/until-end.ts";

const LOCATIONS = "/api/v1/locations";
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

let names = 0;

const server = await untilEndOfFile(TestServer.start());
const owner = server.client;

function uniqueName(): string {
  return `place ${++names}`;
}

async function find(id: string, client = owner) {
  const { body } = await client.get(LOCATIONS);
  return body.data.find((location: { id: string }) => location.id === id);
}

describe("behavior 13.30: a location", () => {
  test("behavior 13.31: has these fields in the create response, including the key", async () => {
    const { status, body } = await owner.post(LOCATIONS, { name: " fra " });
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        data: {
          id: expect.stringMatching(/^[\w-]+$/),
          name: "fra",
          createdAt: TIME,
          lastSeenAt: null,
          version: null,
          state: "new",
          key: expect.stringMatching(/^stillup_probe_[0-9A-Za-z]{43}$/),
        },
      },
    });
    const { key: _, ...created } = body.data;
    expect(await find(created.id)).toEqual(created);
    expect((await owner.get(`${LOCATIONS}/${created.id}`)).body).toEqual({ data: created });
  });

  test("is not found by another organization, nor under another ID", async () => {
    const { id } = await createLocation(owner, uniqueName());
    const other = await server.organization();
    for (const { status, body } of [
      await other.get(`${LOCATIONS}/${id}`),
      await owner.get(`${LOCATIONS}/none`),
    ])
      expect([status, body]).toEqual([404, { error: "Not found" }]);
  });

  test("is connected with the first request of its probe", async () => {
    const { id, probe } = await createLocation(owner, uniqueName());
    await probe.work();
    expect(await find(id)).toMatchObject({ state: "connected", lastSeenAt: TIME, version: "1.2.3" });
  });

  test("is listed for every role, and written by an owner only", async () => {
    const { id } = await createLocation(owner, uniqueName());
    for (const role of ["admin", "viewer"] as const) {
      const client = owner.as(await server.keyWith(role));
      expect(await find(id, client)).toMatchObject({ id });
      expect((await client.get(`${LOCATIONS}/report`)).status).toBe(200);
      expect((await client.post(LOCATIONS, { name: uniqueName() })).status).toBe(403);
      expect((await client.patch(`${LOCATIONS}/${id}`, { name: uniqueName() })).status).toBe(403);
      expect((await client.delete(`${LOCATIONS}/${id}`)).status).toBe(403);
    }
  });

  test("can be renamed, and keeps its key", async () => {
    const { id, probe } = await createLocation(owner, uniqueName());
    const name = uniqueName();
    await probe.work();
    expect((await owner.patch(`${LOCATIONS}/${id}`, {})).status).toBe(200);
    expect(await owner.patch(`${LOCATIONS}/${id}`, { name: ` ${name} ` })).toMatchObject({
      status: 200,
      body: { data: { id, name } },
    });
    expect((await probe.work()).body.data.location).toEqual({ id, name });
  });

  test("has a name that is unique in the organization", async () => {
    const name = uniqueName();
    await createLocation(owner, name);
    const { id } = await createLocation(owner, uniqueName());
    for (const answer of [
      await owner.post(LOCATIONS, { name }),
      await owner.patch(`${LOCATIONS}/${id}`, { name }),
    ]) {
      expect(answer.status).toBe(422);
      expect(answer.body.error).toStartWith("name must be unique");
    }
    expect((await (await server.organization()).post(LOCATIONS, { name })).status).toBe(201);
  });

  test.each([
    [{}, "name is required"],
    [{ name: "" }, "name must be 1 to 200 characters"],
    [{ name: "here" }, "name must"],
    [{ name: "a", key: "stillup_probe_mine" }, "key is not a known field"],
  ])("%p is rejected", async (body, error) => {
    const answer = await owner.post(LOCATIONS, body);
    expect(answer.status).toBe(422);
    expect(answer.body.error).toStartWith(error);
  });

  test("that monitors use cannot be deleted, and the error names them", async () => {
    const { id } = await createLocation(owner, uniqueName());
    const monitor = await createMonitor(owner, "HTTP", { name: "Shop front", locations: ["here", id] });
    const refused = await owner.delete(`${LOCATIONS}/${id}`);
    expect(refused.status).toBe(422);
    expect(refused.body.error).toContain("Shop front");
    await owner.patch(`/api/v1/monitors/${monitor.id}`, { locations: ["here"] });
    expect(await owner.delete(`${LOCATIONS}/${id}`)).toMatchObject({ status: 200, body: { data: { id } } });
    expect(await find(id)).toBeUndefined();
    expect((await owner.delete(`${LOCATIONS}/${id}`)).status).toBe(404);
  });

  test("behavior 8.5: belongs to one organization", async () => {
    const other = await server.organization();
    const { id } = await createLocation(owner, uniqueName());
    expect((await other.get(LOCATIONS)).body.data).toEqual([]);
    expect((await other.get(`${LOCATIONS}/report`)).body.data).toEqual([]);
    expect((await other.patch(`${LOCATIONS}/${id}`, { name: "mine" })).status).toBe(404);
    expect((await other.delete(`${LOCATIONS}/${id}`)).status).toBe(404);
  });

  test("behavior 13.39: is reported with its lag, its backlog and its monitors", async () => {
    const { id, probe } = await createLocation(owner, uniqueName());
    const monitor = await createMonitor(owner, "HTTP", { locations: [id] });
    await probe.work({ waiting: 7, dropped: 3 });
    await probe.observe({ monitorId: monitor.id, at: server.now() - 5000 });
    const { body } = await owner.get(`${LOCATIONS}/report`);
    const report = body.data.find((location: { id: string }) => location.id === id);
    const { name } = await find(id);
    const rest = { version: "1.2.3", isAtFault: false, waiting: 7, dropped: 3, monitors: 1 };
    expect(report).toEqual({ id, name, state: "connected", lastSeenAt: TIME, lagMs: report.lagMs, ...rest });
    expect(report.lagMs).toBeGreaterThanOrEqual(5000);
  });
});

describe("behavior 13.31: the key of a location", () => {
  test("is rejected by every other route", async () => {
    const { probe } = await createLocation(owner, uniqueName());
    const client = owner.as(probe.key);
    for (const path of ["/api/v1/monitors", LOCATIONS, "/api/v1/status", "/api/v1/session", "/api/v1/stream"])
      expect({ path, status: (await client.get(path)).status }).toEqual({ path, status: 401 });
    expect((await client.post("/api/v1/monitors", {})).status).toBe(401);
    expect((await client.post("/api/v1/probe", {})).status).toBe(401);
    expect((await client.post("/api/v1/session", { key: probe.key })).status).toBe(401);
    expect(
      (await fetch(`${owner.url}/metrics`, { headers: { authorization: `Bearer ${probe.key}` } })).status,
    ).toBe(401);
  });

  test("is the only one that the routes of probes accept", async () => {
    for (const key of [owner.key ?? "", `stillup_probe_${"x".repeat(43)}`, "nonsense"]) {
      const probe = new ProbeClient(owner, key);
      for (const { status, body } of [await probe.work(), await probe.observe({ monitorId: "x" })])
        expect({ status, body }).toEqual({ status: 401, body: { error: "Unauthorized" } });
    }
    expect((await owner.as(undefined).get("/api/v1/probe/work")).status).toBe(401);
  });

  test("is rejected from the deletion of its location on", async () => {
    const { id, probe } = await createLocation(owner, uniqueName());
    const { body } = await probe.work();
    const { revision, after } = body.data;
    const held = probe.work({ revision, after });
    await owner.delete(`${LOCATIONS}/${id}`);
    expect((await held).status).toBe(401);
    expect((await probe.work()).status).toBe(401);
  });

  test("is stored as its SHA-256 only", async () => {
    const { probe } = await createLocation(owner, uniqueName());
    const rows = (await storedRows(server.db)).join("\n");
    expect(rows).not.toContain(probe.key);
    expect(rows).toContain(new Bun.CryptoHasher("sha256").update(probe.key).digest().toString("hex"));
  });
});

describe("behavior 13.32: locations and downWhen of a monitor", () => {
  test("have defaults, and are not there for SCHEDULED", async () => {
    const monitor = await createMonitor(owner, "TCP");
    expect(monitor).toMatchObject({ locations: ["here"], downWhen: "majority" });
    const path = `/api/v1/monitors/${monitor.id}`;
    expect((await owner.get(path)).body.data).toMatchObject({ locations: ["here"], downWhen: "majority" });
    const job = await createMonitor(owner, "SCHEDULED");
    const listed = (await owner.get("/api/v1/monitors")).body.data;
    for (const body of [job, listed.find(({ id }: { id: string }) => id === job.id)]) {
      expect(body).not.toHaveProperty("locations");
      expect(body).not.toHaveProperty("downWhen");
    }
  });

  test("are returned in the order given, by every response", async () => {
    const [a, b] = [await createLocation(owner, uniqueName()), await createLocation(owner, uniqueName())];
    const fields = { locations: [b.id, "here", a.id], downWhen: 2 };
    const monitor = await createMonitor(owner, "TCP", fields);
    expect(monitor).toMatchObject(fields);
    const path = `/api/v1/monitors/${monitor.id}`;
    expect((await owner.patch(path, { name: "renamed" })).body.data).toMatchObject(fields);
    expect((await owner.get(path)).body.data).toMatchObject(fields);
    const listed = (await owner.get("/api/v1/monitors")).body.data;
    expect(listed.find(({ id }: { id: string }) => id === monitor.id)).toMatchObject(fields);
    const changes = { locations: [a.id], downWhen: "all" };
    expect((await owner.patch(path, changes)).body.data).toMatchObject(changes);
  });

  test.each([
    [{ locations: [] }, "locations must be an array of 1 to 20 entries"],
    [{ locations: ["here", "here"] }, "locations must not list an entry twice"],
    [{ locations: "here" }, "locations must be an array of 1 to 20 entries"],
    [{ locations: null }, "locations must be an array of 1 to 20 entries, got null"],
    [{ locations: Array.from({ length: 21 }, (_, at) => `x${at}`) }, "locations must be an array"],
    [{ locations: ["nowhere"] }, "locations must be IDs of locations of the organization"],
    [{ downWhen: "some" }, "downWhen must be majority or any or all or a whole number of at least 1"],
    [{ downWhen: 0 }, "downWhen must be"],
    [{ downWhen: 2 }, "downWhen must be at most 1, the number of locations, got 2"],
  ])("%p are rejected", async (fields, error) => {
    const { id } = await createMonitor(owner, "TCP");
    for (const answer of [
      await owner.post("/api/v1/monitors", newMonitor("TCP", fields)),
      await owner.patch(`/api/v1/monitors/${id}`, fields),
    ]) {
      expect(answer.status).toBe(422);
      expect(answer.body.error).toStartWith(error);
    }
  });

  test("are rejected for SCHEDULED", async () => {
    const { id } = await createMonitor(owner, "SCHEDULED");
    for (const [field, value] of [
      ["locations", ["here"]],
      ["downWhen", "any"],
    ] as const)
      for (const answer of [
        await owner.post("/api/v1/monitors", newMonitor("SCHEDULED", { [field]: value })),
        await owner.patch(`/api/v1/monitors/${id}`, { [field]: value }),
      ]) {
        expect(answer.status).toBe(422);
        expect(answer.body.error).toStartWith(field);
      }
  });

  test("behavior 8.5: a location of another organization is rejected like an unknown one", async () => {
    const { id } = await createLocation(await server.organization(), uniqueName());
    const answer = await owner.post("/api/v1/monitors", newMonitor("TCP", { locations: ["here", id] }));
    expect(answer.status).toBe(422);
    expect(answer.body.error).toStartWith("locations must be IDs of locations of the organization");
    expect(answer.body.error).not.toContain(id);
  });
});

describe("behavior 13.29: what each location sees", () => {
  test("is in the report of the monitor, and in the overview if the locations disagree", async () => {
    const [a, b, c] = await Promise.all([1, 2, 3].map(() => createLocation(owner, uniqueName())));
    if (!a || !b || !c) throw new Error("no location");
    for (const { probe } of [a, b, c]) await probe.work();
    const { id: monitorId } = await createMonitor(owner, "HTTP", { locations: [a.id, b.id, c.id] });
    for (const { probe } of [a, b]) await probe.observe({ monitorId });
    await c.probe.observe({ monitorId, evidence: EVIDENCE.failed });
    const report = (await owner.get(`/api/v1/monitors/${monitorId}/report`)).body.data;
    expect(report.places.map(({ id }: { id: string }) => id)).toEqual([a.id, b.id, c.id]);
    expect(report.places[0]).toMatchObject({
      state: "connected",
      isAtFault: false,
      latest: { status: "up", at: TIME, latencyMs: 12.5 },
    });
    expect(report.places[2].latest).toMatchObject({ status: "down", latencyMs: null, reason: "timeout" });
    expect(report.latencyByLocation.length).toBeGreaterThan(0);
    const overview = (await owner.get("/api/v1/overview")).body.data.monitors;
    expect(overview.find(({ id }: { id: string }) => id === monitorId)).toMatchObject({
      status: "up",
      seenDown: { by: 1, of: 3 },
    });
  });

  test("is empty for a monitor that only this server checks", async () => {
    const { id } = await createMonitor(owner, "TCP");
    const report = (await owner.get(`/api/v1/monitors/${id}/report`)).body.data;
    expect(report).toMatchObject({ places: [], latencyByLocation: [] });
  });

  test("has metrics", async () => {
    const client = await server.organization();
    const { probe } = await createLocation(client, "fra");
    await createLocation(client, "nyc");
    await probe.work();
    await probe.observe({ monitorId: "unknown" });
    const { samples } = await scrape(client);
    const values = (of: string) =>
      samples.filter(({ name }) => name === of).map(({ labels, value }) => [labels.location, value]);
    expect(values("stillup_location_connected")).toEqual([
      ["fra", 1],
      ["nyc", 0],
    ]);
    expect(values("stillup_location_lag_seconds")).toEqual([["fra", expect.any(Number)]]);
  });
});
