import { dlopen, ptr, read } from "bun:ffi";
import { connect } from "node:net";
import { addressBytes, isIPv4 } from "../../domain/network/client-address.ts";
import type { NetworkCheck } from "../../domain/network/database-url.ts";
import type { Endpoint } from "./connector.ts";
import type { Network } from "./network.ts";

/**
 * How an attempt to connect ended. `reset`: opened, and reset at once. `forbidden`: this machine does not allow it, for example by its
 * firewall. `unknown`: this process could not make it, for example without a descriptor, or does not know how it ended.
 */
export type AttemptOutcome =
  | "opened"
  | "reset"
  | "refused"
  | "unreachable"
  | "silent"
  | "forbidden"
  | "unknown";

/**
 * @property pollEvery interval at which a pending attempt is checked, in milliseconds
 * @property watchFor for how long an open connection is watched for a reset, in milliseconds
 * @property onOpen called as soon as it is open
 */
interface AttemptOptions {
  pollEvery?: number;
  watchFor?: number;
  onOpen?: () => void;
}

/**
 * Tries to connect, and closes the connection. Bun 1.4.5 reports a network without a route, a host that nobody finds, and
 * a connection that this machine forbids, as a refused connection (oven-sh/bun#37093). This function asks the system itself, so that the difference is reliable.
 * Outside of Linux it is as reliable as Bun, so that a refusal is `unknown`.
 *
 * @param timeout milliseconds, after which the outcome is `silent`
 */
export async function attemptConnection(
  endpoint: Endpoint,
  timeout: number,
  { pollEvery = 10, watchFor = 0, onOpen = () => {} }: AttemptOptions = {},
): Promise<AttemptOutcome> {
  libc ??= openLibc();
  // A zone, such as in fe80::1%eth0, would need the number of the interface.
  if (!libc || endpoint.address.includes("%")) return attemptByNode(endpoint, timeout);
  const { family, bytes } = socketAddress(endpoint);
  const socket = libc.socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (socket < 0) return outcomeOf(errno(libc));
  try {
    const isOpen = libc.connect(socket, ptr(bytes), bytes.length) === 0;
    const error = isOpen ? 0 : errno(libc);
    const outcome =
      error === EINPROGRESS
        ? await outcomeWithin({ calls: libc, socket, events: POLLOUT }, timeout, pollEvery)
        : outcomeOf(error);
    if (outcome === "opened") onOpen();
    if (outcome !== "opened" || watchFor === 0) return outcome;
    const later = await outcomeWithin({ calls: libc, socket, events: POLLIN }, watchFor, pollEvery);
    return later === "reset" ? "reset" : "opened";
  } finally {
    libc.close(socket);
  }
}

/* Numbers of Linux on x86-64 and ARM64, see socket(2), socket(7), poll(2), errno(3). */

const AF_INET = 2;
const AF_INET6 = 10;
const SOCK_STREAM = 1;
const SOCK_NONBLOCK = 0o4000;
const SOCK_CLOEXEC = 0o2000000;
const SOL_SOCKET = 1;
const SO_ERROR = 4;
const POLLIN = 1;
const POLLOUT = 4;
const EINPROGRESS = 115;

const outcomes: Record<number, AttemptOutcome> = {
  0: "opened",
  1: "forbidden", // EPERM
  11: "unknown", // EAGAIN
  12: "unknown", // ENOMEM
  23: "unknown", // ENFILE
  24: "unknown", // EMFILE
  32: "reset", // EPIPE: closed and reset at once
  104: "reset", // ECONNRESET
  105: "unknown", // ENOBUFS
  110: "silent", // ETIMEDOUT
  111: "refused", // ECONNREFUSED
};

function outcomeOf(error: number): AttemptOutcome {
  return outcomes[error] ?? "unreachable";
}

type Libc = NonNullable<ReturnType<typeof openLibc>>;

/** Null if the system has none that is known. */
let libc: ReturnType<typeof openLibc> | undefined;

function openLibc() {
  if (process.platform !== "linux") return null;
  try {
    // Both glibc and musl resolve this name to themselves.
    return dlopen("libc.so.6", {
      socket: { args: ["i32", "i32", "i32"], returns: "i32" },
      connect: { args: ["i32", "ptr", "u32"], returns: "i32" },
      poll: { args: ["ptr", "u64", "i32"], returns: "i32" },
      getsockopt: { args: ["i32", "i32", "i32", "ptr", "ptr"], returns: "i32" },
      close: { args: ["i32"], returns: "i32" },
      __errno_location: { args: [], returns: "ptr" },
    }).symbols;
  } catch {
    return null;
  }
}

/** The error of the last call. To be called directly after it. */
function errno(calls: Libc): number {
  const location = calls.__errno_location();
  return location === null ? 0 : read.i32(location, 0);
}

/** `struct sockaddr_in` or `struct sockaddr_in6`, see ip(7) and ipv6(7). */
function socketAddress({ address, port }: Endpoint): { family: number; bytes: Uint8Array } {
  const isOld = isIPv4(address);
  const bytes = new Uint8Array(isOld ? 16 : 28);
  const view = new DataView(bytes.buffer);
  const family = isOld ? AF_INET : AF_INET6;
  view.setUint16(0, family, true);
  view.setUint16(2, port);
  const all = addressBytes(address) ?? [];
  bytes.set(isOld ? all.slice(12) : all, isOld ? 4 : 8);
  return { family, bytes };
}

async function outcomeWithin(
  { calls, socket, events }: { calls: Libc; socket: number; events: number },
  timeout: number,
  pollEvery: number,
): Promise<AttemptOutcome> {
  const waiting = new DataView(new ArrayBuffer(8));
  waiting.setInt32(0, socket, true);
  waiting.setInt16(4, events, true);
  const end = performance.now() + timeout;
  while (calls.poll(ptr(waiting), 1, 0) === 0) {
    if (performance.now() >= end) return "silent";
    await Bun.sleep(pollEvery);
  }
  const error = new Int32Array([0]);
  const length = new Uint32Array([error.byteLength]);
  calls.getsockopt(socket, SOL_SOCKET, SO_ERROR, ptr(error), ptr(length));
  return outcomeOf(error[0] ?? 0);
}

/** Codes that Bun gives to several errors, or that say that this process could not make the attempt. */
const UNCLEAR = new Set(["ECONNREFUSED", "EMFILE", "ENFILE"]);

function attemptByNode({ address, port }: Endpoint, timeout: number): Promise<AttemptOutcome> {
  const { promise, resolve } = Promise.withResolvers<AttemptOutcome>();
  const socket = connect({ host: address, port });
  const timer = setTimeout(resolve, timeout, "silent");
  socket.once("connect", () => resolve("opened"));
  socket.on("error", ({ code }: NodeJS.ErrnoException) => {
    if (code === "EPERM") resolve("forbidden");
    else if (code === "ECONNRESET" || code === "EPIPE") resolve("reset");
    else resolve(UNCLEAR.has(code ?? "") ? "unknown" : "unreachable");
  });
  return promise.finally(() => {
    clearTimeout(timer);
    socket.destroy();
  });
}

/** Milliseconds in which a server of the setting must answer, name resolution included (behavior 13.51). */
const PATIENCE = 2000;

/** A refused connection is an answer. An attempt that this process could not make, or may not make, says nothing. */
const ANSWERED: ReadonlySet<AttemptOutcome> = new Set(["opened", "reset", "refused", "forbidden", "unknown"]);

/**
 * Tries to connect to all servers at once.
 *
 * @param network the operator chose the servers, so `--private-targets` must not apply to it
 * @returns whether any of them answers
 */
export async function isAnyAnswering(
  servers: readonly NetworkCheck[],
  network: Pick<Network, "resolve">,
  attempt = attemptConnection,
): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(resolve, PATIENCE, false);
  const tried = servers.map(async ({ host, port }) => {
    const addresses = await network.resolve(host, { timeout: PATIENCE }).catch(() => []);
    const attempts = addresses.map(async (address) => {
      const outcome = await attempt({ address, port }, PATIENCE).catch(() => "unknown" as const);
      if (ANSWERED.has(outcome)) resolve(true);
    });
    await Promise.all(attempts);
  });
  void Promise.all(tried).then(() => resolve(false));
  return promise.finally(() => clearTimeout(timer));
}
