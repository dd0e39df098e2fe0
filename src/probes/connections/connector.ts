import { connect, type Socket } from "node:net";
import { Connection, connectionOf } from "./connection.ts";
import { attemptConnection } from "./connection-attempt.ts";
import { descriptorLimit } from "./descriptors.ts";
import type { OpenSockets } from "./open-sockets.ts";

export interface Endpoint {
  /** An IP address. */
  address: string;
  port: number;
}

/** Maximum number of silent endpoints that are remembered. */
const MAX_SILENT = 50_000;

/** How much longer than the refused attempt the one may take that confirms the refusal; milliseconds. */
const REFUSAL_PATIENCE = 500;

/**
 * Opens connections. Bun's sockets connect in half the time of `node:net`, which shows in the latency. But Bun can't
 * cancel an attempt: without an answer, the attempt keeps its descriptor until the system gives up after about two
 * minutes. Therefore `node:net` connects to endpoints that did not answer the last time, and to all endpoints while too
 * many attempts of Bun have no answer.
 */
export class Connector {
  /** The endpoints whose last attempt had no answer. */
  private readonly silent = new Set<string>();
  /** How many attempts of Bun have no answer yet; the checks of some of them have ended. */
  private unanswered = 0;
  private readonly mostUnanswered = Math.min(200, Math.floor(descriptorLimit() / 10));

  /** @param confirmsRefusals whether it is certain that what is reported as refused was not unreachable */
  constructor(
    private readonly openSockets: OpenSockets,
    private readonly confirmsRefusals = false,
  ) {}

  /** Opens a connection that closes when the signal is aborted. */
  connect(endpoint: Endpoint, signal: AbortSignal): Promise<Connection> {
    const opening = this.open(endpoint, signal);
    return this.confirmsRefusals ? this.confirmed(endpoint, opening) : opening;
  }

  /** Opens a socket of `node:net`, which `node:tls` can use; it closes when the signal is aborted. */
  connectSocket(endpoint: Endpoint, signal: AbortSignal): Promise<Socket> {
    const opening = this.openSocket(endpoint, signal);
    return this.confirmsRefusals ? this.confirmed(endpoint, opening) : opening;
  }

  /** Bun may have called an unreachable endpoint refused: see `attemptConnection`. */
  private async confirmed<Opened>(endpoint: Endpoint, opening: Promise<Opened>): Promise<Opened> {
    const start = performance.now();
    try {
      return await opening;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ECONNREFUSED") throw error;
      const outcome = await attemptConnection(endpoint, performance.now() - start + REFUSAL_PATIENCE);
      if (outcome !== "unreachable" && outcome !== "silent") throw error;
      throw Object.assign(new Error(`${endpoint.address} is ${outcome}`), { code: "EHOSTUNREACH" });
    }
  }

  private async open(endpoint: Endpoint, signal: AbortSignal): Promise<Connection> {
    const key = keyOf(endpoint);
    if (!this.silent.has(key) && this.unanswered < this.mostUnanswered) {
      return this.connectByBun(endpoint, signal);
    }
    const opening = this.openSocket(endpoint, signal).then(connectionOf, (error) => {
      if (wasOpen(error)) return endedConnection(endpoint, error);
      throw error;
    });
    const connection = await opening;
    this.silent.delete(key);
    return connection;
  }

  private openSocket({ address, port }: Endpoint, signal: AbortSignal): Promise<Socket> {
    const { promise, resolve, reject } = Promise.withResolvers<Socket>();
    this.openSockets.openUntil(signal);
    const socket = connect({ host: address, port });
    signal.addEventListener("abort", () => socket.destroy(), { once: true });
    socket.on("error", reject);
    socket.once("connect", () => resolve(socket));
    return promise;
  }

  private markSilent(endpoint: Endpoint): void {
    if (this.silent.size >= MAX_SILENT) this.silent.clear();
    this.silent.add(keyOf(endpoint));
  }

  private connectByBun(endpoint: Endpoint, signal: AbortSignal): Promise<Connection> {
    const { promise, resolve, reject } = Promise.withResolvers<Connection>();
    let isWaiting = true;
    let socket: Bun.Socket | undefined;
    const countClosed = this.openSockets.open();
    // Bun writes as much as the send buffer has room for.
    let unsent: Buffer = Buffer.alloc(0);
    const send = (bytes: Buffer) => {
      unsent = bytes.subarray(Math.max(0, socket?.write(bytes) ?? 0));
    };
    const connection = new Connection((text) => {
      if (unsent.length > 0) return send(Buffer.concat([unsent, Buffer.from(text)]));
      const written = Math.max(0, socket?.write(text) ?? 0);
      if (written < Buffer.byteLength(text)) unsent = Buffer.from(text).subarray(written);
    }, endpoint.address);
    const onAnswer = () => {
      isWaiting = false;
      this.unanswered--;
      if (signal.aborted) countClosed();
    };
    const onAbort = () => {
      if (isWaiting) return this.markSilent(endpoint);
      socket?.end();
      countClosed();
    };
    this.unanswered++;
    signal.addEventListener("abort", onAbort, { once: true });
    Bun.connect({
      hostname: endpoint.address,
      port: endpoint.port,
      socket: {
        open(opened) {
          onAnswer();
          if (signal.aborted) return void opened.end();
          socket = opened;
          resolve(connection);
        },
        connectError(_, error) {
          onAnswer();
          if (wasOpen(error)) resolve(endedConnection(endpoint, error));
          else reject(error);
        },
        drain: () => {
          if (unsent.length > 0) send(unsent);
        },
        data: (_, chunk) => connection.receive(chunk),
        close: (_, error) => connection.finish(error),
      },
    }).catch(reject);
    return promise;
  }
}

/**
 * Whether a connection was open, and was reset before it was reported as open. Without a connection, a reset is reported as
 * `ECONNREFUSED`.
 */
function wasOpen({ code }: NodeJS.ErrnoException): boolean {
  return code === "ECONNRESET" || code === "EPIPE";
}

function endedConnection({ address }: Endpoint, error: Error): Connection {
  const connection = new Connection(() => {}, address);
  connection.finish(error);
  return connection;
}

function keyOf({ address, port }: Endpoint): string {
  return `${address} ${port}`;
}
