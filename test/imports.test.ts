import { expect, test } from "bun:test";
import { dirname, join } from "node:path";

/** For each room of the house, those that it may import from besides itself (CONTRIBUTING.md, The rooms). */
const ROOMS: Record<string, string[]> = {
  domain: [],
  probes: ["domain"],
  alerts: ["domain", "probes"],
  "status-page": ["domain"],
  guide: ["domain"],
  store: ["domain"],
  import: ["domain"],
  "configuration-file": ["domain"],
  discovery: ["domain", "configuration-file"],
  runner: ["domain", "probes", "alerts", "status-page", "store", "configuration-file", "discovery"],
  "remote-probe": ["domain", "probes", "store", "runner"],
  api: ["domain", "alerts", "status-page", "guide", "store", "runner"],
  /** Only the parts of `domain/` that run in a browser too. */
  dashboard: ["domain"],
  config: ["domain", "probes", "alerts"],
  demonstration: ["domain", "store", "runner"],
  app: ["domain", "probes", "alerts", "store", "runner", "api", "dashboard", "config", "demonstration"],
  cli: [
    ...["domain", "probes", "store", "import", "configuration-file", "runner", "remote-probe"],
    ...["app", "config"],
  ],
  main: ["cli"],
  client: [],
};

/** Rooms of which another may know the types, and nothing that is there when it runs. */
const TYPES: Record<string, string> = { dashboard: "api", client: "api" };

/** Every room may import these. */
const COMMON = [
  "bounded-fetch",
  "errors",
  "descriptors",
  "system-error",
  "html",
  "log",
  "clock",
  "worker-url",
  "home-directory",
  "secret-file",
  "key-pair",
  "process-user",
  "pretty-log",
];

/** Libraries that only one room may know. */
const KEPT: Record<string, string> = {
  "drizzle-orm": "store",
  "bun:sqlite": "store",
  elysia: "api",
  commander: "cli",
  yaml: "configuration-file",
  "prom-client": "runner",
  react: "dashboard",
  "react-dom": "dashboard",
  preact: "dashboard",
  "@tanstack/react-query": "dashboard",
  wouter: "dashboard",
};

/** The imports of a file that go against the direction. @param path relative to `src/` */
function violations(path: string, source: string): string[] {
  const room = roomOf(path);
  const imported = [
    ...source.matchAll(/(?:\bimport (type) [^"';]*)?(?:\bfrom|\bimport)\s*\(?\s*["']([^"']+)["']/g),
  ];
  return imported
    .filter(([, type, name = ""]) => !isAllowed(room, path, name) && !(type && isTyped(room, path, name)))
    .map(([, , name]) => `${path} imports ${name}`);
}

function isTyped(room: string, path: string, name: string): boolean {
  const other = name.startsWith("#api/") ? "api" : name.startsWith(".") && roomOf(join(dirname(path), name));
  return other !== false && other === TYPES[room];
}

function isAllowed(room: string, path: string, name: string): boolean {
  if (name.startsWith("#api/")) return false;
  if (!name.startsWith(".")) {
    const keeper = Object.entries(KEPT).find(
      ([library]) => name === library || name.startsWith(`${library}/`),
    );
    return keeper === undefined || keeper[1] === room;
  }
  const target = join(dirname(path), name);
  if (target.startsWith("..")) return /^\.\.\/(drizzle\/|node_modules\/|package\.json$)/.test(target);
  const other = roomOf(target);
  if (other === room || COMMON.includes(other))
    return room !== "domain" || other === "domain" || other === "errors";
  return COMMON.includes(room) ? false : (ROOMS[room] ?? []).includes(other);
}

function roomOf(path: string): string {
  return (path.split("/")[0] ?? "").replace(/\.d\.ts$|\.ts$/, "");
}

test("imports run one way: domain ← probes, alerts, status-page, store ← runner ← api, remote-probe ← app ← cli ← main", async () => {
  const found: string[] = [];
  for await (const path of new Bun.Glob("**/*.{ts,tsx}").scan("src")) {
    found.push(...violations(path, await Bun.file(join("src", path)).text()));
  }
  expect(found).toEqual([]);
});

test("a file of domain/ that imports one of store/ is found, also where it imports only a type", () => {
  const source = 'import type { Database } from "../store/sqlite/open.ts";\nimport { x } from "./status.ts";';
  expect(violations("domain/status.ts", source)).toEqual([
    "domain/status.ts imports ../store/sqlite/open.ts",
  ]);
});

test("the libraries of one room are found in another", () => {
  expect(violations("runner/recorder.ts", 'import { eq } from "drizzle-orm";')).toHaveLength(1);
  expect(violations("runner/recorder.ts", 'await import("bun:sqlite")')).toHaveLength(1);
  expect(violations("store/results.ts", 'import { Elysia } from "elysia";')).toHaveLength(1);
  expect(violations("store/results.ts", 'import { eq } from "drizzle-orm";')).toHaveLength(0);
});

test("only one file opens databases of SQLite, so that each has the settings of that file", async () => {
  const openers: string[] = [];
  for await (const path of new Bun.Glob("**/*.ts").scan("src")) {
    const source = await Bun.file(join("src", path)).text();
    if (/^import (?!type )[^;]*"bun:sqlite"/m.test(source)) openers.push(path);
  }
  expect(openers).toEqual(["store/sqlite-file.ts"]);
});

test("the page knows the types of the API, and nothing else of it", () => {
  const from = 'from "#api/server.d.ts";';
  expect(violations("dashboard/web/api.ts", `import type { createApi } ${from}`)).toEqual([]);
  expect(violations("dashboard/web/api.ts", `import { createApi } ${from}`)).toHaveLength(1);
  expect(violations("domain/status.ts", `import type { createApi } ${from}`)).toHaveLength(1);
});

/** Imports of a platform, and globals that only Bun and Node.js have. Comments do not count. */
function platformUses(source: string): string[] {
  const code = source.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
  return (
    code.match(/["'](?:bun|bun:[^"']+|node:[^"']+)["']|\b(?:Bun|Buffer|process|require|NodeJS)\b(?=[.(])/g) ??
    []
  );
}

test("domain/ uses nothing of Bun or Node.js", async () => {
  const found: string[] = [];
  for await (const path of new Bun.Glob("**/*.ts").scan("src/domain")) {
    const uses = platformUses(await Bun.file(join("src/domain", path)).text());
    found.push(...uses.map((use) => `${path} uses ${use}`));
  }
  expect(found).toEqual([]);
});

test("an import of Node.js and a global of Bun are found, but not in a comment", () => {
  expect(platformUses('import { isIP } from "node:net";')).toHaveLength(1);
  expect(platformUses("const digest = Bun.hash(id);\nBuffer.from(digest);")).toHaveLength(2);
  expect(platformUses('/* as Bun.hash or "node:net" */\n// Bun.hash(id)')).toEqual([]);
});

/** The only file that may import from the rooms of the engines, besides the files in the same room. */
const CHOOSES_THE_ENGINE = "store/open-store.ts";

/** The imports of the room of an engine from outside that room. @param path relative to `src/` */
function engineImports(path: string, source: string): string[] {
  return [...source.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*["'](\.[^"']+)["']/g)]
    .map(([, name = ""]) => ({ name, engine: engineOf(join(dirname(path), name)) }))
    .filter(({ engine }) => engine !== undefined && engine !== engineOf(path) && path !== CHOOSES_THE_ENGINE)
    .map(({ name }) => `${path} imports ${name}`);
}

function engineOf(path: string): string | undefined {
  return /^store\/(sqlite|postgres)\//.exec(path)?.[1];
}

test("only the file that chooses the engine imports from the rooms of the engines", async () => {
  const found: string[] = [];
  for await (const path of new Bun.Glob("**/*.{ts,tsx}").scan("src"))
    found.push(...engineImports(path, await Bun.file(join("src", path)).text()));
  expect(found).toEqual([]);
});

test("an import from the room of an engine is found, also of a type or from the room of another engine", () => {
  const type = 'import type { Database } from "./sqlite/open.ts";';
  expect(engineImports("store/store.ts", type)).toEqual(["store/store.ts imports ./sqlite/open.ts"]);
  expect(engineImports("store/open-store.ts", type)).toEqual([]);
  expect(engineImports("app.ts", 'await import("./store/sqlite/lock.ts")')).toHaveLength(1);
  expect(engineImports("store/sqlite/record.ts", 'import { a } from "../sqlite/open.ts";')).toEqual([]);
  expect(engineImports("store/postgres/record.ts", 'import { a } from "../sqlite/open.ts";')).toHaveLength(1);
});

test("every room is known to the table", async () => {
  const rooms = new Set<string>();
  for await (const path of new Bun.Glob("**/*.ts").scan("src")) rooms.add(roomOf(path));
  expect(
    [...rooms].filter((room) => !(room in ROOMS) && !COMMON.includes(room) && room !== "imports"),
  ).toEqual([]);
});

/** The names of what a file loads, without types and dynamic imports. */
async function loadedBy(path: string): Promise<string[]> {
  const transpiler = new Bun.Transpiler({ loader: path.endsWith("x") ? "tsx" : "ts" });
  // The transpiler takes no first line of a script.
  const imports = transpiler.scanImports((await Bun.file(path).text()).replace(/^#!.*/, ""));
  return imports.filter(({ kind }) => kind === "import-statement").map(({ path: name }) => name);
}

/** The build replaces it by its result. */
const BUNDLING = "dashboard/bundle.ts";

/** The libraries that are loaded with a file of the executable. */
async function librariesOf(entry: string): Promise<Set<string>> {
  const files = new Set([entry]);
  const libraries = new Set<string>();
  for (const path of files) {
    for (const name of await loadedBy(join("src", path))) {
      const file = join(dirname(path), name);
      if (!name.startsWith(".")) libraries.add(name);
      else if (name.endsWith(".ts") && file !== BUNDLING) files.add(file);
    }
  }
  return libraries;
}

/** The files that load each other in a circle, in the order of loading; undefined if there is none. */
function circleIn(imports: ReadonlyMap<string, string[]>): string[] | undefined {
  const seen = new Set<string>();
  function from(path: string, trail: string[]): string[] | undefined {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path];
    if (seen.has(path)) return undefined;
    seen.add(path);
    return imports
      .get(path)
      ?.reduce<string[] | undefined>((found, next) => found ?? from(next, [...trail, path]), undefined);
  }
  for (const path of imports.keys()) {
    const circle = from(path, []);
    if (circle) return circle;
  }
  return undefined;
}

test("no files load each other in a circle", async () => {
  const imports = new Map<string, string[]>();
  for await (const path of new Bun.Glob("{src,test,scripts}/**/*.{ts,tsx}").scan()) {
    const names = await loadedBy(path);
    imports.set(
      path,
      names.filter((name) => name.startsWith(".")).map((name) => join(dirname(path), name)),
    );
  }
  expect(imports.size).toBeGreaterThan(1000);
  expect(circleIn(imports)).toBeUndefined();
});

test("a circle of files is found, also behind a file that is in none", () => {
  const imports = { a: ["b"], b: ["c", "d"], c: [], d: ["e"], e: ["b"] };
  expect(circleIn(new Map(Object.entries(imports)))).toEqual(["b", "d", "e", "b"]);
  expect(circleIn(new Map(Object.entries({ ...imports, e: ["c"] })))).toBeUndefined();
});

const LARGE = /^(elysia|@elysiajs|drizzle-orm|pg|prom-client|nodemailer|@scalar|yaml$)/;

test("a remote probe loads neither the API nor the engines, which would double its memory", async () => {
  const loaded = [...(await librariesOf("main.ts")), ...(await librariesOf("cli/probe.ts"))];
  expect(loaded.filter((name) => LARGE.test(name))).toEqual([]);
  expect(loaded).toContain("bun:sqlite");
  const served = [...(await librariesOf("cli/serve.ts"))].filter((name) => LARGE.test(name));
  expect(served).toContain("elysia");
  // Only a server with a configuration file reads YAML.
  expect(served).not.toContain("yaml");
});

test("a server starts without the large modules of Node.js, of which each needs some megabytes and milliseconds", async () => {
  const loaded = [...(await librariesOf("main.ts")), ...(await librariesOf("cli/serve.ts"))];
  expect(loaded).toContain("node:fs");
  expect(loaded.filter((name) => NODE_LARGE.test(name))).toEqual([]);
});

const NODE_LARGE = /^node:(crypto|dns|http|https|http2|net|stream|tls|worker_threads|zlib)$/;

test("a probe thread loads neither alerts nor the rules of schemas", async () => {
  const entrypoints = ["src/probes/probe-worker.ts"];
  const { outputs } = await Bun.build({ entrypoints, target: "bun", splitting: true });
  const texts = await Promise.all(outputs.map((output) => output.text()));
  const loaded = texts.flatMap((text) => text.match(/^\/\/ .*\.[jt]s$/gm) ?? []);
  expect(loaded.some((path) => path.endsWith("src/probes/http.ts"))).toBe(true);
  expect(loaded.filter((path) => /domain\/alerts|format-rules|croner/.test(path))).toEqual([]);
});
