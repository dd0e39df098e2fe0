import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { container } from "../support/discovery/containers.ts";
import { eventually } from "../support/eventually.ts";
import { TestServer } from "../support/product/server.ts";
import type { Client } from "../support/requests/client.ts";
import { scrape } from "../support/requests/scrape.ts";
import { type DockerEngine, startDockerEngine } from "../support/servers/docker-engine.ts";
import { HttpTarget } from "../support/servers/targets.ts";
import { type TempDir, tempDir } from "../support/temp-dir.ts";

let folder: TempDir;
let target: HttpTarget;
let engine: DockerEngine;
let server: TestServer;
let owner: Client;

const PORT = 18_080;

beforeAll(async () => {
  folder = tempDir();
  target = new HttpTarget();
  engine = await startDockerEngine(folder.path, [
    container("web-1", { labels: { "stillup.web.url": target.url, "stillup.web.name": "Web" } }),
    container("wrong-1", { labels: { "stillup.wrong.host": "127.0.0.1", "stillup.wrong.port": "70000" } }),
    container("db-1", { ports: [PORT] }),
    container("proxy-1"),
    container("old-1", { ports: [PORT + 1], state: "exited" }),
    container("own-1", { ports: [PORT + 2], labels: { "stillup.enable": "false" } }),
  ]);
  server = await TestServer.start({ discover: { docker: { socket: engine.socket }, grace: 60 } });
  owner = server.client;
  await eventually(async () => (await discovery()).sources[0]?.readAt ?? false);
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await engine[Symbol.asyncDispose]();
  await target[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

async function discovery(query = "", client = owner) {
  return (await client.get(`/api/v1/discovery${query}`)).body.data;
}

async function unwatchedIn(client: Client): Promise<number | undefined> {
  const { samples } = await scrape(client);
  return samples.find(({ name }) => name === "stillup_unwatched")?.value;
}

const EMPTY = { sources: [], entries: [], faults: [], unwatched: [] };

describe("what runs here", () => {
  test("behavior 28.80, 28.81, 28.83: every role reads the sources, their monitors and faults, and what nobody watches", async () => {
    const viewer = owner.as(await server.keyWith("viewer"));
    await eventually(async () =>
      (await discovery()).entries.some(({ monitorId }: { monitorId: string | null }) => monitorId),
    );
    const { sources, entries, faults, unwatched } = await discovery("", viewer);
    expect(sources).toEqual([{ source: "docker", found: 4, readAt: expect.any(String), unwatched: 3 }]);
    const [monitor] = (await owner.get("/api/v1/monitors")).body.data;
    const there = { source: "docker", goneAt: null, deleteAt: null };
    expect(entries).toEqual([
      { ...there, ref: "docker/web", name: "Web", monitorId: monitor.id },
      { ...there, ref: "docker/wrong", name: "docker/wrong", monitorId: null },
    ]);
    const message = expect.stringMatching(/^config\.port must be /);
    expect(faults).toEqual([{ source: "docker", entry: "docker/wrong", message }]);
    expect(unwatched).toEqual(["wrong-1", "db-1", "proxy-1"].map((name) => ({ source: "docker", name })));
    expect((await fetch(`${owner.url}/api/v1/discovery`)).status).toBe(401);
  });

  test("behavior 28.82, 28.83, 28.84: a draft is a monitor that ends it, also in /metrics", async () => {
    const { unwatched } = await discovery("?drafts=true");
    const drafts = Object.fromEntries(
      unwatched.map(({ name, draft }: { name: string; draft: object }) => [name, draft]),
    );
    expect(drafts["proxy-1"]).toBeNull();
    expect(drafts["db-1"]).toMatchObject({ type: "TCP", config: { host: "127.0.0.1", port: PORT } });
    const before = (await unwatchedIn(owner)) ?? 0;
    const { status } = await owner.post("/api/v1/monitors", drafts["db-1"]);
    expect(status).toBe(201);
    const after = await discovery("?drafts=false");
    expect(after.unwatched.map(({ name }: { name: string }) => name)).not.toContain("db-1");
    expect(after.unwatched[0]).not.toHaveProperty("draft");
    expect(await unwatchedIn(owner)).toBe(before - 1);
    expect((await owner.get("/api/v1/discovery?drafts=some")).status).toBe(422);
  });

  test("behavior 28.79: the health says how many entries have faults and not which, and the status stays as it is", async () => {
    const health = async () => (await owner.get("/healthz")).body;
    const { status, discovery: fault } = await eventually(async () => {
      const body = await health();
      return body.discovery === undefined ? false : body;
    });
    expect(status).toBe("ok");
    expect(fault).toBe("docker: 1 entry has a fault");
  });

  test("behavior 28.73, 28.74, 28.81: what is gone has the time of its deletion until it comes back", async () => {
    const containers = engine.containers as object[];
    engine.containers = containers.slice(1);
    engine.endStreams();
    const gone = await eventually(async () => {
      const found = (await discovery()).entries.find(({ ref }: { ref: string }) => ref === "docker/web");
      return found?.goneAt ? found : false;
    });
    expect(Date.parse(gone.deleteAt) - Date.parse(gone.goneAt)).toBeWithin(60_000, 62_000);
    const enabled = async () => (await owner.get(`/api/v1/monitors/${gone.monitorId}`)).body.data.enabled;
    expect(await enabled()).toBe(false);
    engine.containers = containers;
    engine.endStreams();
    await eventually(enabled);
    expect((await discovery()).entries[0]).toMatchObject({ ref: "docker/web", goneAt: null, deleteAt: null });
  });

  test("behavior 28.80, 28.84: another organization reads nothing of it", async () => {
    const other = await server.organization();
    expect(await discovery("?drafts=true", other)).toEqual(EMPTY);
    expect(await unwatchedIn(other)).toBeUndefined();
  });

  test("behavior 28.80, 28.84: without discovery everything is empty", async () => {
    await using plain = await TestServer.start();
    expect(await discovery("", plain.client)).toEqual(EMPTY);
    expect(await unwatchedIn(plain.client)).toBeUndefined();
    expect((await plain.client.get("/healthz")).body).not.toHaveProperty("discovery");
  });
});
