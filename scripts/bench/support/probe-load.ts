/**
 * Runs checks in this thread with the runner of the probe thread, or bare connections for comparison, and prints the
 * number of checks and the processor time of the thread and of the process, as JSON.
 *
 * probe-load.ts ORDER
 */
import { readFileSync } from "node:fs";
import { createNetwork } from "../../../src/probes/connections/network.ts";
import { createProbeRunner } from "../../../src/probes/probe-runner.ts";
import type { Check, CheckConfig, CheckReport } from "../../../src/probes/probe-thread.ts";

/** Addresses of 127.0.0.0/8, because one address runs out of ports after 28,000 connections within a minute. */
const ADDRESSES = 64;
/** How many checks run at once if there is no rate. */
const AT_ONCE = 50;
const TIMEOUT = 10_000;
const WARM_UP = 3000;

/**
 * @property kind of checks; `bare` and `bareTls` are connections without a check
 * @property port of the target @property rate checks a second. Default: as many as run
 * @property config in addition @property host Default: addresses of this machine @property dns port of the server that knows it
 */
export interface ProbeOrder {
  kind: "HTTP" | "HTTPS" | "TCP" | "TLS" | "DNS" | "bare" | "bareTls";
  port: number;
  config?: Partial<CheckConfig<"HTTP">>;
  host?: string;
  dns?: number;
  seconds: number;
  rate?: number;
}

/** @property thread microseconds of processor time of the thread for one check @property all of the whole process */
export interface ProbeCost {
  checks: number;
  perSecond: number;
  thread: number;
  all: number;
  outcomes: Record<string, number>;
}

/** A connection, a request and the first data of the answer. */
const bare: Bun.SocketHandler = {
  open: (socket) => void socket.write("GET /0 HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"),
  data(socket, chunk) {
    if (chunk.toString("latin1", 0, 5) !== "HTTP/") throw new Error("no answer");
    socket.end();
    end("reached");
  },
};

const [text = ""] = process.argv.slice(2);
const order = JSON.parse(text) as ProbeOrder;
const { kind, port, rate, config: more = {}, dns } = order;
let ended = 0;
let started = 0;
let isWarm = false;
const outcomes: Record<string, number> = {};
const isBare = kind === "bare" || kind === "bareTls";
const start = isBare ? startBare : createStart();

// Many checks at once compile the program, also before checks at a rate.
for (let at = 0; at < AT_ONCE; at++) start(Date.now());
await Bun.sleep(WARM_UP);
isWarm = true;
if (rate !== undefined) {
  setInterval(startSecond, 1000);
  await Bun.sleep(WARM_UP);
}
const before = measure();
await Bun.sleep(order.seconds * 1000);
const after = measure();
const checks = after.ended - before.ended;
const cost: ProbeCost = {
  checks,
  perSecond: checks / order.seconds,
  thread: (after.thread - before.thread) / checks,
  all: (after.all - before.all) / checks,
  outcomes,
};
console.log(JSON.stringify(cost));
process.exit();

/** All checks of a second are ordered at its beginning, as the scheduler does. */
function startSecond(): void {
  for (let at = 0; at < (rate ?? 0); at++) start(Date.now() + (at * 1000) / (rate ?? 0));
}

function end(outcome: string): void {
  ended++;
  outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  if (rate === undefined || !isWarm) start(Date.now());
}

function createStart(): (startAt: number) => void {
  const dnsServers = dns === undefined ? {} : { dnsServers: [{ address: "127.0.0.1", port: dns }] };
  const network = createNetwork({ privateTargets: "allow", ...dnsServers });
  const runner = createProbeRunner(network, (reports: CheckReport[]) => {
    for (const report of reports) if ("observation" in report) end(report.observation.outcome);
  });
  return (startAt) =>
    runner.take({ id: ++started, check: { ...checkOf(started), startAt, timeout: TIMEOUT } });
}

function checkOf(at: number): Pick<Check, "type" | "config"> {
  const host = order.host ?? hostOf(at);
  const interval = 60;
  switch (kind) {
    case "HTTP":
      return { type: "HTTP", config: { url: `http://${host}:${port}/${at % 1000}`, interval, ...more } };
    case "HTTPS":
      return { type: "HTTP", config: { url: `https://127.0.0.1:${port}/${at % 1000}`, interval, ...more } };
    case "DNS":
      return {
        type: "DNS",
        config: { hostname: "here.test", recordType: "A", servers: [`127.0.0.1:${port}`], interval },
      };
    case "TLS":
      return { type: "TLS", config: { host: "127.0.0.1", port, interval } };
    default:
      return { type: "TCP", config: { host, port, interval } };
  }
}

function startBare(startAt: number): void {
  started++;
  setTimeout(connectBare, Math.max(0, startAt - Date.now()));
}

function connectBare(): void {
  void Bun.connect({
    hostname: hostOf(started),
    port,
    ...(kind === "bareTls" && { tls: { rejectUnauthorized: false } }),
    socket: bare,
  });
}

function hostOf(at: number): string {
  return `127.0.1.${1 + (at % ADDRESSES)}`;
}

/** @returns microseconds */
function measure(): { ended: number; thread: number; all: number } {
  const [nanoseconds] = readFileSync("/proc/thread-self/schedstat", "utf8").split(" ");
  const { user, system } = process.cpuUsage();
  return { ended, thread: Number(nanoseconds) / 1000, all: user + system };
}
