import { X509Certificate } from "node:crypto";
import type { TLSSocket } from "node:tls";
import type { Certificate } from "../domain/checks/certificate.ts";
import type { Observation } from "../domain/checks/observation.ts";
import type { MonitorConfig } from "../domain/monitors/monitor.ts";
import { dialSocket } from "./dial.ts";
import { shakeHands } from "./handshake.ts";
import { observe, type ProbeContext, since } from "./observe.ts";
import { asProbeError, ProbeError } from "./probe-error.ts";
import { validityOf } from "./validity.ts";

/**
 * Looks at the certificate that a server shows, valid or not, in old versions of TLS too, and even if the server then
 * wants a client certificate. The latency is to the end of the handshake, name resolution included.
 */
export function probeTls(
  { host, port }: MonitorConfig<"TLS">,
  conditions: ProbeContext,
): Promise<Observation> {
  return observe(conditions, async (attempt) => {
    const start = performance.now();
    const plain = await dialSocket({ host, port }, attempt);
    const connected = performance.now();
    attempt.waitingFor = "TLS handshake";
    const { socket, certificate, error } = await shakeHands(plain, host, { oldVersions: true });
    attempt.phases.tls = since(connected);
    if (!certificate) throw error ?? new Error("a TLS handshake succeeded without a certificate");
    return {
      outcome: "certified",
      latencyMs: since(start),
      certificate: facts(certificate, socket),
      detail: error ? { message: error.message } : {},
    };
  });
}

function facts(der: Buffer, socket: TLSSocket): Certificate {
  const { authorized, authorizationError } = socket;
  const { shown, validFrom, validTo } = readCertificate(der);
  return {
    authorized,
    authorizationError: authorizationError ? String(authorizationError) : null,
    subject: oneLine(shown.subject),
    issuer: oneLine(shown.issuer),
    names: namesIn(shown.subjectAltName),
    validFrom: validFrom.toISOString(),
    validTo: validTo.toISOString(),
    fingerprint: shown.fingerprint256,
    protocol: socket.getProtocol(),
  };
}

/** @throws ProbeError `tls_failed`: that it can't be read is the server's doing */
function readCertificate(der: Buffer): { shown: X509Certificate; validFrom: Date; validTo: Date } {
  try {
    return { shown: new X509Certificate(der), ...validityOf(der) };
  } catch (error) {
    throw asProbeError(error) ?? new ProbeError("tls_failed", "the certificate can't be read");
  }
}

function oneLine(name: string | undefined): string {
  return (name ?? "").split("\n").join(", ");
}

/** @param text such as `DNS:example.com, IP Address:192.0.2.1` */
function namesIn(text: string | undefined): string[] {
  const names = (text ?? "").split(", ").map((entry) => /^(?:DNS|IP Address):(.+)/.exec(entry)?.[1]);
  return names.filter((name) => name !== undefined);
}
