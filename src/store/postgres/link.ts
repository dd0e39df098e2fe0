import type pg from "pg";
import { type Statement, sendTogether } from "./statements.ts";

/** A statement that waits for the next one. */
interface Queued {
  statement: Statement;
  resolve: (outcome: Promise<pg.QueryResult> | undefined) => void;
}

/**
 * The transactions of a connection, one after the other. The database may be some milliseconds away: what begins a transaction and what
 * is queued is sent in one message with the next statement, or with the `COMMIT`.
 */
export class Link {
  #queue: Queued[] = [];
  /** Whether anything of this transaction was sent. */
  #isOpen = false;
  #beginning: readonly Statement[] = [];

  constructor(private readonly client: pg.ClientBase) {}

  /** @param beginning the statements with which the next transaction begins */
  begin(beginning: readonly Statement[]): void {
    [this.#queue, this.#isOpen, this.#beginning] = [[], false, beginning];
  }

  /**
   * Runs a statement before the next one. If it fails, so does whatever follows it.
   *
   * @returns not to be awaited before another statement is sent
   */
  queue(statement: Statement): Promise<pg.QueryResult> {
    const { promise, resolve } = Promise.withResolvers<pg.QueryResult>();
    promise.catch(() => {});
    this.#queue.push({ statement, resolve: resolve as Queued["resolve"] });
    return promise;
  }

  async send(statement: Statement): Promise<pg.QueryResult> {
    const outcome = this.#sendAll(statement);
    try {
      return await outcome;
    } catch (error) {
      // The stack of `pg` begins at the socket.
      if (error instanceof Error) Error.captureStackTrace(error);
      throw error;
    }
  }

  async #sendAll(statement: Statement): Promise<pg.QueryResult> {
    if (!hasSeveral(statement)) {
      const outcome = this.queue(statement);
      this.#flush();
      return outcome;
    }
    const before = this.#flush();
    await Promise.all(before);
    return this.client.query(statement.text);
  }

  #flush(): Promise<pg.QueryResult>[] {
    const queue = this.#queue;
    this.#queue = [];
    const beginning = this.#isOpen ? [] : this.#beginning;
    this.#isOpen = true;
    const statements = [...beginning, ...queue.map((one) => one.statement)];
    const outcomes = statements.length > 0 ? sendTogether(this.client, statements) : [];
    for (const [at, { resolve }] of queue.entries()) resolve(outcomes[beginning.length + at]);
    return outcomes;
  }

  async commit(): Promise<void> {
    if (this.#isOpen || this.#queue.length > 0) await this.send({ text: "COMMIT" });
  }

  async rollback(): Promise<void> {
    this.#queue = [];
    if (this.#isOpen) await this.client.query("ROLLBACK");
  }
}

/** Whether a text may have several commands, as migrations do: the server refuses it in a message with others. */
function hasSeveral({ text, values = [] }: Statement): boolean {
  return values.length === 0 && text.includes(";");
}
