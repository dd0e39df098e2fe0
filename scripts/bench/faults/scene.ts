import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../../test/support/free-port.ts";
import { Client } from "../../../test/support/requests/client.ts";
import { COURSES, type Course, type Report, type Target } from "./messages.ts";
import { createServer, type Server, type Surroundings } from "./server.ts";
import { startTargets, type TargetProcess } from "./target-process.ts";

/** Interval and timeout of the checks, in seconds. */
export const INTERVAL = 1;
/** The rhythm of the jobs, in seconds. */
export const PERIOD = 10;
export const GRACE = 2;

/** Name of the targets → type, and whether the monitor knows the target by name. */
const KINDS = [
  { kind: "http", type: "HTTP", isNamed: true },
  { kind: "http-address", type: "HTTP", isNamed: false },
  { kind: "tcp", type: "TCP", isNamed: true },
  { kind: "tcp-address", type: "TCP", isNamed: false },
  { kind: "tls", type: "TLS", isNamed: true },
  { kind: "dns", type: "DNS", isNamed: true },
  { kind: "job", type: "SCHEDULED", isNamed: false },
] as const;

const TARGETS = KINDS.flatMap((kind) =>
  COURSES.map((course) => ({ ...kind, course, name: `${kind.kind}-${course}` })),
);

export interface StoredResult {
  id: string;
  status: string;
  /** As the server says, in milliseconds since 1970. */
  createdAt: number;
  detail: { reason?: string; message?: string } | null;
}

/** One server with its targets. */
export interface Scene extends AsyncDisposable {
  server: Server;
  /** For files of a fault and for the log. */
  folder: string;
  targets: readonly Target[];
  /** Applies to the targets of a course: all of them, the jobs, or the others. */
  turn(to: "up" | "down", course: Course, which?: "all" | "jobs" | "checked"): Promise<void>;
  dropQueries(drops: boolean): Promise<void>;
  report(): Promise<Report>;
  /** The results of each monitor, oldest first. */
  results(): Promise<Map<string, StoredResult[]>>;
}

/** Where the server and its targets are. */
export interface Place extends Surroundings {
  /** Address of the targets. */
  outside: string;
  /** Address of the server. */
  inside: string;
}

/** @returns with a running server, whose monitors have just been created */
export async function openScene(place: Place, folder: string): Promise<Scene> {
  const process = startTargets();
  const listening = await process.listen(place.outside, TARGETS, PERIOD * 1000);
  const { dnsPort } = listening;
  const address = { host: place.inside, port: freePort(), dns: `${place.outside}:${dnsPort}` };
  const server = createServer(folder, address, place);
  const scene = { process, server, folder };
  try {
    await server.start();
    const key = await Bun.file(join(server.dataDir, "initial-owner-key")).text();
    const client = new Client(server.url, key.trim());
    const channel = await post(client, "/api/v1/alerts", {
      name: "ledger",
      type: "WEBHOOK",
      config: { url: listening.receiverUrl },
    });
    const checkins: Record<string, string> = {};
    const ids = new Map<string, string>();
    for (const target of TARGETS) {
      const { name, type } = target;
      const config = configOf(target, place.outside, listening.ports[name] ?? 0);
      const monitor = { name, type, config, alertChannelIds: [channel.id] };
      const { id, checkinUrl } = await post(client, "/api/v1/monitors", monitor);
      ids.set(name, id);
      if (type === "SCHEDULED") checkins[name] = checkinUrl;
    }
    await process.order({ checkins });
    return { ...sceneOf(scene), results: () => readResults(client, ids) };
  } catch (error) {
    await close(scene);
    throw error;
  }
}

export function createFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), "stillup-faults-"));
}

function configOf({ type, name, isNamed }: (typeof TARGETS)[number], address: string, port: number) {
  const host = isNamed ? `${name}.test` : address;
  const interval = INTERVAL;
  if (type === "HTTP") return { url: `http://${host}:${port}/`, interval };
  if (type === "DNS") return { hostname: host, interval };
  if (type === "SCHEDULED") return { period: PERIOD, grace: GRACE };
  return { host, port, interval };
}

async function post(client: Client, path: string, body: object): Promise<{ id: string; checkinUrl: string }> {
  const { status, body: answer } = await client.post(path, body);
  if (status >= 300) throw new Error(`POST ${path} was answered ${status}: ${JSON.stringify(answer)}`);
  return answer.data;
}

interface Parts {
  process: TargetProcess;
  server: Server;
  folder: string;
}

function sceneOf(parts: Parts): Omit<Scene, "results"> {
  const { process, server, folder } = parts;
  return {
    server,
    folder,
    targets: TARGETS,
    async turn(to, course, which = "all") {
      const chosen = TARGETS.filter((target) => target.course === course).filter(
        ({ type }) => which === "all" || (type === "SCHEDULED") === (which === "jobs"),
      );
      const names = chosen.map(({ name }) => name);
      await process.order(to === "up" ? { up: names } : { down: names });
    },
    async dropQueries(drops) {
      await process.order({ dns: drops ? "drops" : "answers" });
    },
    report: () => process.report(),
    [Symbol.asyncDispose]: () => close(parts),
  };
}

async function close({ process, server }: Parts): Promise<void> {
  await server.end("SIGKILL");
  await process.stop();
}

async function readResults(client: Client, ids: Map<string, string>): Promise<Map<string, StoredResult[]>> {
  const results = new Map<string, StoredResult[]>();
  for (const [name, id] of ids) {
    const found: StoredResult[] = [];
    let cursor = "";
    do {
      const { body } = await client.get(`/api/v1/monitors/${id}/results?limit=200${cursor}`);
      for (const row of body.data) found.push({ ...row, createdAt: Date.parse(row.createdAt) });
      cursor = body.cursor ? `&cursor=${body.cursor}` : "";
    } while (cursor);
    results.set(name, found.reverse());
  }
  return results;
}
