import { existsSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "../../test/support/eventually.ts";
import { Client } from "../../test/support/requests/client.ts";
import { DatabaseProxy, DISTANT } from "../../test/support/store/postgres/proxy.ts";
import { post, ServerProcess } from "../bed/server.ts";
import { createDraw } from "../simulator/truth/draw.ts";
import { type Created, createMonitors } from "./create-monitors.ts";
import type { Log } from "./log.ts";
import { Database } from "./nodes/database.ts";
import { causeFaults, type Victims } from "./nodes/nemesis.ts";
import { ordered, readDeliveries, readResults, readView } from "./nodes/read-state.ts";
import type { PlannedFault } from "./plan/faults.ts";
import { planScenario } from "./plan/scenario.ts";
import { WorldProcess } from "./world/world-process.ts";

/** The nodes, with the difference of their clocks from the database in hours. */
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
  const victims = await startNodes(stack, { folder, command, dnsServer: `${address}:${listening.dnsPort}` });
  const { nodes } = victims;
  const client = await openClient(nodes);
  const created = await createMonitors(client, { targets, listening, address });
  const begin = Date.now();
  await world.begin({ at: begin, nodes: nodes.map(({ url }) => url), checkins: created.checkins });
  const draw = createDraw(seed).fork("causes");
  const faults = await causeFaults(planned, { victims, begin, draw, onFault });
  await Bun.sleep(begin + seconds * SECOND - Date.now());
  const whole = { from: begin, to: Date.now() };
  const logs = await collectLogs(client, { world, victims, created });
  return {
    log: { whole, nodes: nodes.length, monitors: created.monitors, faults, ...logs },
    unexpected: nodes.flatMap(({ unexpected }) => unexpected),
  };
}

/** Starts the database, and the nodes with a proxy each. */
async function startNodes(
  stack: AsyncDisposableStack,
  { folder, command, dnsServer }: { folder: string; command: readonly string[]; dnsServer: string },
): Promise<Victims> {
  const database = stack.use(await Database.create());
  const proxies = await Promise.all(HOURS.map(() => DatabaseProxy.start(database.address)));
  const nodes = proxies.map((proxy, place) => {
    stack.use(proxy);
    proxy.become(DISTANT);
    const name = `node-${place + 1}`;
    const args = [
      ...["--database-url", database.urlThrough(proxy.port), "--node-name", name],
      ...["--dns-servers", dnsServer, "--log-level", "info"],
    ];
    const own = { name, folder: join(folder, name), hours: HOURS[place] ?? 0 };
    return stack.use(new ServerProcess({ ...own, command, args }));
  });
  await Promise.all(nodes.map((node) => node.start()));
  return { nodes, proxies, database };
}

/** Ends the jobs and the checks, and waits for what is under way. */
async function collectLogs(
  client: Client,
  { world, victims, created }: { world: WorldProcess; victims: Victims; created: Created },
) {
  const { monitors, channels } = created;
  const report = await world.finish();
  // Later, because the transitions of a paused job notify nobody (behavior 5.3).
  await post(client, "/api/v1/monitors/pause-all", {});
  await Bun.sleep(CHECKS_END);
  const deliveries = ordered(await settle(client, channels), await victims.database.readDeliveryOrder());
  const results = await readResults(client, monitors);
  const views = await Promise.all(
    victims.nodes.map(({ name, url }) => readView(client.at(url), { name, monitors })),
  );
  // Again, because checks and deliveries went on after the first report.
  const { attempts, stalls } = await world.finish();
  return { ...report, attempts, stalls, deliveries, results, views };
}

/** With the owner key, which the first node has written. */
async function openClient(nodes: readonly ServerProcess[]): Promise<Client> {
  const files = nodes.map(({ dataDir }) => join(dataDir, "initial-owner-key"));
  const file = await eventually(() => files.find(existsSync));
  return new Client(nodes[0]?.url ?? "", (await Bun.file(file).text()).trim());
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
