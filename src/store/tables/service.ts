import type { Dialect } from "./sqlite-dialect.ts";

export function serviceTables(t: Dialect) {
  /** One row that this service stores about itself. */
  const service = t.table("service", {
    pk: t.integer().primaryKey(),
    /** When it last ran. */
    aliveAt: t.time().notNull(),
    /** When its clock was last steady: see `runner/steady-clock.ts`. */
    steadyAt: t.time(),
    /** The last time to which the clock was set back, and by how much: other nodes notice the same step a little later. */
    ...t.onPostgres(() => ({ setbackTo: t.time(), setbackBy: t.time() })),
    /** When a DNS server of the operator answered first (behavior 4.18). */
    dnsAnsweredAt: t.time(),
    /** All results in segments have a smaller number. */
    ...t.onSqlite(() => ({ sealedUntil: t.large() })),
  });

  /** The server processes on this database: at most one that is alive. */
  const nodes = t.table("nodes", {
    /** A random number that a process draws at its start. */
    pk: t.integer().primaryKey(),
    name: t.text().notNull(),
    version: t.text().notNull(),
    startedAt: t.time().notNull(),
    seenAt: t.time().notNull(),
    checksPerSecond: t.integer().notNull(),
    /** For how many days it keeps results; null for a version that does not say so. */
    retentionDays: t.integer(),
    /** The node has stopped, but its `retentionDays` still applies. */
    hasLeft: t.boolean().notNull().default(false),
  });

  /** One row after the first use of Web Push: the key pair by which push services know this server (RFC 8292). */
  const pushKeys = t.table("push_keys", {
    pk: t.integer().primaryKey(),
    publicKey: t.bytes().notNull(),
    privateKey: t.bytes().notNull(),
  });

  return { service, nodes, pushKeys };
}
