import { judge, type Verdict } from "../judge/judge.ts";
import type { Scenario } from "../scenario.ts";
import type { Spot } from "../world/spot.ts";
import { createWorld, type World } from "../world/world.ts";
import { watchDelays } from "./delays.ts";
import { type Product, startProduct } from "./product.ts";
import { runScenario } from "./run-scenario.ts";
import { startWitness, type Witness } from "./witness.ts";

/** Between the starts of two scenarios, so that not all certificates are created at once; milliseconds. */
const STAGGER = 60;
/** The same if each starts a server of its own, which keeps a core busy. */
const STAGGER_OF_SERVERS = 700;
/** So many of them run beside the others. */
const FEW_SERVERS = 5;

export interface Outcome {
  scenario: string;
  /** An error if it broke off. */
  verdict: Verdict | Error | "not possible";
}

/** A monitor that is judged. */
export interface Contestant {
  name: string;
  start(world: World, witness: Witness): Promise<Product>;
  /** The scenario in its words; undefined if it has none. Default: as it is */
  adapt?(scenario: Scenario, spot: Spot): Scenario | undefined;
}

export const STILLUP: Contestant = {
  name: "stillup",
  start: ({ dns, certificates: { authority } }) =>
    startProduct({ dns: `${dns.address}:${dns.port}`, authority }),
};

interface Course {
  adapt: Contestant["adapt"];
  world: World;
  witness: Witness;
  product: Product;
  patience: number;
}

/**
 * Runs scenarios side by side, after them those with a server of their own if there are many, and all of them again in each round.
 *
 * @param patience milliseconds @returns as `delay`, how late the stand-ins were at most, in milliseconds
 */
export async function runCourse(
  scenarios: Scenario[],
  { rounds = 1, patience = 3000, contestant = STILLUP } = {},
): Promise<{ outcomes: Outcome[]; delay: number }> {
  await using stack = new AsyncDisposableStack();
  const world = stack.use(await createWorld());
  const witness = stack.use(startWitness());
  const product = stack.use(await contestant.start(world, witness));
  const delays = stack.use(watchDelays());
  const outcomes: Outcome[] = [];
  const course = { adapt: contestant.adapt, world, witness, product, patience };
  const runSideBySide = (some: Scenario[], { stagger, round }: { stagger: number; round: number }) => {
    const runs = some.map(async (scenario, nth) => {
      await Bun.sleep(nth * stagger);
      const verdict = await attempt(scenario, course, { at: scenarios.indexOf(scenario), round });
      outcomes.push({ scenario: scenario.name, verdict });
    });
    return Promise.all(runs);
  };
  const { shared = [], own = [] } = Object.groupBy(scenarios, ({ server }) => (server ? "own" : "shared"));
  for (let round = 0; round < rounds; round++) {
    const first = runSideBySide(shared, { stagger: STAGGER, round });
    if (own.length > FEW_SERVERS) await first;
    await Promise.all([first, runSideBySide(own, { stagger: STAGGER_OF_SERVERS, round })]);
  }
  return { outcomes, delay: delays.most() };
}

async function attempt(
  scenario: Scenario,
  { adapt, world, witness, product, patience }: Course,
  { at, round }: { at: number; round: number },
): Promise<Outcome["verdict"]> {
  try {
    await using stack = new AsyncDisposableStack();
    const spot = stack.use(world.open(at + 1, scenario.name));
    const own = adapt ? adapt(scenario, spot) : scenario;
    if (!own) return "not possible";
    spot.hear = witness.hear;
    const around = { spot, witness, product, patience };
    if (scenario.server) {
      const settings = scenario.server(spot);
      const { authority } = world.certificates;
      const dns = settings.STILLUP_DNS_SERVERS ?? spot.dnsAddress;
      around.product = stack.use(await startProduct({ dns, authority, settings }));
      spot.server = around.product;
    }
    return judge(await runScenario(own, `${scenario.name} ${round}`, around));
  } catch (error) {
    return error as Error;
  }
}
