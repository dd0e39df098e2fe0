import { loadavg } from "node:os";
import { freeDescriptors } from "../descriptors.ts";
import { MAX_ADDRESSES } from "../domain/checks/observation.ts";
import type { ConnectionFacts, Hop, Look, Outcome, SelfFacts } from "../domain/evidence/evidence.ts";
import { type AttemptOutcome, attemptConnection } from "./connections/connection-attempt.ts";
import type { Network } from "./connections/network.ts";
import { since } from "./probe-clock.ts";

/** The target of a failed check. @property port null if the check connects to none: then the look lists only the path */
export interface AskedLook {
  addresses: string[];
  port: number | null;
}

/** The result of a look after the check, and the state of this machine. */
export interface Looked extends Look {
  self: Omit<SelfFacts, "healthyElsewhere" | "failingElsewhere">;
}

interface LookParts {
  network: Pick<Network, "isAllowed">;
  /** Runs a task when no check is due. */
  whenIdle(task: () => void): void;
  self(): Promise<Pick<SelfFacts, "loopDelayMs" | "online">>;
}

/** How many looks run at a time. */
const MAX_LOOKS = 8;

/** How many others wait for their turn. More are not made: a storm has enough evidence. */
const MAX_WAITING = 100;

const NOTHING: Look = { connections: null, path: null };

/** @returns looks at the target of a failed check, beside all checks and never before one (behavior 22.17) */
export function createLooks({ network, whenIdle, self }: LookParts): (asked: AskedLook) => Promise<Looked> {
  const waiting: (() => void)[] = [];
  let running = 0;

  function takeTurn(): Promise<void> {
    running++;
    if (running <= MAX_LOOKS) return new Promise(whenIdle);
    return new Promise((resolve) => void waiting.push(() => whenIdle(resolve)));
  }

  function endTurn(): void {
    running--;
    waiting.shift()?.();
  }

  async function looked(look: Look): Promise<Looked> {
    const [own, free] = await Promise.all([self(), freeDescriptors()]);
    const [load = 0] = loadavg();
    return { ...look, self: { ...own, load: Math.round(load * 100) / 100, freeDescriptors: free } };
  }

  return async (asked) => {
    if (waiting.length >= MAX_WAITING) return looked(NOTHING);
    await takeTurn();
    try {
      return await looked(await lookAt(asked, network));
    } finally {
      endTurn();
    }
  };
}

/** How long an attempt to connect may take, in milliseconds. */
const TIMEOUT = 3000;

/** After so many milliseconds, a look lists the path to an address that has not answered. */
const SILENT_AFTER = 1000;

/** Once each. An address at which `--private-targets` forbids connections is left out. */
async function lookAt({ addresses, port }: AskedLook, network: LookParts["network"]): Promise<Look> {
  const tried = addresses
    .filter((address) => network.isAllowed(address, port ?? undefined))
    .slice(0, MAX_ADDRESSES);
  // Without an address there is nothing to connect to.
  if (addresses.length === 0) return NOTHING;
  if (port === null)
    return { connections: null, path: tried[0] === undefined ? null : await pathTo(tried[0]) };
  const found = new Map<string, ConnectionFacts>();
  const attempts = tried.map(async (address) => {
    const seen = await connectionTo(address, port);
    if (seen) found.set(address, seen);
    return seen;
  });
  const all = Promise.all(attempts);
  await Promise.race([all, Bun.sleep(SILENT_AFTER)]);
  const silent = tried.find((address) => !hasAnswered(found.get(address)));
  const path = silent === undefined ? null : await pathTo(silent);
  const connections = (await all).filter((one) => one !== undefined);
  return { connections, path: hasAnswered(found.get(silent ?? "")) ? null : path };
}

function hasAnswered(seen: ConnectionFacts | undefined): boolean {
  return seen !== undefined && seen.outcome !== "timeout" && seen.outcome !== "unreachable";
}

const outcomes: Record<AttemptOutcome, Outcome | undefined> = {
  opened: "open",
  reset: "reset",
  refused: "refused",
  unreachable: "unreachable",
  silent: "timeout",
  // Nothing is known of the target.
  forbidden: undefined,
  unknown: undefined,
};

/** As precise as the times, and for as long as a server needs that resets each connection, in milliseconds. */
const ATTEMPT = { pollEvery: 2, watchFor: 50 };

/** @returns undefined if this machine could not try it */
async function connectionTo(address: string, port: number): Promise<ConnectionFacts | undefined> {
  const start = performance.now();
  let tookMs = 0;
  const onOpen = () => {
    tookMs = since(start);
  };
  const attempt = await attemptConnection({ address, port }, TIMEOUT, { ...ATTEMPT, onOpen });
  const outcome = outcomes[attempt];
  return outcome && { address, port, outcome, tookMs: attempt === "opened" ? tookMs : since(start) };
}

/** The code of pings is loaded at the first use, because most servers send none. */
async function pathTo(address: string): Promise<Hop[] | null> {
  const { tracePath } = await import("./ping/path.ts");
  return tracePath(address);
}
