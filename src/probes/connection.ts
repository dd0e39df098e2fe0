import { connect, type Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { descriptorLimit } from "./descriptor-limit.ts";
import { countSocket, countSocketUntil } from "./open-sockets.ts";

/** An open connection, which closes when its attempt ends. What comes in is kept until it is read. */
export class Connection {
  private received = "";
  private end: { error: Error | undefined } | undefined;
  private wake: (() => void) | undefined;

  /** @param write sends text; a new connection has room for any request */
  constructor(readonly write: (text: string) => void) {}

  /** What has come since the last time, a character a byte, or comes next; undefined at the end. @throws as sockets do */
  async read(): Promise<string | undefined> {
    if (!this.received && !this.end) await new Promise<void>((resolve) => (this.wake = resolve));
    if (!this.received && this.end?.error) throw this.end.error;
    const text = this.received;
    this.received = "";
    return text || undefined;
  }

  receive(chunk: Buffer): void {
    this.received += chunk.toString("latin1");
    this.wake?.();
  }

  finish(error?: Error): void {
    this.end ??= { error };
    this.wake?.();
  }
}

/** The addresses and ports that let an attempt to connect wait to its end, and have not answered since. */
const silent = new Set<string>();
const MOST_SILENT = 50_000;

/** How many attempts of Bun's have no answer yet; some of their checks have ended. */
let unanswered = 0;
const MOST_UNANSWERED = Math.min(200, Math.floor(descriptorLimit() / 10));

/**
 * Connects by a socket of Bun's, which takes half the time of node's and shows less in the latency. Bun has no way to
 * call off an attempt: without an answer it keeps its descriptor until the system gives it up, some two minutes later.
 * So what did not answer the last time gets a socket of node's, and so does everything while too many wait.
 */
export async function openConnection(
  address: string,
  port: number,
  signal: AbortSignal,
): Promise<Connection> {
  const place = `${address} ${port}`;
  if (!silent.has(place) && unanswered < MOST_UNANSWERED) {
    return openByBun(address, port, signal, () => {
      if (silent.size >= MOST_SILENT) silent.clear();
      silent.add(place);
    });
  }
  const socket = await openSocket(address, port, signal);
  silent.delete(place);
  return connectionOf(socket);
}

/** A connection by a socket of node's. */
export function connectionOf(socket: Socket | TLSSocket): Connection {
  const connection = new Connection((text) => socket.write(text));
  socket.on("data", (chunk: Buffer) => connection.receive(chunk));
  socket.on("error", (error) => connection.finish(error));
  socket.once("close", () => connection.finish());
  return connection;
}

/** Opens a socket of node's, on which TLS can be spoken. */
export function openSocket(address: string, port: number, signal: AbortSignal): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  countSocketUntil(signal);
  const socket = connect({ host: address, port });
  signal.addEventListener("abort", () => socket.destroy(), { once: true });
  socket.on("error", reject);
  socket.once("connect", () => resolve(socket));
  return promise;
}

/** @param onSilence called where there was no answer when the attempt ended */
function openByBun(
  address: string,
  port: number,
  signal: AbortSignal,
  onSilence: () => void,
): Promise<Connection> {
  const { promise, resolve, reject } = Promise.withResolvers<Connection>();
  let isWaiting = true;
  let socket: Bun.Socket | undefined;
  const closed = countSocket();
  const connection = new Connection((text) => socket?.write(text));
  const answered = () => {
    isWaiting = false;
    unanswered--;
    if (signal.aborted) closed();
  };
  const end = () => {
    if (isWaiting) return onSilence();
    socket?.end();
    closed();
  };
  unanswered++;
  signal.addEventListener("abort", end, { once: true });
  Bun.connect({
    hostname: address,
    port,
    socket: {
      open(opened) {
        answered();
        if (signal.aborted) return void opened.end();
        socket = opened;
        resolve(connection);
      },
      connectError(_, error) {
        answered();
        reject(error);
      },
      data: (_, chunk) => connection.receive(chunk),
      close: (_, error) => connection.finish(error),
    },
  }).catch(reject);
  return promise;
}
