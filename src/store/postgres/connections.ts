import { drizzle } from "drizzle-orm/node-postgres";
import type pg from "pg";
import { StorageFault } from "../../errors.ts";
import type { CopiedRow } from "../copy.ts";
import type { Engine } from "../engine.ts";
import { DamagedSegments } from "../results/segment-rows.ts";
import type { Sql, Tx } from "../tx.ts";
import { cancelStatement } from "./cancel.ts";
import { ConnectionPool } from "./connection-pool.ts";
import { copyOf } from "./copy-in.ts";
import { Link } from "./link.ts";
import { classified, isConflict } from "./reach.ts";
import { readsOf } from "./results/reads.ts";
import * as tables from "./schema.ts";
import { setsOf } from "./sets.ts";
import type { Statement } from "./statements.ts";
import { arrayOf, asParameters } from "./values.ts";

/**
 * The connections to the database. Statements of a transaction run one after the other on one connection; transactions
 * run concurrently. Nothing is kept in a session, so a pooler in transaction mode may be in between: no named statements,
 * no session settings, no `LISTEN`, no session locks.
 *
 * Errors of the database or the connection are thrown as `StorageFault`.
 */
export interface Connections
  extends Pick<
    Engine,
    "write" | "writeApart" | "writeMany" | "writeWithoutSync" | "read" | "poll" | "editMark"
  > {
  /**
   * Runs the engine's own SQL in a transaction: READ COMMITTED, so each statement sees what is committed when it begins.
   * The work is repeated if it deadlocks with other work, so it must have no effect outside of the database.
   *
   * @param within milliseconds in which it must end, for work that is longer than others
   */
  transaction<Result>(work: (tx: PostgresTx) => Promise<Result>, within?: number): Promise<Result>;
  /** A single statement of a reader, which is its own transaction. */
  query: Sql["query"];
  /** The segments that reads left out. */
  damaged: DamagedSegments;
  close(): Promise<void>;
}

/** A transaction of this engine. */
export interface PostgresTx extends Tx {
  /**
   * Like `query`, but sent with the next statement, or with the end of the transaction: if it fails, so does what follows it.
   *
   * @returns not to be awaited before another statement is sent
   */
  queue<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Queues a `COPY … FROM STDIN`. @param faultOf the error to throw if it fails */
  queueCopy(text: string, rows: readonly CopiedRow[], faultOf: (error: unknown) => unknown): void;
}

/** Runs work in a transaction. @param within milliseconds in which it must end */
export type Transaction = <Result>(work: (sql: Sql) => Promise<Result>, within?: number) => Promise<Result>;

/** Connections for work that must not wait for others: claims, recordings, signs of life; and for what users read. */
const WRITE_CONNECTIONS = 6;
const READ_CONNECTIONS = 6;

/** For edits of users, which run one at a time. */
const EDIT_CONNECTIONS = 1;

/** Milliseconds in which a piece of work must end, connecting included: a request is answered within 10 s. */
const DEADLINE = 8000;
/** The same for an edit of many monitors. */
const LONG_EDIT_WITHIN = 60_000;
/** The server ends a statement after the deadline. A connection is broken if it is silent for this time longer; milliseconds. */
const MAX_SILENCE = 1000;
/** Milliseconds, the wait for a free connection included. */
const CONNECT_TIMEOUT = 5000;

/** For how long work is repeated that others get in the way of, and the longest pause before that, in milliseconds. */
const REPEAT_FOR = 4000;
const MAX_PAUSE = 100;

/** A node that stops or is cut off within a transaction keeps its locks for this time, and others wait; milliseconds. */
const MAX_IDLE = 3000;

/**
 * A way to connect.
 *
 * @property ownTimeouts which of `statement_timeout`, `lock_timeout` and `transaction_timeout` the role or the database has set
 * @property patience the factor by which work may last longer: for tests, on a machine with much other work
 */
export interface DatabaseConfig extends pg.ClientConfig {
  ownTimeouts?: readonly string[];
  patience?: number;
}

/**
 * How transactions begin. The limits are set with each `BEGIN`, because a session of a pooler is not ours: the server then ends
 * what a dead client left. They are all set, and the level is named, because a role or a database may have others.
 */
function beginningsOf(ownTimeouts: readonly string[], deadline: number) {
  // Unknown before version 17.
  const unlimited = ownTimeouts.includes("transaction_timeout") ? ["SET LOCAL transaction_timeout = 0"] : [];
  const begin = (mode: string, idle: number, ...more: string[]): Statement[] =>
    [
      `BEGIN ISOLATION LEVEL ${mode}`,
      `SET LOCAL statement_timeout = ${deadline}`,
      "SET LOCAL lock_timeout = 0",
      `SET LOCAL idle_in_transaction_session_timeout = ${idle}`,
      ...unlimited,
      ...more,
    ].map((text) => ({ text }));
  const lockEdits = "LOCK TABLE schema_versions IN SHARE ROW EXCLUSIVE MODE";
  return {
    work: begin("READ COMMITTED", MAX_IDLE),
    soon: begin("READ COMMITTED", MAX_IDLE, "SET LOCAL synchronous_commit = off"),
    /**
     * Edits of all nodes run one at a time, as on SQLite: run at the same time, most of them would conflict, and a burst would
     * fail although it was repeated. This table is locked because nothing but a migration writes to it. The snapshot is taken
     * after the lock: `LOCK TABLE` needs none.
     */
    edit: begin("SERIALIZABLE", MAX_IDLE, lockEdits),
    /**
     * Recordings change the states of monitors all the time, so a long transaction on one snapshot would conflict with them
     * again and again. This one sees what is committed, and locks the states that it changes.
     */
    longEdit: begin("READ COMMITTED", deadline, lockEdits),
    snapshot: begin("REPEATABLE READ READ ONLY", 2 * deadline),
    /** For a single statement, which needs no transaction unless a limit of the role applies to it. */
    single: ownTimeouts.length > 0 ? begin("READ COMMITTED", MAX_IDLE) : undefined,
  };
}

/** Until then, only other edits wait for this one, which may have thousands of changes to plan. */
const LOCK_SOON = `SET LOCAL idle_in_transaction_session_timeout = ${MAX_IDLE}`;
const LOCK_STATES = `SELECT monitor_pk FROM monitor_states
  WHERE monitor_pk = ANY($1::integer[]) ORDER BY monitor_pk FOR UPDATE`;
/**
 * Writes the same value. This aborts a concurrent serializable transaction that disables or deletes the channel and cannot see
 * the new deliveries; it is then repeated. A row lock would not abort it. The edit of a monitor that unbinds a channel ends by the
 * update of the monitor's state.
 */
const LOCK_CHANNELS = `UPDATE alert_channels SET claim = alert_channels.claim
  FROM (SELECT pk FROM alert_channels WHERE pk = ANY($1::integer[]) ORDER BY pk FOR NO KEY UPDATE) AS locked
  WHERE alert_channels.pk = locked.pk`;
/**
 * Statistics that autovacuum took during an edit of many monitors say that there are hardly any. Until the next ones, in a minute or
 * later, lists would read all monitors for each of them.
 */
const REFRESH_STATISTICS = "ANALYZE monitors, monitor_states, monitor_dependencies, alert_bindings";
/** @param config how to reach the database @param onError receives errors of idle connections */
export function openConnections(
  { ownTimeouts = [], patience = 1, ...config }: DatabaseConfig,
  onError: (error: Error) => void = () => {},
): Connections {
  const deadline = DEADLINE * patience;
  const begin = beginningsOf(ownTimeouts, deadline);
  const trust = { since: Number.NEGATIVE_INFINITY };
  const poolOf = (max: number, connectWithin = CONNECT_TIMEOUT * patience) =>
    new ConnectionPool(
      {
        application_name: "stillup",
        query_timeout: deadline + MAX_SILENCE,
        ...config,
        max,
        connectionTimeoutMillis: connectWithin,
        idleTimeoutMillis: 30_000,
        keepAlive: true,
        keepAliveInitialDelayMillis: 5000,
      },
      { trust, onError },
    );
  const [writes, reads] = [poolOf(WRITE_CONNECTIONS), poolOf(READ_CONNECTIONS)];
  const edits = poolOf(EDIT_CONNECTIONS, deadline);
  const repeat = <Result>(work: () => Promise<Result>) => repeated(work, REPEAT_FOR * patience);
  const transact = <Result>(
    pool: ConnectionPool,
    beginning: readonly Statement[],
    work: (client: pg.PoolClient) => Promise<Result>,
    within = deadline,
  ) => withClient(pool, transactionOf(beginning, work), within);
  const single =
    (pool: ConnectionPool): Sql["query"] =>
    (text, values) => {
      if (begin.single) return transact(pool, begin.single, (client) => txOf(client).query(text, values));
      const run = async (client: pg.PoolClient) =>
        (await client.query(text, asParameters(values ?? []))).rows;
      return withClient(pool, run, deadline);
    };
  const damaged = new DamagedSegments();
  const txOf = (client: pg.PoolClient) => knownTxOf(client, damaged);

  return {
    // Other nodes edit too.
    editMark: () => undefined,
    write: (work) => repeat(() => transact(edits, begin.edit, (client) => work(txOf(client)))),
    async writeMany(work) {
      const result = await repeat(() =>
        transact(
          edits,
          begin.longEdit,
          (client) =>
            work(txOf(client), async (pks) => {
              void linkOf(client).queue({ text: LOCK_SOON });
              await linkOf(client).send({ text: LOCK_STATES, values: [arrayOf(pks)] });
            }),
          LONG_EDIT_WITHIN,
        ),
      );
      // The edit is done, whatever becomes of this.
      await withClient(writes, (client) => client.query(REFRESH_STATISTICS), deadline).catch(() => {});
      return result;
    },
    writeApart: (work) => repeat(() => transact(writes, begin.work, (client) => work(txOf(client)))),
    writeWithoutSync: (work) => repeat(() => transact(writes, begin.soon, (client) => work(txOf(client)))),
    read: (work) => transact(reads, begin.snapshot, (client) => work(txOf(client))),
    transaction: (work, within) =>
      repeat(() => transact(writes, begin.work, (client) => work(txOf(client)), within)),
    query: single(reads),
    poll: single(writes),
    damaged,
    async close() {
      await Promise.all([writes, reads, edits].map((pool) => pool.end()));
    },
  };
}

/** Repeats work that conflicts with other work, as `SERIALIZABLE` demands. */
async function repeated<Result>(work: () => Promise<Result>, during: number): Promise<Result> {
  const end = performance.now() + during;
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      const cause = error instanceof StorageFault ? error.cause : error;
      if (!isConflict(cause) || performance.now() > end) throw error;
      // Random, so that those who met here do not meet again.
      await Bun.sleep(Math.random() * Math.min(MAX_PAUSE, 2 ** tries));
    }
  }
}

/** @param beginning the statements with which the transaction begins */
function transactionOf<Result>(
  beginning: readonly Statement[],
  work: (client: pg.PoolClient) => Promise<Result>,
) {
  return async (client: pg.PoolClient): Promise<Result> => {
    const link = linkOf(client);
    link.begin(beginning);
    try {
      const result = await work(client);
      await link.commit();
      return result;
    } catch (error) {
      // When a broken connection is closed, the server rolls back. A silent one would not answer.
      if (!isBreaking(error)) await link.rollback().catch(() => {});
      throw error;
    }
  };
}

/** Runs work on a connection of its own. If it fails to end in time, it is cancelled and the connection closed. */
async function withClient<Result>(
  pool: ConnectionPool,
  work: (client: pg.PoolClient) => Promise<Result>,
  within: number,
): Promise<Result> {
  let client: pg.PoolClient | undefined;
  let isBroken = false;
  let cancelled: Promise<void> | undefined;
  const onError = () => {
    isBroken = true;
  };
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    isBroken = true;
    if (client) cancelled = cancelStatement(client);
    late.reject(new StorageFault(new Error(`the database did not answer within ${within / 1000} s`)));
  }, within);
  try {
    const run = async () => {
      const opened = await pool.take();
      if (isBroken) {
        pool.giveBack(opened, false);
        throw new Error("too late");
      }
      client = opened;
      // Without a listener, an error of the connection would end the process.
      opened.on("error", onError);
      return work(opened);
    };
    const running = run();
    running.catch(() => {});
    return await Promise.race([running, late.promise]);
  } catch (error) {
    isBroken ||= isBreaking(error);
    if (client && isBroken) pool.suspectIdle(client);
    throw classified(error);
  } finally {
    clearTimeout(timer);
    const release = () => {
      client?.off("error", onError);
      if (client) pool.giveBack(client, isBroken);
    };
    // A pooler forwards the request only while the connection is open.
    if (cancelled) void cancelled.then(release);
    else release();
  }
}

/** Whether the connection is not to be used again. */
function isBreaking(error: unknown): boolean {
  const fault = classified(error);
  return fault instanceof StorageFault && !isConflict(fault.cause);
}

const links = new WeakMap<pg.PoolClient, Link>();

function linkOf(client: pg.PoolClient): Link {
  const link = links.get(client) ?? new Link(client);
  links.set(client, link);
  return link;
}

const transactions = new WeakMap<pg.PoolClient, PostgresTx>();

/** An engine-neutral transaction has the types of SQLite: see `tx.ts`. */
function knownTxOf(client: pg.PoolClient, damaged: DamagedSegments): PostgresTx {
  const known = transactions.get(client);
  if (known) return known;
  const link = linkOf(client);
  const rowsOf = async <Row>(outcome: Promise<pg.QueryResult>) => (await outcome).rows as Row[];
  const sql: Sql = {
    query: (text, values = []) => rowsOf(link.send({ text, values: asParameters(values) })),
    damaged,
  };
  const created: PostgresTx = {
    db: drizzle(escaping(link), { casing: "snake_case" }) as unknown as Tx["db"],
    tables: tables as unknown as Tx["tables"],
    ...sql,
    sets: setsOf(sql),
    reads: readsOf(sql),
    queue(text, values = []) {
      const rows = rowsOf<never>(link.queue({ text, values: asParameters(values) }));
      rows.catch(() => {});
      return rows;
    },
    queueCopy: (text, rows, faultOf) => void link.queue({ ...copyOf(text, rows), faultOf }),
    async lockStates(pks) {
      if (pks.length > 0) await link.send({ text: LOCK_STATES, values: [arrayOf(pks)] });
    },
    async lockChannels(pks) {
      if (pks.length > 0) await link.send({ text: LOCK_CHANNELS, values: [arrayOf(pks)] });
    },
  };
  transactions.set(client, created);
  return created;
}

/** All that drizzle calls: the transaction has begun. */
function escaping(link: Link): pg.PoolClient {
  const query = (config: pg.QueryConfig, values: unknown[]) =>
    link.send({ ...config, values: asParameters(values ?? []) });
  return { query } as unknown as pg.PoolClient;
}
