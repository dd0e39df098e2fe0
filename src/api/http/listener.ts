import { closeSync, openSync, readFileSync } from "node:fs";
import type { Server } from "bun";
import { AppError, invalid } from "../../errors.ts";
import type { Logger } from "../../log.ts";
import type { Metrics } from "../../runner/metrics/metrics.ts";
import { fileReason } from "../../system-error.ts";

/**
 * Seconds after which Bun closes a connection without a complete request or response. Longer than the longest test of a
 * monitor or channel. Single bytes do not extend it.
 */
const IDLE_TIMEOUT = 20;

/** Shortest interval of the counts of connections, and how long new ones are rejected at least, in milliseconds. */
const COUNT_INTERVAL = 100;
const SHORTEST_CLOSURE = 1000;

/** Connections that clients may open in one millisecond: the next count comes before they reach the limit. */
const MAX_PER_MS = 20;

/**
 * Disables Bun's own limit, because its 413 has no body and precedes authentication. Bun does not buffer what a route
 * does not read, and `request-body.ts` stops at the limit of behavior 7.7.
 */
const UNLIMITED = Number.MAX_SAFE_INTEGER;

export interface ListenerSettings {
  hostname: string;
  port: number;
  /** The paths of a certificate chain and its key, in PEM. */
  tls?: { cert: string; key: string } | undefined;
}

/** Accepts connections and passes their requests to the API. */
export interface Listener {
  /** @throws AppError `refused` if the port is taken, `invalid` if the host is not an address of this machine */
  start(api: Api): void;
  port(): number | undefined;
  /** The IP address of the other end of the connection of a request. */
  peerOf(request: Request): string;
  /** Reads the certificate again. If it is not valid, logs that and keeps the previous one. */
  renewCertificate(): void;
  /** Accepts no more connections and lets running requests finish. @param immediately aborts them instead */
  stop(immediately?: boolean): Promise<unknown>;
}

// biome-ignore lint/suspicious/noExplicitAny: the type of the data of its web sockets, of which there are none
type BunServer = Server<any>;

/** An Elysia. It listens itself, because only then Bun matches the routes, which also works without a valid `Host`. */
interface Api {
  server: BunServer | null;
  listen(options: object): unknown;
}

/** Passes each request to an answer, in place of an API that gets requests by their paths itself. */
export function servedBy(
  api: Pick<Api, "server">,
  answer: (request: Request) => Response | Promise<Response>,
): Api {
  return {
    server: null,
    listen(options) {
      const serve = { ...options, fetch: answer };
      this.server = api.server = Bun.serve(serve as Parameters<typeof Bun.serve>[0]);
    },
  };
}

/**
 * Checks that a server could listen, before a first start creates a database for it.
 *
 * @throws AppError `invalid` or `refused` that names the flag
 */
export function assertCanListen({ hostname, port, tls }: ListenerSettings): void {
  if (tls) readCertificate(tls);
  try {
    Bun.listen({ hostname, port, socket: { data() {} } }).stop(true);
  } catch (error) {
    throw listenError(error, { hostname, port });
  }
}

/**
 * @param limits see `createConnectionLimit`
 * @throws AppError `invalid` if the certificate is not valid
 */
export function createListener({
  settings,
  log,
  limits,
  metrics,
}: {
  settings: ListenerSettings;
  log: Logger;
  limits: Parameters<typeof createConnectionLimit>[0];
  metrics: Pick<Metrics, "full">;
}): Listener {
  let api: Api | undefined;
  const limit = createConnectionLimit(limits);
  /** The server that listens, and previous ones whose requests still run. */
  const servers = new Set<BunServer>();
  let { port } = settings;
  let certificate = settings.tls && readCertificate(settings.tls);
  let fullSince: number | undefined;
  let counting: Timer | undefined;

  /** Replaces the server that listens now, if there is one. */
  function open(): void {
    // The port must be free before another server can listen on it.
    stopAccepting();
    if (!api) throw new Error("the listener has no API yet");
    const server = listen(api, {
      hostname: settings.hostname,
      port,
      // Elysia's default would share the port with another process.
      reusePort: false,
      idleTimeout: IDLE_TIMEOUT,
      maxRequestBodySize: UNLIMITED,
      development: false,
      ...(certificate && { tls: certificate }),
    });
    servers.add(server);
    port = server.port ?? port;
  }

  /** Closes idle connections and lets running requests finish. */
  function stopAccepting(): void {
    const server = api?.server;
    server?.stop().then(() => servers.delete(server));
  }

  function countConnections(): void {
    const { free, inUse } = limit.measure();
    const isFull = free <= 0;
    const now = performance.now();
    counting = setTimeout(countConnections, Math.max(COUNT_INTERVAL, free / MAX_PER_MS));
    if (fullSince === undefined && isFull) {
      log.warn(
        { descriptors: inUse },
        "too many connections: no new ones are accepted until some are closed",
      );
      fullSince = now;
      stopAccepting();
      metrics.full();
    } else if (fullSince !== undefined && !isFull && now - fullSince >= SHORTEST_CLOSURE) {
      reopen();
    }
  }

  /** If it fails, for example because another program has taken the port, it is retried with the next counts. */
  function reopen(): void {
    try {
      open();
      fullSince = undefined;
    } catch (error) {
      log.error({ err: error }, "could not listen for connections: retrying");
      fullSince = performance.now();
    }
  }

  return {
    start(given) {
      api = given;
      try {
        open();
      } catch (error) {
        throw listenError(error, settings);
      }
      counting = setTimeout(countConnections, COUNT_INTERVAL);
    },
    port: () => port,
    peerOf: (request) => api?.server?.requestIP(request)?.address ?? "",
    renewCertificate() {
      if (!settings.tls) {
        log.info("there is no certificate to read again");
        return;
      }
      try {
        certificate = readCertificate(settings.tls);
      } catch (error) {
        log.error(
          { cause: (error as Error).message },
          "could not read the certificate: keeping the previous one",
        );
        return;
      }
      log.info({ file: settings.tls.cert }, "read the certificate again");
      if (fullSince === undefined) reopen();
    },
    stop(immediately = false) {
      clearTimeout(counting);
      return Promise.all([...servers].map((server) => server.stop(immediately)));
    },
  };
}

/**
 * Each call of Elysia's `listen` adds a listener to `beforeExit` that stops the server. `stop` does that here. And it compiles all
 * routes again after those that are loaded later, of which there are none.
 */
function listen(api: Api, options: object): BunServer {
  Object.defineProperty(api, "promisedModules", { value: new Promise(() => {}), configurable: true });
  const existing = new Set(process.listeners("beforeExit"));
  api.listen(options);
  for (const added of process.listeners("beforeExit")) {
    if (!existing.has(added)) process.off("beforeExit", added);
  }
  if (!api.server) throw new Error("Elysia does not listen");
  return api.server;
}

/** Codes of a host that is not an address of this machine. For a host that it cannot resolve, Bun reports several, or none at all. */
const WRONG_HOST = ["EADDRNOTAVAIL", "ENOENT", "ENOTFOUND", "ENXIO"];

/** An error of another kind, such as of routes that conflict, stays as it is. */
function listenError(error: unknown, { hostname, port }: ListenerSettings): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "EADDRINUSE") {
    return new AppError("refused", `--port ${port} is taken by another program on ${hostname}`);
  }
  if (code === "EACCES") return new AppError("refused", `--port ${port} is not allowed for this user`);
  const isOfHost = code === undefined ? message.startsWith("Failed to listen") : WRONG_HOST.includes(code);
  if (!isOfHost) return error;
  return invalid(`--host must be an address of this machine, got ${JSON.stringify(hostname)}`);
}

/** A certificate chain and its private key, in PEM. */
interface TlsCertificate {
  cert: string;
  key: string;
}

/**
 * @param files the paths of the chain and the key
 * @throws AppError `invalid` if a file cannot be read or the key does not match the certificate
 */
function readCertificate(files: { cert: string; key: string }): TlsCertificate {
  // Most servers have no certificate, and loading this would delay each start.
  const { createPrivateKey, X509Certificate } = process.getBuiltinModule("node:crypto");
  const names = { cert: `--tls-cert ${files.cert}`, key: `--tls-key ${files.key}` };
  const cert = readPem(files.cert, names.cert);
  const key = readPem(files.key, names.key);
  const firstCertificate = parse(names.cert, "a certificate", () => new X509Certificate(cert));
  const privateKey = parse(names.key, "a private key", () => createPrivateKey(key));
  if (!firstCertificate.checkPrivateKey(privateKey)) {
    throw invalid(`${names.key} must be the key of the first certificate in ${files.cert}`);
  }
  return { cert, key };
}

/** @param name the flag and the path, for messages */
function readPem(path: string, name: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw invalid(`${name} can't be read: ${fileReason(error)}`);
  }
}

function parse<T>(name: string, what: string, read: () => T): T {
  try {
    return read();
  } catch {
    throw invalid(`${name} must begin with ${what} in PEM`);
  }
}

/**
 * Maximum number of open connections, and their maximum share of the file descriptors of the process (behavior 8.18).
 */
const MAX_CONNECTIONS = 10_000;
const SHARE_OF_DESCRIPTORS = 0.5;

/** No connection is accepted while more than this share of the descriptors is in use for any purpose. */
const FULL = 0.9;

interface ConnectionLimit {
  /** @returns how many more connections may be accepted, and how many descriptors are in use */
  measure(): { free: number; inUse: number };
}

/**
 * Bun has no limit of connections. Without a free descriptor, its event loop spins on the next connection and nothing
 * else of this process runs.
 *
 * @param descriptors how many file descriptors this process may have
 * @param others how many of those in use are not connections of clients
 */
function createConnectionLimit({
  descriptors,
  others,
}: {
  descriptors: number;
  others: () => number;
}): ConnectionLimit {
  const most = Math.min(MAX_CONNECTIONS, Math.floor(descriptors * SHARE_OF_DESCRIPTORS));
  return {
    measure() {
      const inUse = descriptorsInUse();
      return { free: Math.min(most + others(), descriptors * FULL) - inUse, inUse };
    },
  };
}

/** A new descriptor gets the lowest free number, which is an estimate of how many are in use. */
function descriptorsInUse(): number {
  try {
    const descriptor = openSync("/dev/null", "r");
    closeSync(descriptor);
    return descriptor;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
