import type { Cancel, Clock } from "../../clock.ts";
import { DAY, HOUR } from "../../domain/duration.ts";
import {
  parseRdapServers,
  type RdapServers,
  type RdapSource,
  readBuiltInServers,
} from "../../domain/registration/rdap-servers.ts";
import type { Logger } from "../../log.ts";
import { createFaultLog } from "../fault-log.ts";
import { getRdap, type RequestOptions } from "./rdap-request.ts";
import builtIn from "./rdap-servers.txt" with { type: "text" };

const IANA = "https://data.iana.org/rdap/dns.json";

/** How long one attempt to get the list may take, in milliseconds. */
const TIMEOUT = 8000;

/** The servers of the registries: those in the binary until there is a newer list. */
export interface ServerList {
  current(): Promise<RdapServers>;
  stop(): void;
}

/**
 * Gets the list once a day. A URL of the operator is read at once, and what asks for the list waits for it; IANA is first asked
 * an hour later, so that a server that restarts often asks no more often (behavior 20.75).
 */
export function createServerList({
  source,
  clock,
  log,
  jitter,
  ...request
}: {
  /** Default: IANA. */
  source: RdapSource | undefined;
  clock: Pick<Clock, "after">;
  log: Logger;
  /** From 0 to 1. */
  jitter: () => number;
} & Omit<RequestOptions, "timeout" | "headers">): ServerList {
  if (source && "byName" in source) return { current: async () => source, stop() {} };
  const url = source?.url ?? IANA;
  const faults = createFaultLog(
    log,
    "the list of RDAP servers could not be read: the one that is known stays in use",
    "warn",
  );
  let servers = readBuiltInServers(builtIn);
  let tag: string | undefined;
  let cancel: Cancel;

  function plan(delay: number): void {
    cancel = clock.after(delay * (1 + jitter() / 10), refresh);
  }

  async function refresh(): Promise<void> {
    try {
      await read();
      faults.succeeded();
    } catch (error) {
      if (!request.signal.aborted) faults.failed(error);
    }
    if (!request.signal.aborted) plan(DAY);
  }

  async function read(): Promise<void> {
    const headers = tag === undefined ? {} : { "if-none-match": tag };
    const answer = await getRdap(url, { ...request, timeout: TIMEOUT, headers });
    if (answer.status === 304) return;
    const read = answer.status === 200 ? parseRdapServers(answer.text) : undefined;
    if (!read) throw new Error(`the answer (${answer.status}) is not a list of RDAP servers`);
    servers = read;
    tag = answer.headers.etag;
  }

  let first: Promise<void> | undefined;
  if (source) first = refresh();
  else plan(HOUR);
  return {
    async current() {
      await first;
      return servers;
    },
    stop: () => cancel?.(),
  };
}
