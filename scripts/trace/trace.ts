/**
 * How far one has to read to follow what users do: the functions that run from a request or a due check to its end, the files they are
 * in, and the moves from one file to another between two calls. Each function of the product is instrumented and the server runs from
 * source, with SQLite. What also runs in an idle second does not count.
 *
 * trace.ts prints a table, and compares it with `figures.json`. With --write, it replaces them. With --files, it also prints the files
 * of each flow.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createFolder, createStore, run } from "../bench/support/processes.ts";
import { copyInstrumented } from "./instrumented.ts";

const FIGURES = join(import.meta.dir, "figures.json");

/** A flow may take so many more moves than its figure, because the order of what waits is not always the same. */
const TOLERANCE = 1.1;

/** Milliseconds without a call that ends a flow, and of the idle time before the first one: what runs every 10 s is in it. */
const QUIET = 700;
const IDLE = 11_000;

/** Seconds, the shortest that a monitor may have: a flow waits for the next check. */
const INTERVAL = 10;

export interface Figures {
  files: number;
  functions: number;
  moves: number;
}

/** Measures all flows. @returns by the name of the flow; `paths` are the files */
export async function measure(): Promise<Record<string, Figures & { paths: string[] }>> {
  using folder = createFolder();
  const [product, calls] = ["product", "calls"].map((name) => join(folder.path, name)) as [string, string];
  for (const path of [product, calls]) mkdirSync(path);
  const functions = copyInstrumented(product);

  let status = 200;
  const notified: string[] = [];
  let requests = 0;
  using target = Bun.serve({
    ...{ port: 0, hostname: "127.0.0.1" },
    fetch() {
      requests++;
      return new Response("", { status });
    },
  });
  using receiver = Bun.serve({
    ...{ port: 0, hostname: "127.0.0.1" },
    async fetch(request) {
      notified.push(await request.text());
      return new Response();
    },
  });
  using store = await createStore([]);
  const entry = join(product, "src/main.ts");
  const command = [
    "env",
    `TRACE_TO=${calls}`,
    process.execPath,
    entry,
    "serve",
    "--port",
    "0",
    "--data-dir",
    store.folder,
  ];
  const server = await run(command);
  const origin = server.said.replace(/.*listening on /, "");

  async function api<Data>(method: string, path: string, body?: object): Promise<Data> {
    const response = await fetch(new URL(path, origin), {
      method,
      headers: { authorization: `Bearer ${store.key}`, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text.startsWith("{") ? JSON.parse(text).data : (text as Data);
  }

  const callsSince = (from: number): number[][] =>
    readdirSync(calls).map((thread) =>
      readFileSync(join(calls, thread), "utf8")
        .split("\n")
        .map((line) => line.split(" ").map(Number))
        .filter(([at = 0, ...numbers]) => at >= from && numbers.length > 0)
        .flatMap(([, ...numbers]) => numbers),
    );
  const idle = new Set<number>();
  async function untilQuiet(from: number, isOver: () => boolean): Promise<number[][]> {
    for (let last = -1; ; ) {
      await Bun.sleep(QUIET);
      const threads = callsSince(from).map((numbers) => numbers.filter((number) => !idle.has(number)));
      const count = threads.flat().length;
      if (isOver() && count === last) return threads;
      last = count;
    }
  }
  async function trace(
    work: () => Promise<unknown>,
    isOver = () => true,
  ): Promise<Figures & { paths: string[] }> {
    const from = Date.now();
    await work();
    return figuresOf(await untilQuiet(from, isOver));
  }
  function figuresOf(threads: number[][]) {
    const files = threads.map((numbers) => numbers.map((number) => functions[number]?.file ?? ""));
    const moves = files.flatMap((names) => names.filter((name, at) => at > 0 && name !== names[at - 1]));
    const paths = [...new Set(files.flat())].sort();
    return { files: paths.length, functions: new Set(threads.flat()).size, moves: moves.length, paths };
  }

  try {
    const config = { url: target.url.href, interval: INTERVAL, expect: {} };
    const channel = await api<{ id: string }>("POST", "/api/v1/alerts", {
      ...{ name: "receiver", type: "WEBHOOK", config: { url: receiver.url.href } },
    });
    const watched = await api<{ id: string }>("POST", "/api/v1/monitors", {
      ...{ name: "watched", type: "HTTP", config, alertChannelIds: [channel.id] },
    });
    const job = await api<{ checkinUrl: string }>("POST", "/api/v1/monitors", {
      ...{ name: "job", type: "SCHEDULED", config: { interval: 300 } },
    });
    const page = {
      title: "Shop",
      slug: "shop",
      visibility: "public",
      components: [{ monitorId: watched.id }],
    };
    await api("POST", "/api/v1/pages", page);
    await api("PATCH", `/api/v1/monitors/${watched.id}`, { enabled: false });
    await Bun.sleep(2000);
    const began = Date.now();
    await Bun.sleep(IDLE);
    for (const number of callsSince(began).flat()) idle.add(number);

    const rename = () => api("PATCH", `/api/v1/monitors/${watched.id}`, { name: "renamed" });
    const create = () =>
      api("POST", "/api/v1/monitors", {
        name: "created",
        type: "HTTP",
        config: { ...config, interval: 3600 },
      });
    const flows: Record<string, Figures & { paths: string[] }> = {};
    flows["create a monitor"] = await trace(create);
    flows["rename a monitor"] = await trace(rename);
    flows["check-in"] = await trace(() =>
      fetch(new URL(new URL(job.checkinUrl).pathname, origin), { method: "POST" }),
    );
    flows["public page"] = await trace(() => fetch(new URL("/status/shop", origin)));
    // Only a site that was up goes down.
    requests = 0;
    await api("PATCH", `/api/v1/monitors/${watched.id}`, { enabled: true });
    while (requests === 0) await Bun.sleep(QUIET);
    await Bun.sleep(QUIET);
    const failing = async () => {
      status = 503;
    };
    flows["check and alert"] = await trace(failing, () => notified.length > 0);
    return flows;
  } finally {
    await server.stop();
  }
}

/** @returns the figures of each flow that grew */
export function grown(measured: Record<string, Figures>, kept: Record<string, Figures>): string[] {
  return Object.entries(kept).flatMap(([flow, { files, moves }]) => {
    const now = measured[flow];
    if (!now) return [`${flow} was not measured`];
    const isGrown = now.files > files || now.moves > moves * TOLERANCE;
    return isGrown
      ? [`${flow}: ${now.files} files and ${now.moves} moves, kept are ${files} and ${moves}`]
      : [];
  });
}

export const kept = (): Record<string, Figures> => JSON.parse(readFileSync(FIGURES, "utf8"));

if (import.meta.main) {
  const { values } = parseArgs({ options: { write: { type: "boolean" }, files: { type: "boolean" } } });
  const measured = await measure();
  console.log("| Flow | Files | Functions | Moves |\n| --- | --- | --- | --- |");
  for (const [flow, { files, functions, moves, paths }] of Object.entries(measured)) {
    console.log(`| ${flow} | ${files} | ${functions} | ${moves} |`);
    if (values.files) console.log(paths.map((path) => `  ${path}`).join("\n"));
  }
  if (values.write) {
    const figures = Object.entries(measured).map(([flow, { paths: _, ...rest }]) => [flow, rest]);
    writeFileSync(FIGURES, `${JSON.stringify(Object.fromEntries(figures), null, 2)}\n`);
  } else {
    const faults = grown(measured, kept());
    for (const fault of faults) console.error(fault);
    process.exit(faults.length > 0 ? 1 : 0);
  }
}
