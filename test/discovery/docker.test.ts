import { expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSources } from "../../src/discovery/sources.ts";
import type { Source } from "../../src/domain/discovery/found.ts";
import { eventually } from "../support/eventually.ts";
import { isMissing } from "../support/requirements.ts";
import {
  recordedContainers,
  recordedEvents,
  recordedInspection,
  startDockerEngine,
} from "../support/servers/docker-engine.ts";
import { startDockerDaemon } from "../support/servers/real/docker-daemon.ts";
import { tempDir } from "../support/temp-dir.ts";

const QUICK = { shortest: 5, longest: 20 };

function dockerSource(socket: string, own = "my-machine"): Source {
  const [source] = createSources({ docker: { socket } }, { own, pauses: QUICK });
  if (!source) throw new Error("there is no source");
  return source;
}

const read = (source: Source) => source.read(new AbortController().signal);

for (const version of ["docker-1.41", "docker-1.51", "podman-4.3"] as const)
  test(`behavior 28.36: the containers of an engine, as ${version} answers, by one GET`, async () => {
    using directory = tempDir();
    await using engine = await startDockerEngine(directory.path, await recordedContainers(version));
    const { found, faults } = await read(dockerSource(engine.socket));
    expect(faults).toEqual([]);
    expect(found.flatMap(({ entries }) => entries.map(({ ref }) => ref))).toContain("docker/web");
    expect(engine.requests).toEqual(["GET /containers/json?all=1"]);
  });

test("behavior 28.37: in a container, its own is excluded", async () => {
  using directory = tempDir();
  await using engine = await startDockerEngine(directory.path, await recordedContainers("docker-1.41"));
  const { found } = await read(dockerSource(engine.socket, "02a6da22e3a6"));
  expect(found.filter(({ isExcluded }) => isExcluded).map(({ name }) => name)).toEqual(["excluded", "web-1"]);
});

test("behavior 28.41: a container that is stopped is checked at the port that it publishes when it runs", async () => {
  using directory = tempDir();
  const inspected = await recordedInspection();
  const stopped = {
    Id: inspected.Id,
    Names: ["/db"],
    State: "exited",
    Ports: [],
    Labels: { "stillup.db.tags": "shop" },
  };
  const other = { ...stopped, Id: "a", Labels: { "stillup.web.url": "https://shop.test/" } };
  await using engine = await startDockerEngine(directory.path, [
    stopped,
    other,
    { ...stopped, Id: "b", Labels: {} },
  ]);
  const source = dockerSource(engine.socket);
  expect((await read(source)).faults).toMatchObject([{ entry: "docker/db" }]);
  engine.inspected = { [inspected.Id]: inspected };
  for (const _ of ["first", "again"])
    expect(await read(source)).toMatchObject({
      faults: [],
      found: [
        {
          entries: [
            {
              ref: "docker/db",
              entry: { type: "TCP", tags: ["shop"], config: { host: "127.0.0.1", port: 15_432 } },
            },
          ],
        },
        { entries: [{ ref: "docker/web" }] },
        { entries: [] },
      ],
    });
  // A container always publishes the same ports.
  expect(engine.requests.filter((one) => !one.includes("all=1"))).toEqual(
    Array(2).fill(`GET /containers/${inspected.Id}/json`),
  );
});

for (const version of ["docker-1.41", "podman-4.3"] as const)
  test(`behavior 28.42: events of containers lead to a read, as ${version} sends them`, async () => {
    using directory = tempDir();
    await using engine = await startDockerEngine(directory.path);
    let changes = 0;
    const watch = dockerSource(engine.socket).watch(() => changes++);
    await eventually(() => engine.streams() === 1);
    expect(changes).toBe(0);
    const lines = await recordedEvents(version);
    // Parts of a stream end anywhere.
    for (const part of `${lines.join("\n")}\n`.match(/.{1,700}/gs) ?? []) engine.send(part);
    const expected = lines
      .map((line) => JSON.parse(line))
      .filter(({ Type, Action }) => Type === "container" && !/^(exec|health)_/.test(Action));
    expect(expected.length).toBeGreaterThan(1);
    await eventually(() => changes === expected.length);
    watch.stop();
    await eventually(() => engine.streams() === 0);
    expect(engine.requests).toHaveLength(1);
    expect(decodeURIComponent(engine.requests[0] ?? "")).toStartWith(
      'GET /events?filters={"type":["container"],"event":["create","start","restart","die","destroy"',
    );
  });

test("behavior 28.42: events without line breaks, in any order of fields, and of an old engine", async () => {
  using directory = tempDir();
  await using engine = await startDockerEngine(directory.path);
  let changes = 0;
  const watch = dockerSource(engine.socket).watch(() => changes++);
  await eventually(() => engine.streams() === 1);
  engine.send('{"Actor":{"Attributes":{"name":"a\\"}{"}},"Action":"die","Type":"container"}{"status":"sta');
  await eventually(() => changes === 1);
  engine.send(
    'rt","id":"1"}{"status":"exec_start: sh","id":"1"}{"Type":"network","Action":"create"}{"status":"die","id":"1"}',
  );
  await eventually(() => changes === 3);
  watch.stop();
});

test("behavior 28.42: a stream that ends begins again, with a read for what it missed", async () => {
  using directory = tempDir();
  await using engine = await startDockerEngine(directory.path);
  let changes = 0;
  const watch = dockerSource(engine.socket).watch(() => changes++);
  for (const expected of [1, 2]) {
    await eventually(() => engine.streams() === 1);
    engine.endStreams();
    await eventually(() => changes === expected);
  }
  // So does one that is no stream of events.
  await eventually(() => engine.streams() === 1);
  engine.send("<html>");
  await eventually(() => changes === 3);
  watch.stop();
});

for (const status of [403, 404, 500])
  test(`behavior 28.42: events that are answered with ${status} are no fault, and are asked for again`, async () => {
    using directory = tempDir();
    await using engine = await startDockerEngine(directory.path, await recordedContainers("docker-1.41"));
    engine.instead = ({ url }, response) => {
      if (!url?.startsWith("/events")) return false;
      response.writeHead(status).end('{"message":"forbidden"}');
      return true;
    };
    let changes = 0;
    const source = dockerSource(engine.socket);
    const watch = source.watch(() => changes++);
    await eventually(() => engine.requests.length >= 3);
    expect((await read(source)).faults).toEqual([]);
    expect(changes).toBe(0);
    engine.instead = undefined;
    await eventually(() => engine.streams() === 1);
    watch.stop();
  });

test("behavior 28.42: an engine that starts later is followed", async () => {
  using directory = tempDir();
  let changes = 0;
  const watch = dockerSource(join(directory.path, "docker.sock")).watch(() => changes++);
  await using engine = await startDockerEngine(directory.path);
  await eventually(() => engine.streams() === 1);
  watch.stop();
});

test("behavior 28.61: a socket that is not there, and one that nobody serves", async () => {
  using directory = tempDir();
  const missing = join(directory.path, "no.sock");
  await expect(read(dockerSource(missing))).rejects.toThrow(`${missing}: there is no such file`);
  const file = join(directory.path, "file");
  writeFileSync(file, "");
  await expect(read(dockerSource(file))).rejects.toThrow(`${file}: nothing listens there`);
});

test("behavior 28.61: an engine that refuses the list of containers", async () => {
  using directory = tempDir();
  await using engine = await startDockerEngine(directory.path);
  engine.instead = (_, response) => {
    response.writeHead(403).end('{"message":"Forbidden"}');
    return true;
  };
  await expect(read(dockerSource(engine.socket))).rejects.toThrow(
    "it answered the list of containers with 403",
  );
});

const withoutDocker = isMissing(["dockerd", "containerd", "runc"], { root: true });

test.skipIf(withoutDocker)("behavior 28.36, 28.42: a real engine, whose containers come and go", async () => {
  await using engine = await startDockerDaemon();
  const source = dockerSource(engine.socket);
  let changes = 0;
  const watch = source.watch(() => changes++);
  expect(await read(source)).toEqual({ found: [], faults: [] });
  // The stream of events may not be open yet.
  for (let at = 0; changes === 0; at++) await engine.create(`try-${at}`, {});
  const before = changes;
  await engine.create("web", { "stillup.web.url": "https://shop.test/", "stillup.web.interval": "30" });
  await eventually(() => changes > before);
  const { found, faults } = await read(source);
  expect(faults).toEqual([]);
  expect(found.find(({ name }) => name === "web")).toMatchObject({
    isExcluded: false,
    entries: [
      { ref: "docker/web", entry: { type: "HTTP", config: { url: "https://shop.test/", interval: 30 } } },
    ],
  });
  const after = changes;
  await engine.remove("web");
  await eventually(() => changes > after);
  expect((await read(source)).found.filter(({ name }) => name === "web")).toEqual([]);
  watch.stop();
});

/** Sockets of engines that may run here. */
const SOCKETS = ["/var/run/docker.sock", "/run/podman/podman.sock"];

test.skipIf(!SOCKETS.some((path) => existsSync(path)))(
  "behavior 28.36, 28.42: the engine of this machine, which is only read",
  async () => {
    for (const path of SOCKETS.filter((one) => existsSync(one))) {
      const source = dockerSource(path);
      const { found, faults } = await read(source);
      const names: string[] = found.map(({ name }) => name);
      expect(names).toEqual([...new Set(names)]);
      expect(faults.filter(({ entry }) => entry === undefined)).toEqual([]);
      source.watch(() => {}).stop();
    }
  },
);
