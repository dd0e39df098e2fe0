import { judge, type Verdict } from "../judge/judge.ts";
import type { Scenario } from "../scenario.ts";
import type { Spot } from "../world/spot.ts";
import { createWorld, type World } from "../world/world.ts";
import { type Delays, watchDelays } from "./delays.ts";
import { createFolder, type Product, startProduct } from "./product.ts";
import { runScenario } from "./run-scenario.ts";
import { startWitness, type Witness } from "./witness.ts";

/** Between the starts of two scenarios, so that not all certificates are created at once; milliseconds. */
const STAGGER = 60;
/** The same if each starts a server of its own, which keeps a core busy. */
const STAGGER_OF_SERVERS = 700;
/** So many of them run beside the others. */
const FEW_SERVERS = 5;
/** Scenarios with so much load run at a time. */
const AT_ONCE = { heavy: 5, disturbing: 1 };

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
  async start({ dns, certificates: { authority } }) {
    const folder = await createFolder();
    const place = { folder: folder.path, dns: `${dns.address}:${dns.port}`, authority };
    const product = await startProduct(place);
    const stack = new AsyncDisposableStack();
    stack.use(folder);
    stack.use(product);
    return { ...product, [Symbol.asyncDispose]: () => stack.disposeAsync() };
  },
};

interface Course {
  adapt: Contestant["adapt"];
  world: World;
  witness: Witness;
  product: Product;
  patience: number;
  delays: Delays;
}

/**
 * Runs scenarios side by side, then the scenarios with a server of their own if there are many, then the scenarios with much load, a few
 * at a time. Each round runs all scenarios again.
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
  const course = { adapt: contestant.adapt, world, witness, product, patience, delays };
  const run = async (scenario: Scenario, round: number) => {
    const verdict = await attempt(scenario, course, { at: scenarios.indexOf(scenario), round });
    outcomes.push({ scenario: scenario.name, verdict });
  };
  const runSideBySide = (some: Scenario[], { stagger, round }: { stagger: number; round: number }) =>
    Promise.all(
      some.map(async (scenario, nth) => {
        await Bun.sleep(nth * stagger);
        await run(scenario, round);
      }),
    );
  const runInTurns = (some: Scenario[], { atOnce, round }: { atOnce: number; round: number }) => {
    const waiting = [...some];
    const lane = async (_: unknown, nth: number) => {
      await Bun.sleep(nth * STAGGER_OF_SERVERS);
      for (let next = waiting.shift(); next; next = waiting.shift()) await run(next, round);
    };
    return Promise.all(Array.from({ length: atOnce }, lane));
  };
  const groups = Object.groupBy(scenarios, ({ server, load }) => load ?? (server ? "own" : "shared"));
  const { shared = [], own = [], heavy = [], disturbing = [] } = groups;
  for (let round = 0; round < rounds; round++) {
    const first = runSideBySide(shared, { stagger: STAGGER, round });
    if (own.length > FEW_SERVERS) await first;
    await Promise.all([first, runSideBySide(own, { stagger: STAGGER_OF_SERVERS, round })]);
    await runInTurns(heavy, { atOnce: AT_ONCE.heavy, round });
    await runInTurns(disturbing, { atOnce: AT_ONCE.disturbing, round });
  }
  return { outcomes, delay: delays.most() };
}

async function attempt(
  scenario: Scenario,
  { adapt, world, witness, product, patience, delays }: Course,
  { at, round }: { at: number; round: number },
): Promise<Outcome["verdict"]> {
  try {
    await using stack = new AsyncDisposableStack();
    const spot = stack.use(world.open(at + 1, scenario.name));
    const own = adapt ? adapt(scenario, spot) : scenario;
    if (!own) return "not possible";
    spot.hear = witness.hear;
    // Many stand-ins at a time are slow now and then.
    const stalls = scenario.load ? delays.stalls : [];
    const around = { spot, witness, product, patience, stalls };
    if (scenario.server) {
      const folder = spot.own(await createFolder()).path;
      const { dns = spot.dnsAddress, ...own } = await scenario.server(spot, folder);
      const { authority } = world.certificates;
      const product = stack.use(await startProduct({ dns, authority, folder, ...own }));
      around.product = product;
      spot.server = product.server;
    }
    return judge(await runScenario(own, `${scenario.name} ${round}`, around));
  } catch (error) {
    return error as Error;
  }
}
