import { isIP, type Socket } from "node:net";
import { connect as secure, type TLSSocket } from "node:tls";
import { faultWords } from "../domain/checks/certificate.ts";
import { asProbeError, ProbeError } from "./probe-error.ts";
import { asciiName } from "./resolve.ts";

/** What became of a TLS handshake. */
export interface Handshake {
  socket: TLSSocket;
  /** In DER. Known if the server proved that it holds the key, even if the handshake failed afterwards. */
  certificate: Buffer | undefined;
  /** Undefined where it succeeded, whether or not the certificate is valid for the host. */
  error: ProbeError | undefined;
}

/**
 * Speaks TLS on an open connection. The certificate is not judged here, so that the reason is known to whoever does.
 *
 * @throws where it failed for a reason of ours
 */
export async function shakeHands(
  plain: Socket,
  host: string,
  { oldVersions }: { oldVersions: boolean },
): Promise<Handshake> {
  try {
    return await handshakeOf(connectTls(plain, host, { oldVersions }));
  } catch (cause) {
    throw unexplained(cause as Error) ?? cause;
  }
}

function connectTls(plain: Socket, host: string, { oldVersions }: { oldVersions: boolean }): TLSSocket {
  const name = asciiName(host);
  // `127.1` is an address too, and no address may be a server name.
  const target = isIP(name) ? { host: name } : { servername: name };
  const version = oldVersions ? { minVersion: "TLSv1" as const } : {};
  return secure({ socket: plain, ...target, ...version, rejectUnauthorized: false });
}

function handshakeOf(socket: TLSSocket): Promise<Handshake> {
  const { promise, resolve, reject } = Promise.withResolvers<Handshake>();
  let hasMasterSecret = false;
  // Read within the events: afterwards a socket that failed no longer knows.
  const end = (error?: ProbeError) => {
    try {
      const isProved = !error || (hasMasterSecret && isKeySigned(socket));
      resolve({ socket, certificate: isProved ? certificateOf(socket) : undefined, error });
    } catch (cause) {
      reject(cause);
    }
  };
  const fail = (cause: Error) => {
    const error = hungUp(cause) ?? asProbeError(cause) ?? unexplained(cause);
    if (error) end(error);
    else reject(cause);
  };
  // TLS 1.3 names its secrets otherwise, and a handshake that fails in it has proved nothing.
  socket.on("keylog", (line: Buffer) => {
    hasMasterSecret ||= line.toString("latin1").startsWith("CLIENT_RANDOM ");
  });
  socket.once("secureConnect", () => end());
  socket.on("error", fail);
  socket.once("close", () => fail(closed()));
  return promise;
}

/**
 * Whether the server signed its half of the key exchange. Up to TLS 1.2 the client verifies that signature before it
 * computes the master secret: a handshake that fails later, because the server wants a client certificate, has proved
 * that the server holds the key of its certificate.
 */
function isKeySigned(socket: TLSSocket): boolean {
  return "type" in (socket.getEphemeralKeyInfo() ?? {});
}

function certificateOf(socket: TLSSocket): Buffer | undefined {
  // An empty object where there is none.
  return socket.getPeerCertificate()?.raw;
}

/** Bun gives the end of a connection during a handshake the code of a reset. */
function hungUp({ message }: Error): ProbeError | undefined {
  return message.startsWith("Client network socket disconnected") ? closed() : undefined;
}

/** What else fails on an open connection is the server's doing, except an error of the system such as `ENOBUFS`. */
function unexplained({ message, code = "" }: NodeJS.ErrnoException): ProbeError | undefined {
  if (/^E[A-Z]+$/.test(code)) return undefined;
  return new ProbeError("tls_failed", `the TLS handshake failed: ${code || message}`);
}

function closed(): ProbeError {
  return new ProbeError("closed", "the server hung up during the TLS handshake");
}

/** @throws ProbeError `tls_invalid` where the certificate is not valid for the host */
export function assertValid({ authorized, authorizationError }: TLSSocket, host: string): void {
  if (authorized) return;
  const words = faultWords(String(authorizationError));
  throw new ProbeError("tls_invalid", `the certificate is not valid for ${host}: ${words}`);
}
