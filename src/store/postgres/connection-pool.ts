import type { Socket } from "node:net";
import pg from "pg";
import { StorageFault } from "../../errors.ts";

/**
 * Shared by the pools of a database. If a connection breaks, the connections that were idle since it was taken are suspect:
 * after a failover, a proxy may keep them open and silent, and each would cost some work its deadline.
 *
 * @property since connections that were not used since then are suspect; milliseconds of the monotonic clock
 */
export interface Trust {
  since: number;
}

/** Milliseconds in which a server must close a connection that ends, before it is closed without the server. */
const GOODBYE_WITHIN = 1000;

export class ConnectionPool {
  readonly #pool: pg.Pool;
  readonly #trust: Trust;
  /** When each connection was last taken, or returned intact. */
  readonly #usedAt = new WeakMap<pg.PoolClient, number>();

  /** @param onError receives errors of idle connections, which the pool replaces */
  constructor(config: pg.PoolConfig, { trust, onError }: { trust: Trust; onError: (error: Error) => void }) {
    this.#trust = trust;
    this.#pool = new pg.Pool(config).on("error", onError).on("connect", (client) => {
      // An error without a listener ends the process. The pool removes its listener before the work that gets the connection
      // adds another.
      client.on("error", () => {});
      boundGoodbye(client);
    });
  }

  /** @throws StorageFault whatever prevents a connection, such as a certificate that has expired: it is no fault of the work */
  async take(): Promise<pg.PoolClient> {
    for (;;) {
      const client = await this.#connect();
      const isSuspect = (this.#usedAt.get(client) ?? Number.POSITIVE_INFINITY) < this.#trust.since;
      this.#usedAt.set(client, performance.now());
      if (!isSuspect) return client;
      client.release(true);
    }
  }

  /** To be called as soon as a connection breaks. */
  suspectIdle(broken: pg.PoolClient): void {
    this.#trust.since = Math.max(this.#trust.since, this.#usedAt.get(broken) ?? 0);
  }

  /** @param isBroken whether it is not to be used again */
  giveBack(client: pg.PoolClient, isBroken: boolean): void {
    this.#usedAt.set(client, performance.now());
    client.release(isBroken);
  }

  async end(): Promise<void> {
    await this.#pool.end();
  }

  async #connect(): Promise<pg.PoolClient> {
    try {
      return await this.#pool.connect();
    } catch (error) {
      throw new StorageFault(error);
    }
  }
}

/** If the server has vanished, the kernel would repeat the end for up to 15 minutes, and the socket would stay open. */
function boundGoodbye(client: pg.PoolClient): void {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  stream.once("finish", () => {
    const timer = setTimeout(() => stream.destroy(), GOODBYE_WITHIN);
    stream.once("close", () => clearTimeout(timer));
  });
}
