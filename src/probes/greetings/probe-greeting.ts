import { invalidity } from "../../domain/checks/certificate.ts";
import type { Observation } from "../../domain/checks/observation.ts";
import type { GreetingConfig, GreetingProtocol } from "../../domain/monitors/tcp-config.ts";
import { certifiedHandshake } from "../certified-handshake.ts";
import { type Connection, nodeConnection } from "../connections/connection.ts";
import { dial, dialSocket } from "../connections/dial.ts";
import { observe, type ProbeContext, type ProbeInput, type Seen, since } from "../observe.ts";
import { ProbeError } from "../probe-error.ts";
import { PROTOCOLS } from "./protocols.ts";
import { requestTls } from "./request-tls.ts";
import { Talk } from "./talk.ts";

/**
 * Opens a connection, and reads the greeting of a server, over TLS if the config says so. Never signs in. The latency is to the
 * open connection (behavior 20.10, 20.13).
 */
export function probeGreeting(config: GreetingConfig, input: ProbeInput): Promise<Observation> {
  const isPlain = config.tls === undefined || config.tls === "none";
  return observe(input, (context) =>
    isPlain ? greetPlain(config, context) : greetSecurely(config, context),
  );
}

async function greetPlain({ host, port, protocol }: GreetingConfig, context: ProbeContext): Promise<Seen> {
  const connection = await dial({ host, port }, context);
  const latencyMs = since(context.start);
  await greet(connection, protocol, context);
  return { outcome: "reached", latencyMs, detail: {} };
}

async function greetSecurely(config: GreetingConfig, context: ProbeContext): Promise<Seen> {
  const { host, port, protocol, tls, verifyTls = true, servername = host } = config;
  const plain = await dialSocket({ host, port }, context);
  const latencyMs = since(context.start);
  if (config.tls === "starttls") await requestTls(config.protocol, plain, context);
  const { alpn, goodbye = "" } = PROTOCOLS[protocol];
  const { socket, certificate, error } = await certifiedHandshake(plain, servername, {
    context,
    oldVersions: false,
    alpn,
  });
  if (error) throw error;
  const connection = nodeConnection(socket, context.lifetime, plain);
  // A server that chose the name of the protocol has shown that it speaks it, and waits for a sign-in.
  const hasShown = tls === "starttls" || (alpn !== undefined && socket.alpnProtocol === alpn);
  const isTrusted = !verifyTls || certificate.authorized;
  if (hasShown || !isTrusted) connection.leave(hasShown ? goodbye : "");
  if (!isTrusted)
    throw new ProbeError("tls_invalid", invalidity(servername, certificate.authorizationError), {
      certificate,
    });
  if (!hasShown) await greet(connection, protocol, context);
  return { outcome: "reached", latencyMs, certificate, detail: {} };
}

async function greet(
  connection: Connection,
  protocol: GreetingProtocol,
  context: ProbeContext,
): Promise<void> {
  const talk = new Talk(connection, PROTOCOLS[protocol]);
  context.waitingFor = "greeting";
  try {
    await PROTOCOLS[protocol].greet(talk);
  } finally {
    talk.leave();
  }
}
