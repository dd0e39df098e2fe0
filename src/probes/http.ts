import type { Observation } from "../domain/checks/observation.ts";
import type { MonitorConfig } from "../domain/monitors/monitor.ts";
import type { Connection } from "./connection.ts";
import { dial, dialTls, type Target } from "./dial.ts";
import { observe, type ProbeContext, since } from "./observe.ts";
import { ProbeError } from "./probe-error.ts";

/** More than any status line has. */
const LONGEST_LINE = 8192;

/**
 * Sends one GET on a fresh connection and reads the first line of the answer, whatever its status code. The latency is
 * from the start of the connection, name resolution included, to that line (decisions 3).
 */
export function probeHttp({ url }: MonitorConfig<"HTTP">, conditions: ProbeContext): Promise<Observation> {
  return observe(conditions, async (attempt) => {
    const { target, secure, request } = requestFor(new URL(url));
    const start = performance.now();
    const connection = await (secure ? dialTls : dial)(target, attempt);
    const connected = performance.now();
    attempt.waitingFor = "answer";
    connection.write(request);
    const line = await firstLine(connection);
    attempt.phases.firstByte = since(connected);
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

/** @throws ProbeError where the server closes before its first line is complete */
async function firstLine(connection: Connection): Promise<string> {
  let read = "";
  for (;;) {
    const more = await connection.read();
    if (more === undefined) throw read ? notHttp(read) : closed();
    read += more;
    const end = read.indexOf("\n");
    if (end >= 0) return read.slice(0, end).trimEnd();
    if (!isBeginning(read) || read.length > LONGEST_LINE) throw notHttp(read);
  }
}

function statusCode(line: string): number {
  const [, code] = /^HTTP\/\d\.\d (\d{3})\b/.exec(line) ?? [];
  if (code === undefined) throw notHttp(line);
  return Number(code);
}

/** Whether what was read so far may become a line of HTTP: what can't is not waited for. */
function isBeginning(read: string): boolean {
  return read.startsWith("HTTP/".slice(0, read.length));
}

function closed(): ProbeError {
  return new ProbeError("closed", "the server closed the connection before it answered");
}

function notHttp(read: string): ProbeError {
  return new ProbeError("not_http", `the answer is not HTTP: ${JSON.stringify(read.slice(0, 80))}`);
}
