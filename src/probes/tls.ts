import { isIP } from "node:net";
import type { Certificate } from "../domain/checks/certificate.ts";
import type { Observation } from "../domain/checks/observation.ts";
import type { MonitorConfig } from "../domain/monitors/monitor.ts";
import { certifiedHandshake } from "./certified-handshake.ts";
import { partFrom } from "./connections/connection.ts";
import { dialSocket } from "./connections/dial.ts";
import { asciiName } from "./dns/resolve.ts";
import { requestTls } from "./greetings/probe-greeting.ts";
import { PROTOCOLS } from "./greetings/protocols.ts";
import { observe, type ProbeInput } from "./observe.ts";
import { since } from "./probe-clock.ts";

/**
 * Reads the certificate of a server, valid or not. Accepts old versions of TLS, and servers that then require a client
 * certificate. The latency is to the end of the handshake, name resolution included (behavior 1.38, 1.39).
 */
export function probeTls(
  { host, port, servername = host, protocol }: MonitorConfig<"TLS">,
  input: ProbeInput,
): Promise<Observation> {
  return observe(input, async (context) => {
    const plain = await dialSocket({ host, port }, context);
    if (protocol !== undefined) await requestTls(protocol, plain, context);
    const { socket, certificate, error } = await certifiedHandshake(plain, servername, {
      context,
      oldVersions: true,
    });
    const latencyMs = since(context.start);
    // With TLS 1.3, the handshake has not ended for the server yet.
    if (!error) partFrom(socket, (protocol && PROTOCOLS[protocol].goodbye) ?? "", plain);
    return {
      outcome: "certified",
      latencyMs,
      certificate: withNameFault(certificate, servername),
      detail: error ? { message: error.message } : {},
    };
  });
}

/**
 * A certificate that TLS libraries accept and today's clients do not (RFC 9525, 6.3): its name is only in the subject, or it has a
 * wildcard for a part of a label, such as `w*.example.com`.
 */
function withNameFault(certificate: Certificate, host: string): Certificate {
  const name = asciiName(host).toLowerCase();
  if (!certificate.authorized || isIP(name) || certificate.names.some((one) => covers(one, name)))
    return certificate;
  return { ...certificate, authorized: false, authorizationError: "ERR_TLS_CERT_ALTNAME_INVALID" };
}

function covers(pattern: string, name: string): boolean {
  const named = pattern.toLowerCase();
  if (!named.startsWith("*.")) return named === name;
  const dot = name.indexOf(".");
  return dot > 0 && name.slice(dot) === named.slice(1);
}
