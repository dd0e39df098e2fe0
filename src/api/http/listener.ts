import { createPrivateKey, X509Certificate } from "node:crypto";
import { closeSync, openSync, readFileSync } from "node:fs";
import type { Server } from "bun";
import { AppError } from "../../errors.ts";
import type { Logger } from "../../log.ts";

/**
 * Seconds after which Bun closes a connection on which no request or no answer comes to its end: longer than the
 * longest trial of a monitor or channel. Single bytes don't prolong it.
 */
const LONGEST_SILENCE = 20;

/** More connections are not open at once; and not more than this share of the descriptors that there are. */
const MOST_CONNECTIONS = 10_000;
const SHARE_OF_DESCRIPTORS = 0.5;

/** Nor are any taken while more than this share of the descriptors is in use, by whatever. */
const FULL = 0.9;

/** Milliseconds from one look at how many connections there are to the next, and until new ones are taken again. */
const LOOK_EVERY = 100;
const CLOSED_FOR = 1000;

/**
 * Bun refuses no body: its own 413 is empty and comes before authentication. It buffers nothing that a route doesn't
 * read, and `request-body.ts` stops at the limit of decisions 2.
 */
const UNLIMITED = Number.MAX_SAFE_INTEGER;

export interface ListenerSettings {
  hostname: string;
  port: number;
  /** The paths of a certificate chain and its key, in PEM. */
  tls?: { cert: string; key: string } | undefined;
}

/** Where requests come in. */
export interface Listener {
  /** @throws AppError `refused` if the port is taken, `invalid` if the host is no address of this machine */
  start(): void;
  port(): number | undefined;
  /** The IP address at the other end of the connection of a request. */
  peerOf(request: Request): string;
  /** Reads the certificate again. One that can't be used is logged, and the former one stays. */
  renewCertificate(): void;
  /** Takes no more, and lets the requests under way end, or ends them too. */
  stop(atOnce?: boolean): Promise<unknown>;
}

/** What is listened for: an Elysia. It answers by Bun's own routes, which take what its `fetch` would not. */
interface Api {
  // biome-ignore lint/suspicious/noExplicitAny: whatever its sockets hold
  server: Server<any> | null;
  listen(options: object): unknown;
}

/**
 * Tries whether a server could listen, before anything is created for it.
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
 * @throws AppError `invalid` if the certificate can't be used
 * @param limits of descriptors: how many this process may have @property others how many of those in use are no
 *   connections of clients
 */
export function createListener(
  api: Api,
  {
    settings,
    log,
    limits,
    onFull,
  }: {
    settings: ListenerSettings;
    log: Logger;
    limits: { descriptors: number; others: () => number };
    /** Told each time that there are too many connections for more. */
    onFull: () => void;
  },
): Listener {
  const most = Math.min(MOST_CONNECTIONS, Math.floor(limits.descriptors * SHARE_OF_DESCRIPTORS));
  /** Those that still have requests under way, and last the one that listens. */
  const servers = new Set<NonNullable<Api["server"]>>();
  let { port } = settings;
  let certificate = settings.tls && readCertificate(settings.tls);
  let closedAt: number | undefined;
  let watching: Timer | undefined;

  /** In the place of the one that listens now, if any: what it has under way, it ends. */
  function open(): void {
    api.listen({
      hostname: settings.hostname,
      // Asked for last of all, when Elysia has made its routes: nobody is refused meanwhile.
      get port() {
        shut();
        return port;
      },
      // Elysia would share a port that another process listens on.
      reusePort: false,
      idleTimeout: LONGEST_SILENCE,
      maxRequestBodySize: UNLIMITED,
      development: false,
      ...(certificate && { tls: certificate }),
    });
    // Elysia adds one each time, for an end that this program does not have.
    process.removeAllListeners("beforeExit");
    if (!api.server) throw new Error("Elysia does not listen");
    servers.add(api.server);
    port = api.server.port ?? port;
  }

  /** Requests under way are answered, and idle connections closed. */
  function shut(): void {
    const { server } = api;
    server?.stop().then(() => servers.delete(server));
  }

  /**
   * Bun has no limit of connections, and without a descriptor for the next one its event loop turns in vain: nothing
   * of ours would run any more.
   */
  function watch(): void {
    const inUse = descriptorsInUse();
    const isFull = inUse - limits.others() >= most || inUse >= limits.descriptors * FULL;
    const now = performance.now();
    if (closedAt === undefined && isFull) {
      log.warn({ descriptors: inUse }, "too many connections: no more are taken until some are closed");
      closedAt = now;
      shut();
      onFull();
    } else if (closedAt !== undefined && !isFull && now - closedAt >= CLOSED_FOR) {
      reopen();
    }
  }

  /** Where it can't, as when another has taken the port, it is tried again. */
  function reopen(): void {
    try {
      open();
      closedAt = undefined;
    } catch (error) {
      log.error({ err: error }, "no connections can be taken: it is tried again");
      closedAt = performance.now();
    }
  }

  return {
    start() {
      try {
        open();
      } catch (error) {
        throw listenError(error, settings);
      }
      watching = setInterval(watch, LOOK_EVERY);
    },
    port: () => port,
    peerOf: (request) => api.server?.requestIP(request)?.address ?? "",
    renewCertificate() {
      if (!settings.tls) {
        log.info("there is no certificate to read again");
        return;
      }
      try {
        certificate = readCertificate(settings.tls);
      } catch (error) {
        log.error({ cause: (error as Error).message }, "the former certificate stays");
        return;
      }
      log.info({ file: settings.tls.cert }, "read the certificate again");
      if (closedAt !== undefined) return;
      reopen();
    },
    stop(atOnce = false) {
      clearInterval(watching);
      return Promise.all([...servers].map((server) => server.stop(atOnce)));
    },
  };
}

/** New descriptors get the lowest number that is free. */
function descriptorsInUse(): number {
  try {
    const descriptor = openSync("/dev/null", "r");
    closeSync(descriptor);
    return descriptor;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** Bun gives a host that it can't resolve ENOENT or no code at all. */
function listenError(error: unknown, { hostname, port }: ListenerSettings): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "EADDRINUSE") {
    return new AppError("refused", `--port ${port} is taken by another program on ${hostname}`);
  }
  if (code === "EACCES") return new AppError("refused", `--port ${port} may not be used by this user`);
  if (![undefined, "EADDRNOTAVAIL", "ENOENT"].includes(code)) return error;
  return new AppError(
    "invalid",
    `--host must be an address of this machine, got ${JSON.stringify(hostname)}`,
  );
}

function readCertificate(files: { cert: string; key: string }): { cert: string; key: string } {
  const names = { cert: `--tls-cert ${files.cert}`, key: `--tls-key ${files.key}` };
  const cert = readPem(files.cert, names.cert);
  const key = readPem(files.key, names.key);
  const first = parse(names.cert, "a certificate", () => new X509Certificate(cert));
  const its = parse(names.key, "a private key", () => createPrivateKey(key));
  if (!first.checkPrivateKey(its)) {
    throw new AppError("invalid", `${names.key} must be the key of the first certificate in ${files.cert}`);
  }
  return { cert, key };
}

/** @param name the flag and the path, for messages */
function readPem(path: string, name: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new AppError("invalid", `${name} can't be read: ${(error as NodeJS.ErrnoException).code}`);
  }
}

function parse<T>(name: string, what: string, read: () => T): T {
  try {
    return read();
  } catch {
    throw new AppError("invalid", `${name} must begin with ${what} in PEM`);
  }
}
