import { isIP, type Socket } from "node:net";
import { connect as secure, type TLSSocket } from "node:tls";
import type { TlsFacts } from "../../domain/checks/tls-facts.ts";
import { asciiName } from "../dns/resolve.ts";
import type { Lifetime } from "../lifetime.ts";
import { asProbeError, failedHandshake, ProbeError } from "../probe-error.ts";
import { type Connection, nodeConnection } from "./connection.ts";
import { readTls } from "./tls-facts.ts";

/** @property host for which the certificate should be valid @property alpn the protocol to offer. Default: none */
export interface AskedTls {
  host: string;
  alpn?: string | undefined;
}

/** A connection that is open and is to use TLS. */
export interface Securing {
  /** @throws ProbeError `closed`, `reset`, `tls_failed`, `timeout`; any other error is a fault of this machine */
  shakeHands(): Promise<Secured>;
}

/** @property fault what is wrong with the certificate for the host, for example `CERT_HAS_EXPIRED` */
export interface Secured {
  connection: Connection;
  fault: string | undefined;
  tls: TlsFacts | undefined;
}

/** @property oldVersions whether TLS 1.0 and 1.1 will do @property alpn the protocol to offer */
export interface HandshakeOptions {
  oldVersions: boolean;
  alpn?: string | undefined;
}

/** The result of a TLS handshake. */
export interface Handshake {
  socket: TLSSocket;
  /** In DER. Present if the server proved that it holds the key, even if the handshake failed afterwards. */
  certificate: Buffer | undefined;
  /** Present with the certificate. */
  tls: TlsFacts | undefined;
  /** Undefined if the handshake succeeded, even if the certificate is not valid for the host. */
  error: ProbeError | undefined;
}

/**
 * Starts TLS on an open connection. The certificate is not verified here, so that the caller knows what is wrong with
 * it.
 *
 * @throws if a fault of this machine ended the handshake
 */
export async function shakeHands(plain: Socket, host: string, options: HandshakeOptions): Promise<Handshake> {
  try {
    return await handshakeOf(connectTls(plain, host, options));
  } catch (cause) {
    throw asHandshakeError(cause as Error) ?? cause;
  }
}

/** An open connection of `node:net` that is to use TLS. */
export class NodeTlsConnection implements Securing {
  constructor(
    private readonly plain: Socket,
    private readonly asked: AskedTls,
    private readonly lifetime: Lifetime,
  ) {}

  async shakeHands(): Promise<Secured> {
    const { host, alpn } = this.asked;
    const { socket, tls, error } = await shakeHands(this.plain, host, { oldVersions: false, alpn });
    if (error) throw error;
    return { connection: nodeConnection(socket, this.lifetime, this.plain), fault: faultOf(socket), tls };
  }
}

function connectTls(plain: Socket, host: string, { oldVersions, alpn }: HandshakeOptions): TLSSocket {
  const name = asciiName(host);
  // SNI must not contain an IP address, and `127.1` is one.
  const target = isIP(name) ? { host: name } : { servername: name };
  const version = oldVersions ? { minVersion: "TLSv1" as const } : {};
  const protocols = alpn === undefined ? {} : { ALPNProtocols: [alpn] };
  return secure({ socket: plain, ...target, ...version, ...protocols, rejectUnauthorized: false });
}

function handshakeOf(socket: TLSSocket): Promise<Handshake> {
  const { promise, resolve, reject } = Promise.withResolvers<Handshake>();
  let hasMasterSecret = false;
  // Must run inside the event handlers: a failed socket loses its certificate afterwards.
  const end = (error?: ProbeError) => {
    try {
      const isProved = !error || (hasMasterSecret && isKeySigned(socket));
      const certificate = isProved ? certificateOf(socket) : undefined;
      resolve({ socket, certificate, tls: certificate && tlsOf(socket), error });
    } catch (cause) {
      reject(cause);
    }
  };
  const fail = (cause: Error) => {
    const error = handshakeError(cause);
    if (error instanceof ProbeError) end(error);
    else reject(error);
  };
  // TLS 1.3 names its secrets differently: a handshake that fails there has proved nothing.
  socket.on("keylog", (line: Buffer) => {
    hasMasterSecret ||= line.toString("latin1").startsWith("CLIENT_RANDOM ");
  });
  socket.once("secureConnect", () => end());
  socket.on("error", fail);
  socket.once("close", () => fail(closed()));
  return promise;
}

/**
 * Whether the server signed its half of the key exchange. Up to TLS 1.2, the client verifies that signature before it
 * computes the master secret. A handshake that fails later, because the server requires a client certificate, has
 * therefore proved that the server holds the key of its certificate.
 */
function isKeySigned(socket: TLSSocket): boolean {
  return "type" in (socket.getEphemeralKeyInfo() ?? {});
}

function certificateOf(socket: TLSSocket): Buffer | undefined {
  // `getPeerCertificate` returns an empty object if there is no certificate.
  return socket.getPeerCertificate()?.raw;
}

function tlsOf(socket: TLSSocket): TlsFacts | undefined {
  return readTls({
    certificate: socket.getPeerX509Certificate(),
    cipher: socket.getCipher(),
    protocol: socket.getProtocol(),
    fault: faultOf(socket),
    issuer: () => socket.getPeerCertificate(true).issuerCertificate?.raw,
  });
}

function faultOf({ authorized, authorizationError }: TLSSocket): string | undefined {
  return authorized || !authorizationError ? undefined : String(authorizationError);
}

/** @returns the same error if it is a fault of this machine */
export function handshakeError(cause: Error): Error {
  return asClosed(cause) ?? asProbeError(cause) ?? asHandshakeError(cause) ?? cause;
}

/** Bun reports a connection that closes during a handshake with the code of a reset. */
function asClosed({ message }: Error): ProbeError | undefined {
  return message.startsWith("Client network socket disconnected") ? closed() : undefined;
}

/** Any other error on an open connection is caused by the server, except a system error such as `ENOBUFS`. */
function asHandshakeError({ code = "" }: NodeJS.ErrnoException): ProbeError | undefined {
  if (/^E[A-Z]+$/.test(code)) return undefined;
  return new ProbeError("tls_failed", failedHandshake(code));
}

export function closed(): ProbeError {
  return new ProbeError("closed", "the server closed the connection during the TLS handshake");
}
