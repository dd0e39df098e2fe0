import type { Observation } from "../domain/checks/observation.ts";
import { dial, dialTls } from "./connections/dial.ts";
import { probeExchange } from "./http/exchange.ts";
import { targetOf } from "./http/request.ts";
import { readStatusLine } from "./http/status-line.ts";
import { observe, type ProbeInput, since } from "./observe.ts";
import type { CheckConfig } from "./probe-messages.ts";

const PLAIN = new Set(["url", "interval", "timeout"]);

/**
 * Sends one GET on a new connection and reads the status line of the response. Any status code counts as reached. The
 * latency is from the start, name resolution included, to the end of that line (behavior 1.29). A config that asks for
 * more is another probe.
 */
export function probeHttp(config: CheckConfig<"HTTP">, input: ProbeInput): Promise<Observation> {
  if (!isPlain(config)) return probeExchange(config, input);
  return observe(input, async (context) => {
    const url = new URL(config.url);
    const { target, secure } = targetOf(url);
    const start = performance.now();
    const connection = await (secure ? dialTls : dial)(target, context);
    const connected = performance.now();
    context.waitingFor = "answer";
    connection.write(requestText(url));
    const { statusCode } = await readStatusLine(connection);
    context.phases.firstByte = since(connected);
    return { outcome: "reached", latencyMs: since(start), detail: { statusCode } };
  });
}

function isPlain(config: CheckConfig<"HTTP">): boolean {
  return Object.keys(config).every((field) => PLAIN.has(field));
}

function requestText(url: URL): string {
  const lines = [
    `GET ${url.pathname}${url.search} HTTP/1.1`,
    `Host: ${url.host}`,
    "User-Agent: stillup",
    "Accept: */*",
    "Connection: close",
  ];
  return `${lines.join("\r\n")}\r\n\r\n`;
}
