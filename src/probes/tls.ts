import type { Observation } from "../domain/checks/observation.ts";
import type { MonitorConfig } from "../domain/monitors/monitor.ts";
import { certifiedHandshake } from "./certified-handshake.ts";
import { dialSocket } from "./connections/dial.ts";
import { requestTls } from "./greetings/request-tls.ts";
import { observe, type ProbeInput, since } from "./observe.ts";

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
    const { certificate, error } = await certifiedHandshake(plain, servername, {
      context,
      oldVersions: true,
    });
    return {
      outcome: "certified",
      latencyMs: since(context.start),
      certificate,
      detail: error ? { message: error.message } : {},
    };
  });
}
