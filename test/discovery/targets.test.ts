import { expect, test } from "bun:test";
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSources } from "../../src/discovery/sources.ts";
import type { Source } from "../../src/domain/discovery/found.ts";
import type { DiscoverSettings } from "../../src/domain/discovery/settings.ts";
import { eventually } from "../support/eventually.ts";
import { tempDir } from "../support/temp-dir.ts";

function sourceOf(settings: DiscoverSettings): Source {
  const [source] = createSources(settings);
  if (!source) throw new Error("there is no source");
  return source;
}

const read = (source: Source) => source.read(new AbortController().signal);

async function refsIn(source: Source): Promise<string[]> {
  return (await read(source)).found.flatMap(({ entries }) => entries.map(({ ref }) => ref));
}

test("behavior 28.53: files of targets as YAML and as JSON, in the order of their names", async () => {
  using directory = tempDir();
  const file = (name: string, text: string) => writeFileSync(join(directory.path, name), text);
  file("b.json", '[{"targets":["b.test:1"],"labels":{"stillup_interval":"30"}}]');
  file("a.yml", "- targets: [a.test:1, 'https://a.test/']\n  labels:\n    stillup_interval: 30\n");
  file("c.txt", "no targets");
  const source = sourceOf({ files: join(directory.path, "*.{yml,json}") });
  const { found, faults } = await read(source);
  expect(faults).toEqual([]);
  expect(found.map(({ name, entries }) => [name, entries[0]?.entry])).toEqual([
    ["a.test:1", { type: "TCP", config: { host: "a.test", port: 1, interval: 30 } }],
    ["https://a.test/", { type: "HTTP", config: { url: "https://a.test/", interval: 30 } }],
    ["b.test:1", { type: "TCP", config: { host: "b.test", port: 1, interval: 30 } }],
  ]);
  file("a.yml", "[]");
  expect(await refsIn(source)).toEqual(["files/b.test-1"]);
  rmSync(join(directory.path, "b.json"));
  expect(await refsIn(source)).toEqual([]);
});

test("behavior 28.53: a bad file of several is a fault of the source, which names it", async () => {
  using directory = tempDir();
  const bad = join(directory.path, "bad.yml");
  writeFileSync(join(directory.path, "good.yml"), "- targets: [a.test:1]\n");
  const source = sourceOf({ files: join(directory.path, "*.yml") });
  const faults: [string, string][] = [
    ["- targets: [a", `${bad}: line 1: the YAML is not valid`],
    ["", `${bad}: must be a list of objects with targets`],
    ["- targets: a.test:1", `${bad}: entry 1 must have a list of texts as its targets`],
    ["<html></html>", `${bad}: must be a list of objects with targets`],
    ["&a [*a]", `${bad}: `],
  ];
  for (const [text, message] of faults) {
    writeFileSync(bad, text);
    for (const _ of ["first", "again"]) await expect(read(source)).rejects.toThrow(message);
  }
  rmSync(bad);
  mkdirSync(bad);
  await expect(read(source)).rejects.toThrow(`${bad} can't be read: it is not a file`);
});

test("behavior 28.53: a pattern that fits no file, and a directory that is not there, are faults", async () => {
  using directory = tempDir();
  const missing = join(directory.path, "missing");
  await expect(read(sourceOf({ files: join(directory.path, "*.yml") }))).rejects.toThrow(
    "no file has a name that fits the pattern",
  );
  await expect(read(sourceOf({ files: join(missing, "*.yml") }))).rejects.toThrow(
    `${missing} can't be read: there is no such file or directory`,
  );
  await expect(read(sourceOf({ files: "/etc/*/targets.yml" }))).rejects.toThrow(
    "the pattern must have its wildcards in the name of the file, not in its directory",
  );
});

test("behavior 28.60: a file that is too long is a fault that names it", async () => {
  using directory = tempDir();
  const path = join(directory.path, "long.json");
  writeFileSync(path, Buffer.alloc(17 * 1024 * 1024, " "));
  await expect(read(sourceOf({ files: path }))).rejects.toThrow(`${path} is longer than 16 MiB`);
  // So is a YAML file that would take seconds.
  writeFileSync(path, "- targets: []\n".repeat(80_000));
  await expect(read(sourceOf({ files: path }))).rejects.toThrow(
    `${path}: YAML may have at most 1 MiB, and JSON at most 16 MiB`,
  );
});

test("behavior 28.60: a file of too many levels, and files of too many targets together, are a fault", async () => {
  using directory = tempDir();
  const path = (name: string) => join(directory.path, name);
  const source = sourceOf({ files: path("*.json") });
  writeFileSync(path("a.json"), "[".repeat(100_000) + "]".repeat(100_000));
  await expect(read(source)).rejects.toThrow(`${path("a.json")}: its content must be at most 64 levels deep`);
  for (const name of ["a", "b"]) {
    const targets = Array.from({ length: 6000 }, (_, at) => `${name}${at}.test:1`);
    writeFileSync(path(`${name}.json`), JSON.stringify([{ targets }]));
  }
  await expect(read(source)).rejects.toThrow("there are 12000 targets");
});

test("behavior 28.54: a change in the directory leads to a read, and other files do not", async () => {
  using directory = tempDir();
  const file = (name: string) => join(directory.path, name);
  writeFileSync(file("a.yml"), "[]");
  const source = sourceOf({ files: file("*.yml") });
  let changes = 0;
  const watch = source.watch(() => changes++);
  let seen = 0;
  async function until(change: () => void): Promise<void> {
    change();
    await eventually(() => changes > seen);
    seen = changes;
  }
  writeFileSync(file("log.txt"), "other");
  await until(() => writeFileSync(file("b.yml"), "[]"));
  // As an editor writes.
  writeFileSync(file("c.tmp"), "[]");
  await until(() => renameSync(file("c.tmp"), file("c.yml")));
  await until(() => rmSync(file("b.yml")));
  // As a ConfigMap changes.
  await until(() => symlinkSync(".", file("..data")));
  watch.stop();
});

test("behavior 28.54: a directory that is not there yet is watched without a fault", () => {
  using directory = tempDir();
  const source = sourceOf({ files: join(directory.path, "missing", "*.yml") });
  source.watch(() => {}).stop();
});

interface Service extends AsyncDisposable {
  url: string;
  requests: { method: string; headers: Headers }[];
}

function startService(answer: (request: Request) => Response): Service {
  const requests: Service["requests"] = [];
  const server = Bun.serve({
    ...{ hostname: "127.0.0.1", port: 0 },
    fetch(request) {
      // The headers of a request are gone after its answer.
      requests.push({ method: request.method, headers: new Headers(request.headers) });
      return answer(request);
    },
  });
  const url = `http://127.0.0.1:${server.port}`;
  return { url, requests, [Symbol.asyncDispose]: () => server.stop(true) };
}

test("behavior 28.55: a service of targets is asked as Prometheus does, with the user of its URL", async () => {
  await using service = startService(() =>
    Response.json([{ targets: ["a.test:1"], labels: { __stillup_interval: "30" } }]),
  );
  const source = sourceOf({ http: service.url.replace("://", "://ana:pa%20ss@") });
  expect(await refsIn(source)).toEqual(["http/a.test-1"]);
  const [request] = service.requests;
  expect(request?.method).toBe("GET");
  expect(request?.headers.get("accept")).toBe("application/json");
  expect(request?.headers.get("x-prometheus-refresh-interval-seconds")).toBe("30");
  expect(request?.headers.get("authorization")).toBe(`Basic ${btoa("ana:pa ss")}`);
  source.watch(() => {}).stop();
});

test("behavior 28.55: a redirect is followed to the same origin, and to no other", async () => {
  await using other = startService(() => Response.json([{ targets: ["b.test:1"] }]));
  await using service = startService(({ url }) => {
    const { pathname } = new URL(url);
    if (pathname === "/away") return Response.redirect(other.url, 302);
    if (pathname === "/round") return Response.redirect("/round", 307);
    return pathname === "/here"
      ? Response.json([{ targets: ["a.test:1"] }])
      : Response.redirect("/here", 301);
  });
  const at = (path: string) => sourceOf({ http: `${service.url.replace("://", "://ana:secret@")}${path}` });
  expect(await refsIn(at("/"))).toEqual(["http/a.test-1"]);
  expect(service.requests.map(({ headers }) => headers.get("authorization") !== null)).toEqual([true, true]);
  await expect(read(at("/away"))).rejects.toThrow(
    "it redirects to another server: the settings must have the URL of the answer",
  );
  expect(other.requests).toEqual([]);
  await expect(read(at("/round"))).rejects.toThrow("it redirects more than 5 times");
});

test("behavior 28.55, 28.61: a service that answers with an error, or is away, is a fault without its URL", async () => {
  const service = startService(() => new Response("gone", { status: 503 }));
  const source = sourceOf({ http: `${service.url}/targets?token=secret` });
  await expect(read(source)).rejects.toThrow(/^it answered with 503$/);
  await service[Symbol.asyncDispose]();
  await expect(read(source)).rejects.toThrow(/^nothing listens there$/);
});

test("behavior 28.62: a service with an answer of another form is a fault", async () => {
  await using service = startService(() => Response.json({ targets: ["a.test:1"] }));
  await expect(read(sourceOf({ http: service.url }))).rejects.toThrow(
    "the answer: must be a list of objects with targets",
  );
});

test("behavior 28.36, 28.45, 28.53, 28.55: sources are those of the settings, in one order", () => {
  const settings = {
    http: "http://a.test/",
    files: "/a/*.yml",
    kubernetes: {},
    docker: { socket: "/a.sock" },
  };
  expect(createSources(settings).map(({ name }) => name)).toEqual(["docker", "kubernetes", "files", "http"]);
  expect(createSources({ grace: 0 })).toEqual([]);
});
