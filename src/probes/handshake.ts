import { isIP, type Socket } from "node:net";
import { connect as secure, type TLSSocket } from "node:tls";
import { faultWords } from "../domain/certificate.ts";
import { asProbeError, ProbeError } from "./probe-error.ts";
import { asciiName } from "./resolve.ts";

/** What became of a TLS handshake. The server's certificate may be known even where it failed. */
export interface Handshake {
  socket: TLSSocket;
  /** In DER. */
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
  const { promise, resolve, reject } = Promise.withResolvers<Handshake>();
  const name = isIP(host) ? { host } : { servername: asciiName(host) };
  const version = oldVersions ? { minVersion: "TLSv1" as const } : {};
  const socket = secure({ socket: plain, ...name, ...version, rejectUnauthorized: false });
  // Read within the events: afterwards a socket that failed no longer knows.
  const end = (error?: ProbeError) => resolve({ socket, certificate: certificateOf(socket), error });
  const fail = (cause: Error) => {
    const error = hungUp(cause) ?? asProbeError(cause);
    if (error) end(error);
    else reject(cause);
  };
  socket.once("secureConnect", () => end());
  socket.on("error", fail);
  socket.once("close", () => fail(closed()));
  return promise;
}

function certificateOf(socket: TLSSocket): Buffer | undefined {
  // An empty object where there is none.
  return socket.getPeerCertificate()?.raw;
}

/** Bun gives the end of a connection during a handshake the code of a reset. */
function hungUp({ message }: Error): ProbeError | undefined {
  return message.startsWith("Client network socket disconnected") ? closed() : undefined;
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
