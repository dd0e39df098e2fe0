/**
 * The targets of one server in a process of their own: servers of HTTP, TCP, TLS and DNS, jobs that check in, and a
 * receiver of notifications. The process logs exactly when each target was down, and everything that it received.
 * It takes orders from the process that started it.
 */
import { createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import type { Server as HttpServer } from "bun";
import { createAuthority } from "../../../test/support/servers/certificates.ts";
import type { Notified } from "../../../test/support/servers/receiver.ts";
import { startDns } from "./dns.ts";
import { createJob, type Job } from "./job.ts";
import type { Answer, Listening, Notification, Order, Report, Span, Target } from "./messages.ts";

/** A timer of this process that is later than this is a stall; milliseconds. */
const STALL = 30;
const TICK = 10;
const OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok";

/** A target that can be up or down. */
interface Switch {
  up(): void | Promise<void>;
  down(): void | Promise<void>;
}

const switches = new Map<string, Switch>();
const jobs = new Map<string, Job>();
const outages: Record<string, Span[]> = {};
const notifications: Notification[] = [];
const stalls: Span[] = [];
const certificate = await (await createAuthority()).issue([{ type: "dns", value: "targets.test" }]);
let dns: Awaited<ReturnType<typeof startDns>> | undefined;
let period = 0;

watchStalls();
process.on("disconnect", () => process.exit());
process.on("message", async (order: Order) => process.send?.(await obey(order)));

async function obey(order: Order): Promise<Answer> {
  if ("listen" in order) {
    period = order.listen.period;
    return { listening: await listen(order.listen.address, order.listen.targets) };
  }
  if ("report" in order) return { report: report() };
  if ("dns" in order) dns?.drop(order.dns === "drops");
  else if ("checkins" in order) checkIn(order.checkins);
  else if ("up" in order) await Promise.all(order.up.map(bringUp));
  else await Promise.all(order.down.map(takeDown));
  return { done: true };
}

async function listen(address: string, targets: Target[]): Promise<Listening> {
  dns = await startDns(address);
  const ports: Record<string, number> = {};
  for (const { name, type } of targets) {
    outages[name] = [];
    const record = dns.name(name);
    record.up();
    if (type === "DNS") switches.set(name, record);
    else if (type !== "SCHEDULED") ports[name] = await serve(name, type, address);
  }
  return { dnsPort: dns.port, receiverUrl: String(startReceiver(address).url), ports };
}

/** An HTTP target that is down accepts connections and never responds; a TCP or TLS target refuses them. @returns its port */
async function serve(name: string, type: "HTTP" | "TCP" | "TLS", address: string): Promise<number> {
  let isSilent = false;
  let open = new Set<Socket>();
  const welcome = (socket: Socket) => {
    open.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => open.delete(socket));
    socket.on("data", () => {
      if (type === "HTTP" && !isSilent) socket.end(OK);
    });
  };
  const start = async (port: number): Promise<Server> => {
    const server = type === "TLS" ? createTlsServer(certificate, welcome) : createServer(welcome);
    server.on("tlsClientError", () => {});
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    server.once("error", reject).listen(port, address, resolve);
    await promise;
    return server;
  };
  let server = await start(0);
  const { port } = server.address() as { port: number };
  switches.set(name, {
    async up() {
      isSilent = false;
      if (type !== "HTTP") server = await start(port);
    },
    down() {
      isSilent = true;
      if (type === "HTTP") return;
      server.close();
      for (const socket of open) socket.destroy();
      open = new Set();
    },
  });
  return port;
}

function checkIn(urls: Record<string, string>): void {
  for (const [name, url] of Object.entries(urls)) {
    const job = createJob(url, period);
    jobs.set(name, job);
    switches.set(name, { up: job.start, down: job.stop });
    job.start();
  }
}

function startReceiver(address: string): HttpServer<undefined> {
  return Bun.serve({
    hostname: address,
    port: 0,
    async fetch(request) {
      const at = Date.now();
      const { data } = (await request.json()) as Notified;
      const { id: resultId, createdAt } = data.result;
      notifications.push({
        id: request.headers.get("webhook-id") ?? "",
        at,
        monitor: data.monitor.name,
        status: data.status,
        resultId,
        createdAt: Date.parse(createdAt),
      });
      return new Response("thanks");
    },
  });
}

/** An outage is logged from before the first failure until after the last one. */
async function takeDown(name: string): Promise<void> {
  outages[name]?.push({ from: Date.now(), to: Number.POSITIVE_INFINITY });
  await switches.get(name)?.down();
}

async function bringUp(name: string): Promise<void> {
  await switches.get(name)?.up();
  const last = outages[name]?.at(-1);
  if (last) last.to = Date.now();
}

function report(): Report {
  const attempts = Object.fromEntries([...jobs].map(([name, job]) => [name, job.attempts]));
  const haveCheckedIn = [...jobs.values()].every((job) => job.hasCheckedIn());
  return { outages, attempts, haveCheckedIn, notifications, stalls };
}

function watchStalls(): void {
  let last = performance.now();
  setInterval(() => {
    const now = performance.now();
    if (now - last > TICK + STALL) stalls.push({ from: Date.now() - (now - last), to: Date.now() });
    last = now;
  }, TICK);
}
