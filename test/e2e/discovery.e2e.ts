import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { container } from "../support/discovery/containers.ts";
import { eventually } from "../support/eventually.ts";
import { Binary, type RunningServer } from "../support/product/binary.ts";
import type { Client } from "../support/requests/client.ts";
import { type DockerEngine, startDockerEngine } from "../support/servers/docker-engine.ts";
import { type Cluster, createCluster } from "../support/store/postgres/cluster.ts";
import { findPrograms } from "../support/store/postgres/programs.ts";

setDefaultTimeout(300_000);

let binary: Binary;
let engine: DockerEngine;

beforeEach(async () => {
  binary = new Binary();
  engine = await startDockerEngine(binary.folder);
});

afterEach(async () => {
  await binary[Symbol.asyncDispose]();
  await engine[Symbol.asyncDispose]();
});

const URL_LABEL = { "stillup.web.url": "http://127.0.0.1:1/" };

function write(name: string, text: string): string {
  const file = join(binary.folder, name);
  writeFileSync(file, text);
  return file;
}

interface Entry {
  ref: string;
  monitorId: string | null;
  goneAt: string | null;
}

async function entriesOf(client: Client): Promise<Record<string, "gone" | "there" | "wrong">> {
  const { entries } = (await client.get("/api/v1/discovery")).body.data;
  return Object.fromEntries(
    entries.map(({ ref, monitorId, goneAt }: Entry) => [
      ref,
      goneAt ? "gone" : monitorId ? "there" : "wrong",
    ]),
  );
}

async function becomes(client: Client, expected: Record<string, string>): Promise<void> {
  let last: unknown;
  await eventually(async () => {
    last = await entriesOf(client);
    return Bun.deepEquals(last, expected);
  }, 100_000).catch(() => expect(last).toEqual(expected));
}

const faultOf = async (client: Client) => (await client.get("/healthz")).body.discovery;

async function change(containers: object[]): Promise<void> {
  engine.containers = containers;
  engine.endStreams();
}

function reload({ pid }: RunningServer): void {
  process.kill(pid, "SIGHUP");
}

describe("a server that finds what runs", () => {
  test("behavior 28.70, 28.71, 28.73, 28.74, 28.75, 28.76, 28.79: three sources of a configuration file, from their first read to a deletion", async () => {
    const targets = write("targets.json", '[{"targets":["127.0.0.1:2"]}]');
    let answer = () => Response.json([{ targets: ["http://127.0.0.1:3/a"] }]);
    await using http = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => answer() });
    const discover = (grace: number) =>
      `discover: { docker: { socket: ${engine.socket} }, files: ${targets}, http: "http://127.0.0.1:${http.port}/sd?token=s3cret", grace: ${grace} }\n`;
    const others = "defaults: { tags: [found] }\nmonitors: { own: { type: SCHEDULED } }\n";
    const file = write("stillup.yaml", discover(86_400) + others);
    engine.containers = [container("web-1", { labels: URL_LABEL }), container("db-1", { ports: [5432] })];
    const server = await binary.serve(["--config", file]);
    const client = await server.client();
    const all = {
      "docker/web": "there",
      "files/127.0.0.1-2": "there",
      "http/127.0.0.1-3-a": "there",
    } as const;
    await becomes(client, all);
    const monitors = (await client.get("/api/v1/monitors")).body.data;
    expect(monitors.map(({ tags }: { tags: string[] }) => tags)).toEqual(monitors.map(() => ["found"]));
    expect((await client.get("/api/v1/discovery")).body.data.unwatched).toEqual([
      { source: "docker", name: "db-1" },
    ]);
    expect(await faultOf(client)).toBeUndefined();

    await change([]);
    await becomes(client, { ...all, "docker/web": "gone" });
    await change([container("web-1", { labels: URL_LABEL })]);
    await becomes(client, all);

    // A file that is gone, and a server that sends too much, answers nonsense, or is silent.
    rmSync(targets);
    reload(server);
    await eventually(() => faultOf(client));
    expect(await faultOf(client)).toStartWith("files: ");
    write("targets.json", '[{"targets":["127.0.0.1:2"]}]');
    const lies = {
      large: () => new Response(new Uint8Array(100 * 1024 * 1024)),
      nonsense: () => new Response("<html>"),
      refusal: () => new Response("no", { status: 500 }),
      silence: () => new Response(new ReadableStream({ start() {} })),
    };
    for (const lie of Object.values(lies)) {
      answer = lie;
      reload(server);
      await eventually(async () => (await faultOf(client))?.startsWith("http: "));
      expect(JSON.stringify(await faultOf(client))).not.toContain("s3cret");
      expect(await entriesOf(client)).toEqual(all);
      answer = () => Response.json([{ targets: ["http://127.0.0.1:3/a"] }]);
      reload(server);
      await eventually(async () => (await faultOf(client)) === undefined);
    }
    await engine[Symbol.asyncDispose]();
    reload(server);
    await eventually(async () => (await faultOf(client))?.startsWith("docker: "));
    expect(await entriesOf(client)).toEqual(all);
    const health = (await client.get("/healthz")).body;
    expect(health.status).toBe("ok");
    const { code, stdout, stderr } = await binary.run(["health", "--url", server.url]);
    expect([code, stdout + stderr]).toEqual([
      0,
      expect.stringContaining(`but discovery has a fault: ${health.discovery}`),
    ]);
    engine = await startDockerEngine(binary.folder, [container("web-1", { labels: URL_LABEL })]);
    reload(server);
    await eventually(async () => (await faultOf(client)) === undefined);

    // Other settings, and an empty list, which is an answer.
    write("stillup.yaml", discover(2) + others);
    write("targets.json", "[]");
    reload(server);
    await becomes(client, { "docker/web": "there", "http/127.0.0.1-3-a": "there" });
    write("stillup.yaml", others);
    reload(server);
    await eventually(async () => (await client.get("/api/v1/discovery")).body.data.sources.length === 0);
    expect((await client.get("/api/v1/monitors")).body.data).toHaveLength(3);
    expect(await server.end("SIGTERM")).toBe(0);
    expect(await server.log).not.toContain("s3cret");
  });

  test("behavior 28.75: a machine that was off for longer than grace deletes nothing when its engine starts after stillup", async () => {
    engine.containers = [container("web-1", { labels: URL_LABEL })];
    const args = ["--discover", `docker=${engine.socket},grace=8`];
    const server = await binary.serve(args);
    const before = await server.client();
    await becomes(before, { "docker/web": "there" });
    await change([]);
    await becomes(before, { "docker/web": "gone" });
    const [{ deleteAt }] = (await before.get("/api/v1/discovery")).body.data.entries;
    await server.kill();
    await eventually(() => Date.now() > Date.parse(deleteAt) + 1000);
    const again = await binary.serve(args);
    const client = await again.client();
    await becomes(client, { "docker/web": "gone" });
    const [shown] = (await client.get("/api/v1/discovery")).body.data.entries;
    expect(Date.parse(shown.deleteAt)).toBeGreaterThan(Date.parse(deleteAt) + 1000);
    await change([container("web-1", { labels: URL_LABEL })]);
    await becomes(client, { "docker/web": "there" });
    await change([]);
    await becomes(client, {});
  });

  test("behavior 28.70: a demonstration reads nothing", async () => {
    const server = await binary.serve(["--demo", "--discover", `docker=${engine.socket}`]);
    const answer = await fetch(`${server.url}/api/v1/discovery`);
    expect(await answer.json()).toMatchObject({ data: { sources: [] } });
    await server.end("SIGTERM");
    expect(engine.requests).toEqual([]);
  });

  test.skipIf(!findPrograms())(
    "behavior 28.77: two nodes apply each change once, and the second one goes on when the first is killed",
    async () => {
      const cluster: Cluster = await createCluster();
      await using stack = new AsyncDisposableStack();
      stack.defer(cluster.end);
      const url = { STILLUP_DATABASE_URL: cluster.url("postgres") };
      engine.containers = [container("web-1", { labels: URL_LABEL })];
      const args = ["--discover", `docker=${engine.socket}`];
      const first = await binary.serve([...args, "--node-name", "a"], url);
      const client = await first.client();
      await becomes(client, { "docker/web": "there" });
      const second = await binary.serve([...args, "--node-name", "b"], url);
      const other = client.at(second.url);
      await becomes(other, { "docker/web": "there" });
      await eventually(() => engine.streams() === 2);
      await change([]);
      await becomes(other, { "docker/web": "gone" });
      await eventually(() => engine.streams() === 2);
      const rows = async () => {
        const { body } = await other.get("/api/v1/audit");
        return body.data
          .filter(({ actor }: { actor: { name: string } }) => actor.name === "discovery")
          .map(({ action }: { action: string }) => action);
      };
      expect(await rows()).toEqual(["monitor.updated", "monitor.created"]);
      await first.kill();
      engine.containers = [container("web-1", { labels: URL_LABEL })];
      await becomes(other, { "docker/web": "there" });
      expect(await rows()).toEqual(["monitor.updated", "monitor.updated", "monitor.created"]);
    },
  );
});
