import { X509Certificate } from "node:crypto";
import type { TLSSocket } from "node:tls";
import type { Certificate } from "../domain/checks/certificate.ts";
import type { Observation } from "../domain/checks/observation.ts";
import type { MonitorConfig } from "../domain/monitors/monitor.ts";
import { dialSocket } from "./connections/dial.ts";
import { shakeHands } from "./connections/handshake.ts";
import { validityOf } from "./connections/validity.ts";
import { observe, type ProbeInput, since } from "./observe.ts";
import { asProbeError, ProbeError } from "./probe-error.ts";

/**
 * Reads the certificate of a server, valid or not. Accepts old versions of TLS, and servers that then require a client
 * certificate. The latency is to the end of the handshake, name resolution included (behavior 1.38, 1.39).
 */
export function probeTls(
  { host, port, servername }: MonitorConfig<"TLS">,
  input: ProbeInput,
): Promise<Observation> {
  return observe(input, async (context) => {
    const plain = await dialSocket({ host, port }, context);
    const connected = performance.now();
    context.waitingFor = "TLS handshake";
    const { socket, certificate, tls, error } = await shakeHands(plain, servername ?? host, {
      oldVersions: true,
    });
    context.phases.tls = since(connected);
    context.tls = tls;
    if (!certificate) throw error ?? new Error("a TLS handshake succeeded without a certificate");
    return {
      outcome: "certified",
      latencyMs: since(context.start),
      certificate: describeCertificate(certificate, socket),
      detail: error ? { message: error.message } : {},
    };
  });
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

function oneLine(name: string | undefined): string {
  return (name ?? "").split("\n").join(", ");
}

/** @param text for example `DNS:example.com, IP Address:192.0.2.1` */
function namesIn(text: string | undefined): string[] {
  const names = (text ?? "").split(", ").map((entry) => /^(?:DNS|IP Address):(.+)/.exec(entry)?.[1]);
  return names.filter((name) => name !== undefined);
}
