import { isIP, type Socket } from "node:net";
import { invalidity } from "../../domain/checks/certificate.ts";
import type { Attempt } from "../../domain/evidence/evidence.ts";
import { outcomeOf } from "../check-facts.ts";
import type { IpFamily } from "../dns/resolve.ts";
import { Lifetime } from "../lifetime.ts";
import type { ProbeContext } from "../observe.ts";
import { since } from "../probe-clock.ts";
import { asProbeError, HostError, isShortage } from "../probe-error.ts";
import type { Connection } from "./connection.ts";
import type { Endpoint } from "./connector.ts";
import { type AskedTls, endOfCertificate, type Securing } from "./handshake.ts";

/** The head start of an address before the next one is tried in parallel, in milliseconds (RFC 8305). */
const HEAD_START = 250;

export interface Target {
  /** A host name or an IP address, without brackets. */
  host: string;
  port: number;
  /** The only version of IP to use. */
  family?: IpFamily | undefined;
  /** Whether the sockets are not counted before the check ends, because it opens several connections. */
  isOneOfSeveral?: boolean;
  /** The IP address, if an earlier request of the check has found it. */
  address?: string | undefined;
}

/**
 * Opens a connection: resolves the name and tries its addresses until one answers. The connection closes when the probe
 * ends.
 *
 * @throws ProbeError if the target is at fault; any other error is a fault of this machine
 */
export function dial(target: Target, context: ProbeContext): Promise<Connection> {
  const { connector } = context.network;
  return dialWith(target, context, (endpoint, lifetime) => connector.connect(endpoint, lifetime));
}

/** Opens a socket that `node:tls` can use. @throws like `dial` */
export function dialSocket(target: Target, context: ProbeContext): Promise<Socket> {
  const { connector } = context.network;
  return dialWith(target, context, (endpoint, lifetime) => connector.connectSocket(endpoint, lifetime));
}

/** @property verify whether the certificate of the server must be valid for the host. Default: true */
export interface TlsChoice extends Omit<AskedTls, "host"> {
  verify?: boolean | undefined;
}

/**
 * Opens a TLS connection.
 *
 * @throws like `dial`
 */
export async function dialTls(
  target: Target,
  context: ProbeContext,
  { verify, alpn, client }: TlsChoice = {},
): Promise<Connection> {
  const asked = { host: target.host, alpn, client };
  const { connector } = context.network;
  const securing = await dialWith(target, context, (endpoint, lifetime) =>
    connector.connectTls(endpoint, asked, lifetime),
  );
  return await secure(securing, context, { host: target.host, verify, client });
}

/** Shakes hands on an open connection. @throws like `dial` */
export async function secure(
  securing: Securing,
  context: ProbeContext,
  { host, verify = true, client }: TlsChoice & { host: string },
): Promise<Connection> {
  const start = performance.now();
  context.waitingFor = "TLS handshake";
  const { connection, fault, tls, shown } = await securing.shakeHands();
  context.phases.tls = since(start);
  context.handshake = shown;
  // A redirect leads to another host than the URL has.
  context.tls ??= tls && client ? { ...tls, client: { validTo: endOfCertificate(client) } } : tls;
  if (verify && fault !== undefined) throw invalid(host, fault);
  return connection;
}

function invalid(host: string, fault: string): HostError {
  return new HostError("tls_invalid", host, (name) => invalidity(name, fault));
}

type Open<T> = (endpoint: Endpoint, lifetime: Lifetime) => Promise<T>;

async function dialWith<T>(target: Target, context: ProbeContext, open: Open<T>): Promise<T> {
  const { port } = target;
  const addresses = target.address === undefined ? await resolveTarget(target, context) : [target.address];
  const start = performance.now();
  context.waitingFor = "connection";
  const opened = await openAny(addresses, context, (address, lifetime) => open({ address, port }, lifetime));
  context.phases.connect = since(start);
  return opened;
}

/** @returns the addresses of a host in the order in which they are to be tried @throws like `dial` */
export async function resolveTarget(target: Omit<Target, "port">, context: ProbeContext): Promise<string[]> {
  const { phases, lifetime } = context;
  const isFirst = phases.resolve === undefined && !context.isLaterStep;
  // The name of the first host may have been resolved before this probe.
  const start = isFirst ? context.start : performance.now();
  context.waitingFor = "DNS answer";
  context.beginHost(start);
  const found = addressesOf(target, context);
  const addresses = Array.isArray(found) ? found : await found;
  phases.resolve = since(start);
  if (isFirst && !context.isPart && !isIP(target.host)) context.told = addresses;
  lifetime.assertOngoing();
  return addresses;
}

/**
 * Gives the first address that opens: see `openFirst`.
 *
 * @param open at one address, until the end of a lifetime
 * @throws the error of the address that says most
 */
export function openAny<T>(
  addresses: string[],
  context: ProbeContext,
  open: (address: string, lifetime: Lifetime) => Promise<T>,
): Promise<T> {
  const [address = ""] = addresses;
  context.address = address;
  // A race takes time, which would show in the latency.
  return addresses.length === 1 ? open(address, context.lifetime) : openFirst(addresses, context, open);
}

function addressesOf(
  { host, family, isOneOfSeveral }: Omit<Target, "port">,
  context: ProbeContext,
): string[] | Promise<string[]> {
  const { network, timeout } = context;
  if (family === undefined && !isOneOfSeveral) return network.addressesOf(host, timeout, context);
  return network.resolve(host, { timeout, family, listener: context });
}

/**
 * Gives the first connection that opens. The attempts start one after another, each with a head start. All continue
 * until one succeeds, because an address often answers only the second SYN, one second later. Then the others
 * are closed.
 */
function openFirst<T>(
  addresses: string[],
  context: ProbeContext,
  open: (address: string, end: Lifetime) => Promise<T>,
): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const ends: Lifetime[] = [];
  const errors: Error[] = [];
  let failed = 0;
  let isOver = false;
  let timer: Timer | undefined;
  context.attempts = () =>
    ends.flatMap((end, at): Attempt[] => {
      const [address = "", error] = [addresses[at], errors[at]];
      if (error) return [{ address, outcome: outcomeOf(error) }];
      if (isOver) return end.isOver ? [] : [{ address, outcome: "open" }];
      return [{ address, outcome: "timeout" }];
    });

  function startNext(): void {
    clearTimeout(timer);
    const at = ends.length;
    const address = addresses[at];
    if (address === undefined) return;
    const end = new Lifetime();
    ends.push(end);
    context.address = address;
    if (ends.length < addresses.length) timer = setTimeout(startNext, HEAD_START);
    open(address, end).then(
      (opened) => {
        if (end.isOver) return;
        context.address = address;
        stop(end);
        resolve(opened);
      },
      (error) => fail(at, error),
    );
  }

  function fail(at: number, error: Error): void {
    if (isOver) return;
    if (isShortage(error)) context.shortage ??= error;
    errors[at] = error;
    failed++;
    if (failed === addresses.length) reject(mostInformative(errors));
    else startNext();
  }

  /** @param winner stays open until the probe ends */
  function stop(winner?: Lifetime): void {
    isOver = true;
    clearTimeout(timer);
    for (const end of ends) if (end !== winner) end.close();
  }

  context.lifetime.add({ close: () => stop() });
  startNext();
  return promise;
}

/** An answer of one address, such as a refused connection, says more than that another one can't be reached. */
function mostInformative(errors: Error[]): Error | undefined {
  const isAnswer = (error: Error) => (asProbeError(error)?.reason ?? "unreachable") !== "unreachable";
  return errors.find(isAnswer) ?? errors.find(asProbeError) ?? errors[0];
}
