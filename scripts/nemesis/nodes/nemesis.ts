import { type DatabaseProxy, DISTANT } from "../../../test/support/store/postgres/proxy.ts";
import type { ServerProcess } from "../../bed/server.ts";
import type { Draw } from "../../simulator/truth/draw.ts";
import type { Fault, FaultKind } from "../log.ts";
import type { PlannedFault } from "../plan/faults.ts";
import type { Database } from "./database.ts";

/** The victims of faults. A node and its proxy have the same place. */
export interface Victims {
  nodes: readonly ServerProcess[];
  proxies: readonly DatabaseProxy[];
  database: Database;
}

/** Milliseconds for each packet, in each direction. */
const DELAY: [number, number] = [30, 250];

const HOURS = [-1, 0, 1] as const;

type Cause = (
  victim: { node: ServerProcess; proxy: DatabaseProxy; database: Database },
  lasts: number,
  draw: Draw,
) => Promise<void>;

const CAUSES: { [K in FaultKind]: Cause } = {
  async kill({ node }, lasts) {
    await node.end("SIGKILL");
    await Bun.sleep(lasts);
    await node.start();
  },
  async stop({ node }, lasts) {
    node.signal("SIGSTOP");
    await Bun.sleep(lasts);
    node.signal("SIGCONT");
  },
  async end({ node }, lasts) {
    const code = await node.end("SIGTERM");
    if (code !== 0) node.unexpected.push(`${node.name} ended with ${code} after SIGTERM`);
    await Bun.sleep(lasts);
    await node.start();
  },
  async delay({ proxy }, lasts, draw) {
    proxy.become({ delay: draw.between(...DELAY) });
    await Bun.sleep(lasts);
    proxy.become(DISTANT);
  },
  async cut({ proxy }, lasts) {
    proxy.become("cut");
    await Bun.sleep(lasts);
    proxy.become(DISTANT);
  },
  async "black-hole"({ proxy }, lasts) {
    proxy.become("black hole");
    await Bun.sleep(lasts);
    proxy.become(DISTANT);
  },
  async clock({ node }, _, draw) {
    node.setClock(draw.pick(HOURS));
    // The node notices the step.
    await Bun.sleep(2000);
  },
  async terminate({ database }) {
    await database.terminateConnections();
  },
  async restart({ database }, lasts) {
    await database.stop("fast");
    await Bun.sleep(lasts);
    await database.start();
  },
  async crash({ database }, lasts) {
    await database.stop("immediate");
    await Bun.sleep(lasts);
    await database.start();
  },
};

/**
 * Causes faults at their times, and the faults of one node one after the other.
 *
 * @param onFault is called at the begin of each
 * @returns the faults as they were: a node needs time to start again
 */
export async function causeFaults(
  planned: readonly PlannedFault[],
  {
    victims,
    begin,
    draw,
    onFault,
  }: { victims: Victims; begin: number; draw: Draw; onFault: (fault: PlannedFault) => void },
): Promise<Fault[]> {
  const faults: Fault[] = [];
  const cause = async (fault: PlannedFault, earlier: Promise<void> | undefined) => {
    await Bun.sleep(begin + fault.at - Date.now());
    // A start takes long on a busy machine, and a node that is ended meanwhile looks as if it did not start.
    await earlier;
    onFault(fault);
    const { kind, node, lasts } = fault;
    const from = Date.now();
    await CAUSES[kind](victimOf(victims, node), lasts, draw);
    faults.push({ kind, node, from, to: Date.now() });
  };
  const lastOf = new Map<number | null, Promise<void>>();
  for (const fault of planned.toSorted((a, b) => a.at - b.at))
    lastOf.set(fault.node, cause(fault, lastOf.get(fault.node)));
  await Promise.all(lastOf.values());
  return faults.sort((a, b) => a.from - b.from);
}

function victimOf({ nodes, proxies, database }: Victims, place: number | null) {
  const [node, proxy] = [nodes[place ?? 0], proxies[place ?? 0]];
  if (!node || !proxy) throw new Error(`there is no node ${place}`);
  return { node, proxy, database };
}
