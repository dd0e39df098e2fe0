import type { Observation } from "../domain/checks/observation.ts";
import type { MonitorConfig } from "../domain/monitors/monitor.ts";
import type { Connection } from "./connections/connection.ts";
import { dial, dialTls, type Target } from "./connections/dial.ts";
import { observe, type ProbeInput, since } from "./observe.ts";
import { ProbeError } from "./probe-error.ts";

/** Maximum length of a status line, in bytes. */
const LONGEST_LINE = 8192;

/**
 * Sends one GET on a new connection and reads the status line of the response. Any status code counts as reached. The
 * latency is from the start, name resolution included, to the end of that line (behavior 1.29).
 */
export function probeHttp({ url }: MonitorConfig<"HTTP">, input: ProbeInput): Promise<Observation> {
  return observe(input, async (context) => {
    const { target, secure, request } = requestFor(new URL(url));
    const start = performance.now();
    const connection = await (secure ? dialTls : dial)(target, context);
    const connected = performance.now();
    context.waitingFor = "answer";
    connection.write(request);
    const line = await readStatusLine(connection);
    context.phases.firstByte = since(connected);
    return { outcome: "reached", latencyMs: since(start), detail: { statusCode: statusCode(line) } };
  });
}

function requestFor(url: URL): { target: Target; secure: boolean; request: string } {
  const secure = url.protocol === "https:";
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const lines = [
    `GET ${url.pathname}${url.search} HTTP/1.1`,
    `Host: ${url.host}`,
    "User-Agent: stillup",
    "Accept: */*",
    "Connection: close",
  ];
  return {
    target: { host, port: url.port === "" ? (secure ? 443 : 80) : Number(url.port) },
    secure,
    request: `${lines.join("\r\n")}\r\n\r\n`,
  };
}

/** @throws ProbeError if the server closes the connection before the line is complete, or the line is not HTTP */
async function readStatusLine(connection: Connection): Promise<string> {
  let read = "";
  for (;;) {
    const more = await connection.read();
    if (more === undefined) throw read ? notHttp(read) : closed();
    read += more;
    const end = read.indexOf("\n");
    if (end >= 0) return read.slice(0, end).trimEnd();
    if (!canBeStatusLine(read) || read.length > LONGEST_LINE) throw notHttp(read);
  }
}

function statusCode(line: string): number {
  const [, code] = /^HTTP\/\d\.\d (\d{3})\b/.exec(line) ?? [];
  if (code === undefined) throw notHttp(line);
  return Number(code);
}

/** Whether the text read so far can become a status line. If it cannot, the probe fails early. */
function canBeStatusLine(read: string): boolean {
  return read.startsWith("HTTP/".slice(0, read.length));
}

function closed(): ProbeError {
  return new ProbeError("closed", "the server closed the connection before it answered");
}

function notHttp(read: string): ProbeError {
  return new ProbeError("not_http", `the answer is not HTTP: ${JSON.stringify(read.slice(0, 80))}`);
}
