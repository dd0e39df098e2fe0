import { connect, isIP, type Socket } from "node:net";
import { connect as secure } from "node:tls";
import { type Attempt, since } from "./observe.ts";
import { asProbeError, ProbeError } from "./probe-error.ts";
import { resolve } from "./resolve.ts";

/** How long one address may take before the next one is tried beside it, in milliseconds (RFC 8305). */
const HEAD_START = 250;

export interface Target {
  /** A host name or an IP address, without brackets. */
  host: string;
  port: number;
  /** Whether to speak TLS, with a certificate that must be valid for the host. */
  tls: boolean;
}

/**
 * Opens a connection: resolves the name, tries its addresses until one answers, and starts TLS where it is asked for.
 * The socket closes when the attempt ends.
 *
 * @throws ProbeError; anything else is a fault of ours
 */
export async function dial({ host, port, tls }: Target, attempt: Attempt): Promise<Socket> {
  const { phases } = attempt;
  let start = performance.now();
  const addresses = await resolve(host);
  phases.resolve = since(start);
  start = performance.now();
  const socket = await connectToAny(addresses, port, attempt);
  phases.connect = since(start);
  if (!tls) return socket;
  start = performance.now();
  const secured = await startTls(socket, host);
  phases.tls = since(start);
  return secured;
}

/** The first of the connections that opens; they start one after the other, each with a head start. */
async function connectToAny(addresses: string[], port: number, attempt: Attempt): Promise<Socket> {
  const connections: Promise<Socket>[] = [];
  for (const address of addresses) {
    const connection = open(address, port, attempt);
    connections.push(connection);
    if (connections.length === addresses.length) break;
    const opened = await Promise.race([connection.catch(() => undefined), Bun.sleep(HEAD_START)]);
    if (opened) return opened;
  }
  const results = await Promise.any(connections).catch((error: AggregateError) => error);
  if (results instanceof AggregateError) throw results.errors.find(asProbeError) ?? results.errors[0];
  return results;
}

function open(address: string, port: number, attempt: Attempt): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const socket = connect({ host: address, port });
  attempt.address = address;
  attempt.signal.addEventListener("abort", () => socket.destroy(), { once: true });
  socket.on("error", reject);
  socket.once("connect", () => {
    attempt.address = address;
    resolve(socket);
  });
  return promise;
}

async function startTls(socket: Socket, host: string): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const name = isIP(host) ? { host } : { servername: host };
  // Judged below instead, so that the reason is known.
  const secured = secure({ socket, ...name, rejectUnauthorized: false });
  secured.once("secureConnect", resolve);
  secured.on("error", reject);
  await promise.catch((error) => {
    throw asProbeError(error) ?? new ProbeError("tls_failed", `the TLS handshake failed: ${error.code}`);
  });
  if (secured.authorized) return secured;
  throw new ProbeError(
    "tls_invalid",
    `the certificate is not valid for ${host}: ${secured.authorizationError}`,
  );
}
