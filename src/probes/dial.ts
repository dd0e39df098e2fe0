import type { Socket } from "node:net";
import { type Connection, connectionOf, openConnection, openSocket } from "./connection.ts";
import { assertValid, shakeHands } from "./handshake.ts";
import { type Attempt, since } from "./observe.ts";
import { asProbeError } from "./probe-error.ts";

/** How long one address may take before the next one is tried beside it, in milliseconds (RFC 8305). */
const HEAD_START = 250;

/** Our own lack of descriptors, memory or ports. */
const EXHAUSTED = new Set(["EMFILE", "ENFILE", "ENOBUFS", "ENOMEM", "EAGAIN"]);

export interface Target {
  /** A host name or an IP address, without brackets. */
  host: string;
  port: number;
}

/**
 * Opens a connection: resolves the name and tries its addresses until one answers. It closes when the attempt ends.
 *
 * @throws ProbeError; anything else is a fault of ours
 */
export function dial(target: Target, attempt: Attempt): Promise<Connection> {
  return reach(target, attempt, openConnection);
}

/** The same with a socket on which TLS can be spoken. @throws like `dial` */
export function dialSocket(target: Target, attempt: Attempt): Promise<Socket> {
  return reach(target, attempt, openSocket);
}

/** Opens a connection that is secure: the certificate must be valid for the host. @throws like `dial` */
export async function dialTls(target: Target, attempt: Attempt): Promise<Connection> {
  const plain = await dialSocket(target, attempt);
  const start = performance.now();
  attempt.waitingFor = "TLS handshake";
  const { socket, error } = await shakeHands(plain, target.host, { oldVersions: false });
  if (error) throw error;
  attempt.phases.tls = since(start);
  assertValid(socket, target.host);
  return connectionOf(socket);
}

type Open<T> = (address: string, port: number, attempt: Attempt) => Promise<T>;

async function reach<T>({ host, port }: Target, attempt: Attempt, open: Open<T>): Promise<T> {
  const { phases, network, timeout } = attempt;
  let start = performance.now();
  attempt.waitingFor = "DNS answer";
  const addresses = await network.addressesOf(host, timeout);
  phases.resolve = since(start);
  start = performance.now();
  attempt.waitingFor = "connection";
  const opened = await firstOf(addresses, async (address) => {
    attempt.signal.throwIfAborted();
    attempt.address = address;
    const one = await open(address, port, attempt);
    attempt.address = address;
    return one;
  });
  phases.connect = since(start);
  return opened;
}

/** The first of the connections that opens; they start one after the other, each with a head start. */
async function firstOf<T>(addresses: string[], open: (address: string) => Promise<T>): Promise<T> {
  const connections: Promise<T>[] = [];
  for (const address of addresses) {
    const connection = open(address);
    connections.push(connection);
    if (connections.length === addresses.length) break;
    const opened = await Promise.race([connection.catch(() => undefined), Bun.sleep(HEAD_START)]);
    if (opened) return opened;
  }
  const results = await Promise.any(connections).catch((error: AggregateError) => error);
  if (results instanceof AggregateError) throw mostTelling(results.errors);
  return results;
}

/** Without descriptors to try all addresses with, nothing is known of the target. */
function mostTelling(errors: NodeJS.ErrnoException[]): Error | undefined {
  const exhausted = errors.find(({ code = "" }) => EXHAUSTED.has(code));
  return exhausted ?? errors.find(asProbeError) ?? errors[0];
}
