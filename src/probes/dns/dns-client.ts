import { readFile } from "node:fs/promises";
import type { Lookup } from "../../domain/checks/observation.ts";
import { type DnsServer, parseResolvConf } from "../../domain/network/dns-server.ts";
import type { OpenSockets } from "../connections/network.ts";
import { ProbeError } from "../probe-error.ts";
import { type DnsTransport, type Exchange, exchange, systemTransport } from "./dns-exchange.ts";
import { isAskable, type Query, type Question, reservedAnswer } from "./dns-packet.ts";

/** A DNS client without a cache: every call sends new queries (behavior 4.2). */
export interface DnsClient {
  /**
   * Sends a query. Without a clear answer it is retried once, at the next server if there is one.
   *
   * @param timeout milliseconds for both attempts
   * @throws ProbeError `dns_unreachable` if no DNS server can be reached, which says nothing about the name; any other error
   *   is a fault of this machine, or of the DNS servers, which answer about few names
   */
  ask(question: Question, timeout: number): Promise<Lookup>;
}

/** The server of each answer that is still held. */
const answering = new WeakMap<Lookup, DnsServer>();

/** The server that gave an answer, or was asked in vain, as a config names it; null if no server was asked. */
export function serverOf(lookup: Lookup): string | null {
  const { address, port } = answering.get(lookup) ?? {};
  if (address === undefined || port === 53) return address ?? null;
  return address.includes(":") ? `[${address}]:${port}` : `${address}:${port}`;
}

const ownWaits = new WeakMap<Lookup, number>();

/** For how many milliseconds an answer was late because a query was lost or its server is dead (behavior 4.23). */
export function ownWaitOf(lookup: Lookup): number {
  return ownWaits.get(lookup) ?? 0;
}

/** The maximum timeout of one query, in milliseconds. */
const QUERY_TIMEOUT = 4000;

/**
 * Both queries end this many milliseconds before the check, so that silent servers and not the timeout of the check
 * decide what it means. A longer delay of the event loop is a stall (`stall-detector.ts`).
 */
const REST = 300;

/**
 * A resolver that finds a slow name answers all queries about that name, in any order, within this many milliseconds, or
 * answers none of them. Less than `REST`.
 */
const SAME_MOMENT = 100;

const MOSTLY_SILENT =
  "the DNS servers answer, but not about most of the names that were looked up in the last seconds";

/** Any resolver that is alive can answer this query without asking another server. */
const ROOT: Question = { name: ".", type: "NS" };

/**
 * @property isTarget whether the servers belong to the checked target: all are asked in turn, and their silence is an
 *   answer
 * @property onFirstAnswer called once, when any of the servers has answered
 */
interface DnsClientOptions {
  isTarget?: boolean;
  onFirstAnswer?: () => void;
  transport?: DnsTransport;
}

/** @param servers if undefined, the servers of the system, read again for each query */
export function createDnsClient(
  servers: DnsServer[] | undefined,
  openSockets: OpenSockets,
  { isTarget = false, onFirstAnswer = () => {}, transport = systemTransport }: DnsClientOptions = {},
): DnsClient {
  let lastClear = Number.NEGATIVE_INFINITY;
  const lastClearOf = new Map<string, number>();
  let liveness: Promise<Exchange[]> | undefined;
  const edns = new EdnsSupport();
  const names = new RecentNames();

  async function askOnce(server: DnsServer, query: Query, timeout: number): Promise<Exchange> {
    const answer = await exchange(server, query, { timeout, openSockets, transport });
    if (typeof answer !== "string") answering.set(answer, server);
    if (isClear(answer)) noteClear(server);
    return answer;
  }

  function noteClear(server: DnsServer): void {
    if (lastClear === Number.NEGATIVE_INFINITY) onFirstAnswer();
    lastClear = performance.now();
    lastClearOf.set(keyOf(server), lastClear);
  }

  async function askFirst(server: DnsServer, question: Question, timeout: number): Promise<Exchange> {
    if (edns.isUsedWith(server)) return askWithEdns(server, question, timeout);
    if (edns.isTriedAgain(server)) void askWithEdns(server, question, timeout).catch(() => {});
    return askOnce(server, { question, hasEdns: false }, timeout);
  }

  async function askWithEdns(server: DnsServer, question: Question, timeout: number): Promise<Exchange> {
    const answer = await askOnce(server, { question, hasEdns: true }, timeout);
    if (typeof answer !== "string") edns.answered(server);
    return answer;
  }

  /** Without EDNS, because the server, or a firewall before it, may drop queries that have it. @param before its answer */
  async function askAgain(
    server: DnsServer,
    question: Question,
    { timeout, before }: { timeout: number; before?: Exchange | undefined },
  ): Promise<Exchange> {
    const answer = await askOnce(server, { question, hasEdns: false }, timeout);
    if (before === "silent" && typeof answer !== "string") edns.answeredWithout(server);
    return answer;
  }

  async function askTwice(asked: DnsServer[], question: Question, timeout: number): Promise<Lookup> {
    const [first, second = first] = asked;
    if (!first || !second) throw unreachable("there is no DNS server to ask");
    const start = performance.now();
    // The first query stays open during the retry: an answer that is slow is one too.
    const asking = askFirst(first, question, 2 * timeout);
    const before = await soonest(asking, timeout);
    names.note(question.name, typeof before === "string");
    if (isClear(before)) return before;
    // A server that fails is broken itself, or passes on what is broken in the zone: it may wait for the server of that zone
    // itself. If no query was answered meanwhile, the liveness query runs in parallel with the retry. A failure counts against the
    // name only if a server is alive. An answer after the retry proves nothing: the server may have been dead until then.
    const roots = lastClear >= start ? undefined : askForRoot(timeout);
    const repeatedAt = performance.now();
    const again = askAgain(second, question, second === first ? { timeout, before } : { timeout });
    // No answer of the first server is needed now, but it shows whether that server drops EDNS, and whether it lost the query.
    const repeated =
      before === "silent" && second !== first
        ? askAgain(first, question, { timeout, before }).catch(() => "unreachable" as const)
        : again;
    const after = await Promise.race([again, whenClear(asking)]);
    const last = typeof after === "string" ? await asking : after;
    const isSilent = typeof last === "string";
    names.note(question.name, isSilent);
    if (isClear(last)) {
      const answeredAt = performance.now();
      if (typeof before === "string" && (await hasLost(first, { asking, repeated, start })))
        ownWaits.set(last, repeatedAt - start + (performance.now() - answeredAt));
      return last;
    }
    const failed = isSilent ? silenceAbout(question, first) : last;
    const isAlive = !roots || (await roots).some((root) => showsLife(root, failed));
    if (isAlive && isSilent && names.areMostlySilent()) throw new Error(MOSTLY_SILENT);
    if (isAlive) return failed;
    const how = failed.failure === "timeout" ? "can be reached" : "works";
    throw unreachable(`none of the DNS servers ${how}: ${asked.map(nameOf).join(", ")}`);
  }

  /**
   * Whether a server, or the network before it, lost a query whose repetition has an answer (behavior 4.23): the server answers the
   * repetition only, or has answered nothing at all since. An answer to the query shows that the name is slow.
   */
  async function hasLost(
    server: DnsServer,
    { asking, repeated, start }: { asking: Promise<Exchange>; repeated: Promise<Exchange>; start: number },
  ): Promise<boolean> {
    const late = await soonest(asking, SAME_MOMENT).catch(() => "unreachable");
    if (typeof late !== "string") return false;
    const ofRepetition = await Promise.race([repeated, "silent"]);
    return typeof ofRepetition !== "string" || !((lastClearOf.get(keyOf(server)) ?? 0) >= start);
  }

  /** The answer to a query, or its silence for the first milliseconds. */
  async function soonest(asking: Promise<Exchange>, ms: number): Promise<Exchange> {
    const { promise, resolve } = Promise.withResolvers<"silent">();
    const timer = transport.after(ms, () => resolve("silent"));
    return Promise.race([asking, promise]).finally(() => timer.close());
  }

  async function askInTurn(asked: DnsServer[], question: Question, timeout: number): Promise<Lookup> {
    const answers: Exchange[] = [];
    for (const server of asked) {
      const answer = await askFirst(server, question, timeout);
      if (isClear(answer)) return answer;
      answers.push(answer);
    }
    // A lost packet is no failure, nor is a server that drops EDNS.
    const isUnclear = (before: Exchange | undefined) => asked.length === 1 || before === "silent";
    const later = await Promise.all(
      asked.flatMap((server, at) => {
        const before = answers[at];
        return isUnclear(before) ? [askAgain(server, question, { timeout, before })] : [];
      }),
    );
    return (
      later.find(isClear) ??
      [...answers, ...later].find((one) => typeof one !== "string") ??
      silenceAbout(question, asked[0])
    );
  }

  /** Concurrent callers share one liveness query, because many would add to the load of a slow server. */
  function askForRoot(timeout: number): Promise<Exchange[]> {
    liveness ??= askAllForRoot(timeout).finally(() => {
      liveness = undefined;
    });
    return liveness;
  }

  async function askAllForRoot(timeout: number): Promise<Exchange[]> {
    const asked = servers ?? (await systemServers());
    return Promise.all(
      asked.map((server) =>
        askOnce(server, { question: ROOT, hasEdns: false }, timeout).catch(() => "unreachable" as const),
      ),
    );
  }

  return {
    async ask(question, timeout) {
      if (!isAskable(question.name)) return { recordType: question.type, values: [], failure: "nxdomain" };
      if (!isTarget) {
        const reserved = reservedAnswer(question);
        if (reserved) return reserved;
      }
      if (isTarget && servers) {
        return askInTurn(servers, question, Math.min(QUERY_TIMEOUT, (timeout * 0.9) / (servers.length + 1)));
      }
      const queryTimeout = Math.min(
        QUERY_TIMEOUT,
        timeout * 0.45,
        Math.max(timeout / 4, (timeout - REST) / 2),
      );
      return askTwice(servers ?? (await systemServers()), question, queryTimeout);
    },
  };
}

function unreachable(message: string): ProbeError {
  return new ProbeError("dns_unreachable", message);
}

/** Never resolves if there is no clear answer. */
function whenClear(asking: Promise<Exchange>): Promise<Lookup> {
  return new Promise((resolve) => {
    asking.then((answer) => isClear(answer) && resolve(answer)).catch(() => {});
  });
}

function silenceAbout({ type }: Question, asked: DnsServer | undefined): Lookup {
  const silence: Lookup = { recordType: type, values: [], failure: "timeout" };
  if (asked) answering.set(silence, asked);
  return silence;
}

/**
 * Whether the answer about the root shows that only the name failed. A server that knows only its own zones refuses the root, but a
 * resolver that fails there as it fails for the name can't resolve anything.
 */
function showsLife(root: Exchange, { failure }: Lookup): boolean {
  return typeof root !== "string" && root.failure !== "servfail" && root.failure !== failure;
}

/** Whether a retry is pointless. */
function isClear(answer: Exchange): answer is Lookup {
  if (typeof answer === "string") return false;
  return answer.failure === null || answer.failure === "nxdomain" || answer.failure === "no_data";
}

async function systemServers(): Promise<DnsServer[]> {
  return parseResolvConf(await readFile("/etc/resolv.conf", "utf8").catch(() => ""));
}

function nameOf({ address, port }: DnsServer): string {
  return port === 53 ? address : `${address} port ${port}`;
}

/** To a server that seems to drop EDNS, one in so many queries is sent with EDNS too. */
const TRY_EVERY = 100;

/**
 * Which servers drop queries with EDNS (RFC 6891), or are behind a firewall that does. Without this memory, each query to
 * such a server would first wait in vain. A packet that was lost looks the same, so EDNS is tried again from time to time.
 */
class EdnsSupport {
  private readonly understanding = new Set<string>();
  /** With the number of queries since. */
  private readonly dropping = new Map<string, number>();

  /** Whether queries to a server have EDNS. */
  isUsedWith(server: DnsServer): boolean {
    return !this.dropping.has(keyOf(server));
  }

  /** Whether it is not known yet what a server does with EDNS. */
  isUntried(server: DnsServer): boolean {
    return !this.understanding.has(keyOf(server)) && this.isUsedWith(server);
  }

  /** Counts a query without EDNS. @returns whether it is to be sent with it too, without waiting for that */
  isTriedAgain(server: DnsServer): boolean {
    const queries = this.dropping.get(keyOf(server));
    if (queries === undefined) return false;
    this.dropping.set(keyOf(server), queries + 1);
    return (queries + 1) % TRY_EVERY === 0;
  }

  /** A query with EDNS was answered. */
  answered(server: DnsServer): void {
    this.dropping.delete(keyOf(server));
    this.understanding.add(keyOf(server));
  }

  /** A query was answered only after it was repeated without EDNS. */
  answeredWithout(server: DnsServer): void {
    if (this.isUntried(server)) this.dropping.set(keyOf(server), 0);
  }
}

function keyOf({ address, port }: DnsServer): string {
  return `${address} ${port}`;
}

/** How long a generation lasts, in milliseconds: longer than a query and its retry. */
const GENERATION = 10_000;

/** Fewer silent names may all have the same broken server. */
const FEWEST = 10;

/** Names by whether they are silent. */
class Generation {
  readonly names = new Map<string, boolean>();
  silent = 0;

  constructor(readonly startedAt = Number.NEGATIVE_INFINITY) {}

  note(name: string, isSilent: boolean): void {
    if (this.names.get(name) === true) this.silent--;
    if (isSilent) this.silent++;
    this.names.set(name, isSilent);
  }
}

/** The names of the last 10 to 20 seconds, and which of them got no answer (behavior 4.20). */
export class RecentNames {
  private present = new Generation();
  private before = new Generation();

  constructor(private readonly now = () => performance.now()) {}

  /** @param isSilent whether the name has got no answer yet, within the time of one query */
  note(name: string, isSilent: boolean): void {
    this.age();
    this.present.note(name, isSilent);
  }

  /** Whether most of them are silent. Then the silence about one more name proves nothing about that. */
  areMostlySilent(): boolean {
    this.age();
    const silent = this.present.silent + this.before.silent;
    return silent >= FEWEST && silent > (this.present.names.size + this.before.names.size) / 2;
  }

  private age(): void {
    const now = this.now();
    const { startedAt } = this.present;
    if (now - startedAt < GENERATION) return;
    this.before = now - startedAt < 2 * GENERATION ? this.present : new Generation();
    this.present = new Generation(now);
  }
}
