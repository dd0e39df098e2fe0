import type { Socket } from "node:net";
import { type Connection, connectionOf, openConnection, openSocket } from "./connection.ts";
import { assertValid, shakeHands } from "./handshake.ts";
import { type ProbeInput, since } from "./observe.ts";
import { asProbeError, isShortage } from "./probe-error.ts";

/** How long one address may take before the next one is tried beside it, in milliseconds (RFC 8305). */
const HEAD_START = 250;

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
export function dial(target: Target, attempt: ProbeInput): Promise<Connection> {
  return reach(target, attempt, openConnection);
}

/** The same with a socket on which TLS can be spoken. @throws like `dial` */
export function dialSocket(target: Target, attempt: ProbeInput): Promise<Socket> {
  return reach(target, attempt, openSocket);
}

/** Opens a connection that is secure: the certificate must be valid for the host. @throws like `dial` */
export async function dialTls(target: Target, attempt: ProbeInput): Promise<Connection> {
  const plain = await dialSocket(target, attempt);
  const start = performance.now();
  attempt.waitingFor = "TLS handshake";
  const { socket, error } = await shakeHands(plain, target.host, { oldVersions: false });
  if (error) throw error;
  attempt.phases.tls = since(start);
  assertValid(socket, target.host);
  return connectionOf(socket);
}

type Open<T> = (address: string, port: number, signal: AbortSignal) => Promise<T>;

async function reach<T>({ host, port }: Target, attempt: ProbeInput, open: Open<T>): Promise<T> {
  const { phases, network, timeout, signal } = attempt;
  let start = performance.now();
  attempt.waitingFor = "DNS answer";
  const addresses = await network.addressesOf(host, timeout);
  phases.resolve = since(start);
  start = performance.now();
  attempt.waitingFor = "connection";
  signal.throwIfAborted();
  const [address = ""] = addresses;
  attempt.address = address;
  // A race costs time, which would show in the latency.
  const opened =
    addresses.length === 1
      ? await open(address, port, signal)
      : await firstOf(addresses, attempt, (one, end) => open(one, port, end));
  phases.connect = since(start);
  return opened;
}

/**
 * The first of the connections that opens. They start one after the other, each with a head start, and all go on until
 * one of them opens: an address often answers only the second SYN, one second later. The others then end.
 */
function firstOf<T>(
  addresses: string[],
  attempt: ProbeInput,
  open: (address: string, end: AbortSignal) => Promise<T>,
): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const ends: AbortController[] = [];
  const errors: Error[] = [];
  let failed = 0;
  let isOver = false;
  let timer: Timer | undefined;

  function startNext(): void {
    clearTimeout(timer);
    const at = ends.length;
    const address = addresses[at];
    if (address === undefined) return;
    const end = new AbortController();
    ends.push(end);
    attempt.address = address;
    if (ends.length < addresses.length) timer = setTimeout(startNext, HEAD_START);
    open(address, end.signal).then(
      (opened) => {
        if (end.signal.aborted) return;
        attempt.address = address;
        stop(end);
        resolve(opened);
      },
      (error) => fail(at, error),
    );
  }

  function fail(at: number, error: Error): void {
    if (isOver) return;
    if (isShortage(error)) attempt.shortage ??= error;
    errors[at] = error;
    failed++;
    if (failed === addresses.length) reject(mostTelling(errors));
    else startNext();
  }

  /** @param kept goes on until the check ends */
  function stop(kept?: AbortController): void {
    isOver = true;
    clearTimeout(timer);
    for (const end of ends) if (end !== kept) end.abort();
  }

  attempt.signal.addEventListener("abort", () => stop(), { once: true });
  startNext();
  return promise;
}

function mostTelling(errors: Error[]): Error | undefined {
  return errors.find(asProbeError) ?? errors[0];
}
