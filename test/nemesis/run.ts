import { existsSync } from "node:fs";
import { join } from "node:path";
import { createDraw } from "../simulator/truth/draw.ts";
import { eventually } from "../support/eventually.ts";
import { Client } from "../support/requests/client.ts";
import type { Log, LoggedMonitor } from "./log.ts";
import { Database } from "./nodes/database.ts";
import { DatabaseProxy } from "./nodes/database-proxy.ts";
import { causeFaults } from "./nodes/nemesis.ts";
import { Node } from "./nodes/node.ts";
import { ordered, readDeliveries, readResults, readView } from "./nodes/read-state.ts";
import type { PlannedFault } from "./plan/faults.ts";
import { CHANNELS, GRACE, INTERVAL, type PlannedTarget, planScenario, TIMEOUT } from "./plan/scenario.ts";
import type { Listening } from "./world/messages.ts";
import { WorldProcess } from "./world/world-process.ts";

/** The nodes, with the difference of their clocks from that of the database in hours. */
const HOURS = [0, 1, -1];

const SECOND = 1000;

/** Deliveries that failed once are repeated 5 s and 35 s later. */
const SETTLE = 60 * SECOND;

/** From the last start of a check until its result is recorded. */
const CHECKS_END = 5 * SECOND;

/** @property command runs stillup @property folder for logs and data */
export interface RunOptions {
  seed: number;
  seconds: number;
  command: readonly string[];
  folder: string;
  onFault: (fault: PlannedFault) => void;
}

/** @property unexpected how nodes ended that nobody ended */
export interface Outcome {
  log: Log;
  unexpected: string[];
}

/** Runs three nodes on one database in a scenario, and collects all logs. */
export async function runScenario({ seed, seconds, command, folder, onFault }: RunOptions): Promise<Outcome> {
  await using stack = new AsyncDisposableStack();
  const options = { nodes: HOURS.length, seconds };
  const { targets, faults: planned } = planScenario(seed, options);
  const world = stack.use(new WorldProcess());
  const address = `127.77.${process.pid % 250}.1`;
  const listening = await world.listen({ address, seed, ...options });
  const database = stack.use(await Database.create());
  const proxies = await Promise.all(HOURS.map(() => DatabaseProxy.start(database.address)));
  const nodes = HOURS.map((hours, place) => {
    stack.use(proxies[place] as DatabaseProxy);
    const setup = {
      ...{ name: `node-${place + 1}`, folder: join(folder, `node-${place + 1}`), command, hours },
      databaseUrl: database.urlThrough(proxies[place]?.port ?? 0),
      dnsServer: `${address}:${listening.dnsPort}`,
    };
    return stack.use(new Node(setup));
  });
  await Promise.all(nodes.map((node) => node.start()));
  const client = await openClient(nodes);
  const { monitors, channels, checkins } = await createAll(client, { targets, listening, address });
  const begin = Date.now();
  await world.begin({ at: begin, nodes: nodes.map(({ url }) => url), checkins });
  const draw = createDraw(seed).fork("causes");
  const faults = await causeFaults(planned, { victims: { nodes, proxies, database }, begin, draw, onFault });
  await Bun.sleep(begin + seconds * SECOND - Date.now());
  const end = Date.now();
  const report = await world.finish();
  // Later, because the transitions of a paused job notify nobody (behavior 5.3).
  await post(client, "/api/v1/monitors/pause-all", {});
  await Bun.sleep(CHECKS_END);
  const deliveries = ordered(await settle(client, channels), await database.readDeliveryOrder());
  const results = await readResults(client, monitors);
  const views = await Promise.all(nodes.map(({ name, url }) => readView(client.at(url), { name, monitors })));
  const { attempts } = await world.finish();
  const log = {
    ...{ whole: { from: begin, to: end }, nodes: nodes.length, monitors, faults },
    ...{ ...report, attempts, results, deliveries, views },
  };
  return { log, unexpected: nodes.flatMap(({ unexpected }) => unexpected) };
}

/** With the owner key, which the first node has written. */
async function openClient(nodes: readonly Node[]): Promise<Client> {
  const files = nodes.map(({ dataDir }) => join(dataDir, "initial-owner-key"));
  const file = await eventually(() => files.find(existsSync));
  return new Client(nodes[0]?.url ?? "", (await Bun.file(file).text()).trim());
}

interface Created {
  monitors: LoggedMonitor[];
  /** By name. */
  channels: Record<string, string>;
  /** Paths of check-in URLs, by name of the monitor. */
  checkins: Record<string, string>;
}

async function createAll(
  client: Client,
  { targets, listening, address }: { targets: PlannedTarget[]; listening: Listening; address: string },
): Promise<Created> {
  const created: Created = { monitors: [], channels: {}, checkins: {} };
  for (const name of CHANNELS) {
    const config = { url: listening.receivers[name] };
    created.channels[name] = (await post(client, "/api/v1/alerts", { name, type: "WEBHOOK", config })).id;
  }
  for (const target of targets) {
    const { name, type, channels } = target;
    const alertChannelIds = channels.map((channel) => created.channels[channel]);
    const config = configOf(target, { address, port: listening.ports[name] ?? 0 });
    const monitor = await post(client, "/api/v1/monitors", { name, type, config, alertChannelIds });
    const window = (windowOf(target) ?? 0) * SECOND;
    const timeout = (type === "HTTP" || type === "TCP" ? TIMEOUT : INTERVAL) * SECOND;
    const times = { interval: INTERVAL * SECOND, timeout, window, createdAt: Date.now() };
    created.monitors.push({ name, id: monitor.id, type, channels, ...times });
    if (monitor.checkinUrl) created.checkins[name] = new URL(monitor.checkinUrl).pathname;
  }
  return created;
}

function configOf(target: PlannedTarget, { address, port }: { address: string; port: number }): object {
  const [interval, timeout] = [INTERVAL, TIMEOUT];
  switch (target.type) {
    case "HTTP":
      return { url: `http://${address}:${port}/`, interval, timeout };
    case "TCP":
      return { host: address, port, interval, timeout };
    case "TLS":
      return { host: address, port, interval };
    case "DNS":
      return { hostname: `${target.name}.test`, recordType: "A", interval };
    case "SCHEDULED":
      return { period: periodOf(target), grace: GRACE };
  }
}

/** In seconds. The shortest one is 10 s. */
function periodOf({ job }: PlannedTarget): number {
  return Math.max(10, (job?.every ?? 0) / SECOND);
}

/** From a check-in to its deadline, in seconds. */
function windowOf(target: PlannedTarget): number | undefined {
  return target.job && periodOf(target) + GRACE;
}

async function post(
  client: Client,
  path: string,
  body: object,
): Promise<{ id: string; checkinUrl?: string }> {
  const { status, body: answer } = await client.post(path, body);
  if (status >= 300) throw new Error(`POST ${path} was answered ${status}: ${JSON.stringify(answer)}`);
  return answer.data;
}

/** Waits until no delivery is pending, or for a minute. */
async function settle(client: Client, channels: Record<string, string>): Promise<Log["deliveries"]> {
  const until = performance.now() + SETTLE;
  for (;;) {
    const deliveries = await readDeliveries(client, channels);
    const isPending = Object.values(deliveries)
      .flat()
      .some(({ status }) => status === "pending");
    if (!isPending || performance.now() > until) return deliveries;
    await Bun.sleep(SECOND);
  }
}
