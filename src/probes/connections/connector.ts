import { connect, type Socket } from "node:net";
import { descriptorLimit } from "../../descriptors.ts";
import type { Lifetime } from "../lifetime.ts";
import { type Attempts, BunConnection } from "./bun-connection.ts";
import { BunTlsConnection } from "./bun-tls-connection.ts";
import { type Connection, EndedConnection, nodeConnection } from "./connection.ts";
import { attemptConnection } from "./connection-attempt.ts";
import { type AskedTls, NodeTlsConnection, type Securing } from "./handshake.ts";
import type { OpenSockets } from "./open-sockets.ts";
import { destroy } from "./parting.ts";

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
export class Connector implements Attempts {
  /** The endpoints whose last attempt had no answer. */
  private readonly silent = new Set<string>();
  /** How many attempts of Bun have no answer yet; the checks of some of them have ended. */
  private unanswered = 0;
  private readonly mostUnanswered = Math.min(200, Math.floor(descriptorLimit() / 10));

  /** @param findsUnreachable whether it is certain that what is reported as refused was not unreachable */
  constructor(
    private readonly openSockets: OpenSockets,
    private readonly findsUnreachable = false,
  ) {}

  /** Opens a connection that closes at the end of a lifetime. */
  connect(endpoint: Endpoint, lifetime: Lifetime): Promise<Connection> {
    return this.confirmed(endpoint, this.open(endpoint, lifetime));
  }

  /** Opens a connection that is to use TLS. */
  connectTls(endpoint: Endpoint, asked: AskedTls, lifetime: Lifetime): Promise<Securing> {
    return this.confirmed(endpoint, this.openTls(endpoint, asked, lifetime));
  }

  /** Opens a socket of `node:net`, which `node:tls` can use; it closes at the end of a lifetime. */
  connectSocket(endpoint: Endpoint, lifetime: Lifetime): Promise<Socket> {
    return this.confirmed(endpoint, this.openSocket(endpoint, lifetime));
  }

  answered(): void {
    this.unanswered--;
  }

  abandoned(attempt: Endpoint): void {
    if (this.silent.size >= MAX_SILENT) this.silent.clear();
    this.silent.add(keyOf(attempt));
  }

  closed(): void {
    this.openSockets.close();
  }

  /** Bun may have called an endpoint refused that is unreachable, or forbidden by this machine: see `attemptConnection`. */
  private async confirmed<Opened>(endpoint: Endpoint, opening: Promise<Opened>): Promise<Opened> {
    const start = performance.now();
    try {
      return await opening;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ECONNREFUSED") throw error;
      const outcome = await attemptConnection(endpoint, performance.now() - start + REFUSAL_PATIENCE);
      if (outcome === "forbidden") throw forbidden(endpoint);
      if (!this.findsUnreachable || (outcome !== "unreachable" && outcome !== "silent")) throw error;
      throw Object.assign(new Error(`${endpoint.address} is ${outcome}`), { code: "EHOSTUNREACH" });
    }
  }

  private open(endpoint: Endpoint, lifetime: Lifetime): Promise<Connection> {
    const opening: Promise<Connection> = this.mayUseBun(endpoint)
      ? this.openByBun(new BunConnection(endpoint, this), lifetime)
      : this.openByNode(endpoint, lifetime).then((socket) => nodeConnection(socket, lifetime));
    return opening.catch((error) => endedIfOpen(endpoint.address, error));
  }

  private openTls(endpoint: Endpoint, asked: AskedTls, lifetime: Lifetime): Promise<Securing> {
    return this.mayUseBun(endpoint)
      ? this.openByBun(new BunTlsConnection(endpoint, asked, this), lifetime)
      : this.openByNode(endpoint, lifetime).then((socket) => new NodeTlsConnection(socket, asked, lifetime));
  }

  private mayUseBun(endpoint: Endpoint): boolean {
    const isSilent = this.silent.size > 0 && this.silent.has(keyOf(endpoint));
    return !isSilent && this.unanswered < this.mostUnanswered;
  }

  private openByBun<C extends BunConnection>(connection: C, lifetime: Lifetime): Promise<C> {
    this.openSockets.open();
    this.unanswered++;
    lifetime.add(connection);
    return connection.connect().then(() => connection);
  }

  private async openByNode(endpoint: Endpoint, lifetime: Lifetime): Promise<Socket> {
    const socket = await this.openSocket(endpoint, lifetime);
    this.silent.delete(keyOf(endpoint));
    return socket;
  }

  private openSocket({ address, port }: Endpoint, lifetime: Lifetime): Promise<Socket> {
    const { promise, resolve, reject } = Promise.withResolvers<Socket>();
    this.openSockets.openUntil(lifetime);
    const socket = connect({ host: address, port });
    lifetime.add({ close: () => destroy(socket) });
    socket.on("error", reject);
    socket.once("connect", () => resolve(socket));
    return promise;
  }
}

/** A fault of this machine, not of the target (behavior 1.64). */
function forbidden({ address, port }: Endpoint): Error {
  const message = `this machine does not allow a connection to ${address} port ${port}: look at its firewall`;
  return Object.assign(new Error(message), { code: "EPERM" });
}

/**
 * A connection that was open, and was reset before it was reported as open. Without a connection, a reset is reported as
 * `ECONNREFUSED`.
 *
 * @throws any other error
 */
function endedIfOpen(address: string, error: unknown): Connection {
  const { code } = error as NodeJS.ErrnoException;
  if (code !== "ECONNRESET" && code !== "EPIPE") throw error;
  return new EndedConnection(address, error as Error);
}

function keyOf({ address, port }: Endpoint): string {
  return `${address} ${port}`;
}
