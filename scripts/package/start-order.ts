/**
 * Records which functions a start uses, in `start-order.txt`: `compile.ts` puts their bytecode together at the front, so that a start reads
 * less of the executable. Run it after `bun run build` before a release; a function that has changed since is read from behind the recorded
 * functions.
 *
 * The file belongs to the repository: which functions a start uses depends on its timing too, and the same sources must give the same bytes.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createFolder } from "../bench/support/processes.ts";
import { START_ORDER } from "./compile.ts";

/** Starts whose functions are recorded together. */
const STARTS = 3;

/** Lines that change the executable: modules (loaded at a start, or later), and functions that ran. Strings bring nothing measurable. */
const USED = /^[MNF] /;

/** @returns a line of each function and module that a start uses, also of its probe thread and of its end, sorted */
export async function recordStart(binary: string): Promise<string[]> {
  const recorded = new Set<string>();
  for (let start = 0; start < STARTS; start++) {
    using folder = createFolder();
    await using target = createTarget();
    const data = join(folder.path, "data");
    const record = join(folder.path, "record");
    await serve(binary, { data, record }, (url) => createMonitor(url, data, target.url));
    add(recorded, record);
    await serve(binary, { data, record }, (url) => use(url, data, target.requested()));
    add(recorded, record);
  }
  return [...recorded].sort();
}

function add(recorded: Set<string>, record: string): void {
  for (const line of readFileSync(record, "utf8").split("\n")) if (USED.test(line)) recorded.add(line);
}

/** An HTTP server to check. */
function createTarget() {
  let next = Promise.withResolvers<void>();
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch() {
      next.resolve();
      return new Response("ok");
    },
  });
  return {
    url: server.url.href,
    /** Resolves at the next request. */
    requested() {
      next = Promise.withResolvers();
      return next.promise;
    },
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

async function createMonitor(url: string, data: string, target: string): Promise<void> {
  const monitor = { name: "target", type: "HTTP", config: { url: target, interval: 2 } };
  const headers = { ...authorization(data), "Content-Type": "application/json" };
  await read(`${url}/api/v1/monitors`, { method: "POST", headers, body: JSON.stringify(monitor) });
}

/** @param checked resolves after a check */
async function use(url: string, data: string, checked: Promise<void>): Promise<void> {
  await checked;
  await read(`${url}/healthz`);
  await read(`${url}/`);
  await read(`${url}/api/v1/monitors`, { headers: authorization(data) });
}

const authorization = (data: string) => ({
  Authorization: `Bearer ${readFileSync(join(data, "initial-owner-key"), "utf8").trim()}`,
});

/** @throws if the server refuses the request */
async function read(url: string, init?: RequestInit): Promise<void> {
  const response = await fetch(url, init);
  await response.bytes();
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
}

/** Starts a server, and stops it after it was used. */
async function serve(
  binary: string,
  { data, record }: { data: string; record: string },
  use: (url: string) => Promise<void>,
): Promise<void> {
  const env = { ...process.env, BUN_BYTECODE_ORDER_OUT: record };
  const command = [binary, "serve", "--port", "0", "--data-dir", data];
  const server = Bun.spawn(command, { env, stdout: "pipe", stderr: "ignore" });
  try {
    let said = "";
    for await (const part of server.stdout.pipeThrough(new TextDecoderStream())) {
      said += part;
      const [, url] = /listening on (\S+)\n/.exec(said) ?? [];
      if (url === undefined) continue;
      await use(url);
      break;
    }
  } finally {
    server.kill("SIGTERM");
    await server.exited;
  }
}

if (import.meta.main) {
  const lines = await recordStart("dist/stillup");
  // The first line is the version of the format.
  await Bun.write(START_ORDER, `v2\n${lines.join("\n")}\n`);
  console.log(`${lines.length} functions and modules`);
}
