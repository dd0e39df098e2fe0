import pg from "pg";

/**
 * A statement to send with others.
 *
 * @property values of `$1`, `$2`, ..., as `pg` sends them
 * @property copied what a `COPY … FROM STDIN` reads
 * @property faultOf the error to throw if the statement fails
 */
export interface Statement extends pg.QueryConfig {
  rowMode?: "array";
  copied?: Buffer;
  faultOf?: (error: unknown) => unknown;
}

/**
 * Sends statements in one message, so that they take one round trip. After one that fails, the server runs none of the rest.
 *
 * @returns the outcome of each
 * @see https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-PIPELINING
 */
export function sendTogether(
  client: pg.ClientBase,
  statements: readonly Statement[],
): Promise<pg.QueryResult>[] {
  const message = new Message(statements);
  client.query(message as unknown as pg.Submittable);
  return message.outcomes;
}

/** Missing in the types of `pg`. */
interface Protocol {
  stream: { cork(): void; uncork(): void };
  sync(): void;
  sendCopyFromChunk(data: Buffer): void;
  endCopyFrom(): void;
}

/** How `pg` runs one statement, and hands it what the server answers. */
interface Query {
  submit(connection: Protocol): Error | null;
  handleRowDescription(message: unknown): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: Protocol): void;
  handleReadyForQuery(): void;
  handleError(error: unknown): void;
}

/** A query of `pg` that consists of several. */
class Message {
  readonly outcomes: Promise<pg.QueryResult>[] = [];
  readonly #queries: Query[] = [];
  /** How many the server has run. */
  #ended = 0;
  /** The error of the first statement whose values could not be sent. */
  #fault: Error | undefined;

  constructor(private readonly statements: readonly Statement[]) {
    for (const statement of statements) {
      const { promise, resolve, reject } = Promise.withResolvers<pg.QueryResult>();
      // Who sends a statement need not await it: the end of the transaction fails too.
      promise.catch(() => {});
      this.outcomes.push(promise);
      const end = (error: Error | null, result: pg.QueryResult) => {
        if (!error) return resolve(result);
        this.#fault ??= error;
        reject(error);
      };
      const { text, values, types, rowMode } = statement;
      const config = { text, types, rowMode, queryMode: "extended" };
      this.#queries.push(new pg.Query(config as pg.QueryConfig, values, end as never) as unknown as Query);
    }
  }

  /** Called by `pg` when all has ended, or the connection has: it may replace it. */
  callback: (error?: unknown) => void = (error) => this.#settle(error);

  submit(connection: Protocol): null {
    // One `Sync` ends the message: each of the statements would send its own.
    const part: Protocol = Object.assign(Object.create(connection), { sync() {} });
    connection.stream.cork();
    try {
      for (const [at, query] of this.#queries.entries()) {
        const { copied } = this.statements[at] ?? {};
        query.submit(part);
        if (this.#fault) break;
        if (copied) {
          connection.sendCopyFromChunk(copied);
          connection.endCopyFrom();
        }
      }
    } finally {
      connection.sync();
      connection.stream.uncork();
    }
    return null;
  }

  handleRowDescription(message: unknown): void {
    this.#queries[this.#ended]?.handleRowDescription(message);
  }

  handleDataRow(message: unknown): void {
    this.#queries[this.#ended]?.handleDataRow(message);
  }

  handleCommandComplete(message: unknown, connection: Protocol): void {
    this.#queries[this.#ended++]?.handleCommandComplete(message, connection);
  }

  handleEmptyQuery(): void {
    this.#ended++;
  }

  handlePortalSuspended(): void {}

  /** The rows that it reads were sent with it. */
  handleCopyInResponse(): void {}

  handleCopyData(): void {}

  handleError(error: unknown): void {
    this.callback(error);
  }

  handleReadyForQuery(): void {
    this.callback(this.#fault);
  }

  /** @param error of the first statement that has not ended */
  #settle(error: unknown): void {
    const fault = error && (this.statements[this.#ended]?.faultOf?.(error) ?? error);
    for (const [at, query] of this.#queries.entries()) {
      if (fault && at >= this.#ended) query.handleError(fault);
      else query.handleReadyForQuery();
    }
  }
}
