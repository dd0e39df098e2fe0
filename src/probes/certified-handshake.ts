import { X509Certificate } from "node:crypto";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { Certificate } from "../domain/checks/certificate.ts";
import { type HandshakeOptions, shakeHands, validityOf } from "./connections/handshake.ts";
import { namesIn, oneLine } from "./connections/tls-evidence.ts";
import type { ProbeContext } from "./observe.ts";
import { since } from "./probe-clock.ts";
import { asProbeError, ProbeError } from "./probe-error.ts";

/** @property error why the handshake failed after the server had proved its certificate */
interface Certified {
  socket: TLSSocket;
  certificate: Certificate;
  error: ProbeError | undefined;
}

/**
 * Starts TLS on an open connection, and reads the certificate of the server, valid or not.
 *
 * @param host for which it should be valid
 * @throws ProbeError if there is none; any other error is a fault of this machine
 */
export async function certifiedHandshake(
  plain: Socket,
  host: string,
  { context, ...options }: HandshakeOptions & { context: ProbeContext },
): Promise<Certified> {
  const start = performance.now();
  context.waitingFor = "TLS handshake";
  const { socket, certificate, tls, shown, error } = await shakeHands(plain, host, options);
  context.phases.tls = since(start);
  context.tls = tls;
  context.handshake = shown;
  if (!certificate) throw error ?? new Error("a TLS handshake succeeded without a certificate");
  return { socket, certificate: describeCertificate(certificate, socket), error };
}

/** @throws ProbeError `tls_failed` if the certificate is malformed */
export function describeCertificate(
  der: Buffer,
  socket: Pick<TLSSocket, "authorized" | "authorizationError" | "getProtocol">,
): Certificate {
  const { authorized, authorizationError } = socket;
  const { x509, validFrom, validTo } = readCertificate(der);
  return {
    authorized,
    authorizationError: authorizationError ? String(authorizationError) : null,
    subject: oneLine(x509.subject),
    issuer: oneLine(x509.issuer),
    names: namesIn(x509.subjectAltName),
    validFrom: validFrom.toISOString(),
    validTo: validTo.toISOString(),
    fingerprint: x509.fingerprint256,
    protocol: socket.getProtocol(),
  };
}

/** @throws ProbeError `tls_failed` if the certificate is malformed, which is the fault of the server */
function readCertificate(der: Buffer): { x509: X509Certificate; validFrom: Date; validTo: Date } {
  try {
    return { x509: new X509Certificate(der), ...validityOf(der) };
  } catch (error) {
    throw asProbeError(error) ?? new ProbeError("tls_failed", "the certificate is malformed");
  }
}
