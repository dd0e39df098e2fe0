import type { Observation } from "../domain/checks/observation.ts";
import type { ConnectionConfig } from "../domain/monitors/kinds/tcp.ts";
import type { MonitorConfig } from "../domain/monitors/monitor.ts";
import { type Connection, readMore } from "./connections/connection.ts";
import { dial } from "./connections/dial.ts";
import { probeGreeting } from "./greetings/probe-greeting.ts";
import { observe, type ProbeInput } from "./observe.ts";
import { probePing } from "./ping.ts";
import { since } from "./probe-clock.ts";
import { ProbeError } from "./probe-error.ts";

/** How much a server may send before the expected text, in bytes. */
const MAX_READ = 64 * 1024;

/** Speaks the protocol of the config; without one, an open connection is enough. */
export function probeTcp(config: MonitorConfig<"TCP">, input: ProbeInput): Promise<Observation> {
  if (config.protocol === undefined) return probeConnection(config, input);
  if (config.protocol === "icmp") return probePing(config, input);
  return probeGreeting(config, input);
}

/**
 * Opens a connection and closes it. If the config says so, sends a text, and waits for another one. The latency is from
 * the start, name resolution included, to the open connection (behavior 1.32).
 */
function probeConnection(
  { host, port, send, contains }: ConnectionConfig,
  input: ProbeInput,
): Promise<Observation> {
  return observe(input, async (context) => {
    const connection = await dial({ host, port }, context);
    const latencyMs = since(context.start);
    if (send !== undefined) connection.write(send);
    if (contains !== undefined) {
      context.waitingFor = "expected text";
      context.conversation = connection;
      await readUntil(connection, contains);
    }
    return { outcome: "reached", latencyMs, detail: {} };
  });
}

/** @throws ProbeError `closed` if the connection ends first, `unexpected` if much else arrives; the message has no text of the server */
async function readUntil(connection: Connection, text: string): Promise<void> {
  // A connection reads one character for each byte.
  const wanted = Buffer.from(text).toString("latin1");
  // The end of what was read, which may be the start of the text.
  let tail = "";
  for (let left = MAX_READ; left > 0; ) {
    const more = await readMore(connection);
    if (more === undefined) {
      throw new ProbeError("closed", `the server closed the connection before it sent "${text}"`);
    }
    const searched = tail + more.slice(0, left);
    if (searched.includes(wanted)) return;
    left -= more.length;
    tail = searched.slice(Math.max(0, searched.length - wanted.length + 1));
  }
  throw new ProbeError("unexpected", `the first ${MAX_READ / 1024} KiB lack "${text}"`);
}
