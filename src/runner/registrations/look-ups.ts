import type { IncomingMessage } from "node:http";
import { type Head, parseRetryAfter, send } from "../../alerts/post.ts";
import type { Clock } from "../../clock.ts";
import { isSecureUrl } from "../../domain/network/local-request.ts";
import { readRdapAnswer } from "../../domain/registration/rdap-answer.ts";
import { serverFor } from "../../domain/registration/rdap-servers.ts";
import { afterLookUp, type LookUp, type StoredRegistration } from "../../domain/registration/registration.ts";
import type { Logger } from "../../log.ts";
import type { Claimant, Store } from "../../store/store.ts";
import type { ServerList } from "./registration-service.ts";

/** How long a look-up may take with all its redirects, in milliseconds. */
const TIMEOUT = 15_000;

const FAILED = "the registration of a domain could not be looked up";

/** Asks the registries about domains that are due, and stores what they say. */
export interface LookUps {
  /**
   * Looks up a domain. Other callers may share the look-up, or have made it meanwhile.
   *
   * @returns undefined if its registry had no turn for it
   * @throws if the database fails
   */
  run(domain: string): Promise<StoredRegistration | undefined>;
  /** Whether a registry of the list is responsible for a domain. */
  hasRegistry(domain: string): Promise<boolean>;
  stop(): Promise<void>;
}

export function createLookUps({
  store,
  clock,
  claimant,
  log,
  servers,
  jitter,
  ...request
}: {
  store: Pick<Store, "registrations" | "claims">;
  clock: Pick<Clock, "now" | "monotonic" | "sleep">;
  claimant: () => Claimant;
  log: Pick<Logger, "warn">;
  servers: Pick<ServerList, "current">;
  /** From 0 to 1. */
  jitter: () => number;
} & Pick<RequestOptions, "resolve" | "signal">): LookUps {
  const turns = createRegistryTurns({ store, clock, claimant, longest: TIMEOUT });
  /** Registrations that could not be stored yet. */
  const unsaved = new Map<string, StoredRegistration>();
  const running = new Map<string, Promise<StoredRegistration | undefined>>();

  async function start(domain: string): Promise<StoredRegistration | undefined> {
    const server = serverFor(await servers.current(), domain);
    if (server === undefined) return undefined;
    const registry = new URL(server).host;
    return turns.take(registry, () => lookUp(domain, { server, registry }));
  }

  async function lookUp(
    domain: string,
    { server, registry }: { server: string; registry: string },
  ): Promise<StoredRegistration> {
    // Another node, or the wait for the turn of the registry, may have made it superfluous.
    const before = unsaved.get(domain) ?? (await store.registrations.find(domain));
    if (before && before.nextAt > clock.now()) return unsaved.has(domain) ? save(before) : before;
    const asked = { ...request, timeout: TIMEOUT, now: clock.now };
    const result = (await pauseOf(registry)) ?? (await askRegistry(server, domain, asked));
    const after = afterLookUp(before, { domain, registry, result }, { now: clock.now(), jitter: jitter() });
    // This server stops, which says nothing about the registry.
    if (request.signal.aborted) return before ?? after;
    if ("message" in result) log.warn({ domain, registry, cause: result.message }, FAILED);
    return save(after);
  }

  /** If the database fails, no registry is asked again for that. */
  async function save(registration: StoredRegistration): Promise<StoredRegistration> {
    unsaved.set(registration.domain, registration);
    await store.registrations.save(registration);
    unsaved.delete(registration.domain);
    return registration;
  }

  async function pauseOf(registry: string): Promise<LookUp | undefined> {
    const until = await store.registrations.findPause(registry, clock.now());
    if (until === null) return undefined;
    const retryAfter = until - clock.now();
    return { outcome: "unanswered", message: "the registry asked for a pause", retryAfter };
  }

  return {
    run(domain) {
      const known = running.get(domain);
      if (known) return known;
      const started = start(domain).finally(() => running.delete(domain));
      running.set(domain, started);
      return started;
    },
    hasRegistry: async (domain) => serverFor(await servers.current(), domain) !== undefined,
    async stop() {
      turns.stop();
      await Promise.allSettled(running.values());
    },
  };
}

/**
 * Asks the server of a registry about a domain (RFC 9082, 3.1.3). Never throws.
 *
 * @param server ends with a slash
 * @param now time of the answer, in milliseconds since 1970
 */
export async function askRegistry(
  server: string,
  domain: string,
  { now, ...options }: RequestOptions & { now: () => number },
): Promise<LookUp> {
  try {
    return meaningOf(await getRdap(`${server}domain/${domain}`, options), domain, now());
  } catch (error) {
    const message = (error as Error).message;
    return { outcome: error instanceof BadAnswer ? "refused" : "unanswered", message };
  }
}

function meaningOf({ status, headers, text }: RdapResponse, domain: string, now: number): LookUp {
  if (status === 200) return readRdapAnswer(text, domain);
  if (status === 404) return { outcome: "not_found" };
  const retryAfter = parseRetryAfter(headers["retry-after"], now);
  return {
    outcome: "refused",
    message: `it answered ${status}`,
    ...(retryAfter !== undefined && { retryAfter }),
  };
}

/** Interval at which a node that waits looks whether another one is done, in milliseconds. */
const ASK_EVERY = 250;

/** Lets one request at a time go to a registry, from all nodes (behavior 20.73). */
interface RegistryTurns {
  /**
   * Runs work when it is the turn of the registry.
   *
   * @returns undefined if other nodes did not let it have a turn in time, or after `stop`
   */
  take<Result>(registry: string, work: () => Promise<Result>): Promise<Result | undefined>;
  stop(): void;
}

/** @param longest milliseconds that work may take */
function createRegistryTurns({
  store,
  clock,
  claimant,
  longest,
}: {
  store: Pick<Store, "claims">;
  clock: Pick<Clock, "now" | "monotonic" | "sleep">;
  claimant: () => Claimant;
  longest: number;
}): RegistryTurns {
  /** The end of the last work of each registry that has any. */
  const ends = new Map<string, Promise<unknown>>();
  let isStopped = false;

  async function afterOthers<Result>(
    registry: string,
    work: () => Promise<Result>,
  ): Promise<Result | undefined> {
    const name = `registry ${registry}`;
    const until = clock.monotonic() + longest;
    while (!isStopped) {
      const isOurs = await store.claims.take(name, claimant(), { now: clock.now(), lease: 2 * longest });
      if (isOurs) return work().finally(() => release(name));
      if (clock.monotonic() >= until) return undefined;
      await clock.sleep(ASK_EVERY);
    }
    return undefined;
  }

  /** A claim of a lease that is over. If it fails, other nodes wait until it lapses. */
  async function release(name: string): Promise<void> {
    await store.claims.take(name, claimant(), { now: clock.now(), lease: -1 }).catch(() => {});
  }

  return {
    take(registry, work) {
      const turn = (ends.get(registry) ?? Promise.resolve()).then(() => afterOthers(registry, work));
      const end = turn.catch(() => {});
      ends.set(registry, end);
      void end.then(() => ends.get(registry) === end && ends.delete(registry));
      return turn;
    },
    stop() {
      isStopped = true;
    },
  };
}

/** Bytes of an answer: registries send some kilobytes, and the list of IANA has 50. */
const MAX_ANSWER = 1024 * 1024;

const MAX_REDIRECTS = 5;

interface RdapResponse {
  status: number;
  headers: Head["headers"];
  /** Empty unless the status is 200. */
  text: string;
}

/** A server answers with something that is not to be followed or read. */
class BadAnswer extends Error {
  override readonly name = "BadAnswer";
}

/** @property resolve finds the allowed addresses of a host @property signal ends the request, with all its redirects */
export interface RequestOptions {
  resolve: (host: string, timeout: number) => string[] | Promise<string[]>;
  /** Milliseconds. */
  timeout: number;
  headers?: Record<string, string>;
  signal: AbortSignal;
}

/**
 * Gets a URL and follows at most 5 redirects (behavior 20.74). Each hop is HTTPS, or HTTP on this machine, and goes only to
 * addresses that `resolve` allows.
 *
 * @throws BadAnswer; any other error means that there was no answer
 */
export async function getRdap(url: string, options: RequestOptions): Promise<RdapResponse> {
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(options.timeout)]);
  let to = url;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const { head, text, location } = await getOnce(to, { ...options, signal });
    if (location === undefined) return { status: head.statusCode ?? 0, headers: head.headers, text };
    const next = URL.parse(location, to)?.href ?? "";
    if (!isSecureUrl(next)) throw new BadAnswer("a redirect leads to no URL that is allowed");
    to = next;
  }
  throw new BadAnswer(`there are more than ${MAX_REDIRECTS} redirects`);
}

async function getOnce(
  url: string,
  { resolve, timeout, headers, signal }: RequestOptions,
): Promise<{ head: Head; text: string; location?: string }> {
  const to = new URL(url);
  const addresses = await resolve(to.hostname.replace(/^\[|\]$/g, ""), timeout);
  const all = {
    accept: "application/rdap+json, application/json;q=0.9, */*;q=0.1",
    "accept-encoding": "identity",
  };
  const sent = await send(to, { method: "GET", headers: { ...all, ...headers }, addresses, signal });
  const { head, body, request } = sent;
  try {
    const { location } = head.headers;
    const isRedirect = [301, 302, 303, 307, 308].includes(head.statusCode ?? 0);
    if (isRedirect && location !== undefined) return { head, text: "", location };
    return { head, text: head.statusCode === 200 && body ? await textOf(body, signal) : "" };
  } finally {
    request.destroy();
  }
}

async function textOf(body: IncomingMessage, signal: AbortSignal): Promise<string> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  aborted.catch(() => {});
  const abort = () => reject(signal.reason);
  signal.addEventListener("abort", abort);
  try {
    return await Promise.race([readAll(body), aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

async function readAll(body: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > MAX_ANSWER) throw new BadAnswer(`the answer is longer than ${MAX_ANSWER} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
