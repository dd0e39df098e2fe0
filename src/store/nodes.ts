import { and, asc, between, eq, sql } from "drizzle-orm";
import type { Claimant } from "./engine-queries.ts";
import type { Sql, TimedTx, Tx } from "./tx.ts";

/** A server process. */
export interface NewNode {
  /** A random number that it draws at its start. */
  pk: number;
  name: string;
  version: string;
  /** For how many days it keeps results. */
  retentionDays: number;
}

/** A server process that has given a sign of life. Times are milliseconds since 1970. */
export interface NodeSummary extends Pick<NewNode, "name" | "version"> {
  lastSeenAt: number;
  /** Rounded. */
  checksPerSecond: number;
}

/** A node counts as alive for this time after its last sign of life, and is listed for an hour; milliseconds. */
const ALIVE_FOR = 15_000;
const LISTED_FOR = 3_600_000;

/** Earlier versions and copies see that a node which left is not alive; milliseconds. */
const LEFT_AGO = 60_000;

/**
 * Adds a node to the list, under a name that no live node has: `name`, `name-2`, `name-3` and so on.
 *
 * @returns its name
 */
export async function joinNodes(tx: TimedTx, node: NewNode): Promise<string> {
  await adoptOutages(tx);
  await tx.query("DELETE FROM nodes WHERE seen_at < $1", [tx.now - LISTED_FOR]);
  const others = (await liveNodes(tx)).filter(({ pk }) => pk !== node.pk);
  const name = freeName(node.name, new Set(others.map((one) => one.name)));
  await saveNode(tx, { ...node, name, checksPerSecond: 0 });
  return name;
}

/**
 * Stores a sign of life.
 *
 * @returns its place among the live nodes
 */
export async function noteNode(tx: TimedTx, node: NewNode & { checksPerSecond: number }): Promise<Claimant> {
  await saveNode(tx, node);
  const live = await liveNodes(tx);
  const place = live.findIndex(({ pk }) => pk === node.pk);
  return { node: node.pk, place, nodes: live.length };
}

/** Removes a node that ends from the list. Its retention counts for an hour, so that a restart deletes nothing. */
export async function leaveNodes({ db, tables: { nodes } }: Tx, pk: number): Promise<void> {
  await db
    .update(nodes)
    .set({ hasLeft: true, seenAt: sql`${nodes.seenAt} - ${LEFT_AGO}` })
    .where(eq(nodes.pk, pk));
}

const LIST_RETENTIONS = `SELECT DISTINCT retention_days AS days FROM nodes
  WHERE seen_at BETWEEN $1 AND $2 AND retention_days IS NOT NULL ORDER BY days`;

/** For how many days the nodes of the last hour keep results, the fewest first. @param now milliseconds since 1970 */
export async function listRetentions({ query }: Sql, now: number): Promise<number[]> {
  const rows = await query<{ days: number }>(LIST_RETENTIONS, [now - LISTED_FOR, now + LISTED_FOR]);
  return rows.map(({ days }) => days);
}

/** The nodes that gave a sign of life within the last hour, by name. */
export async function listNodes({ db, tables: { nodes }, now }: TimedTx): Promise<NodeSummary[]> {
  const { name, version, seenAt: lastSeenAt, checksPerSecond } = nodes;
  return db
    .select({ name, version, lastSeenAt, checksPerSecond })
    .from(nodes)
    .where(and(between(nodes.seenAt, now - LISTED_FOR, now + LISTED_FOR), eq(nodes.hasLeft, false)))
    .orderBy(asc(nodes.name), asc(nodes.pk));
}

const LIST_LIVE = `SELECT pk, name FROM nodes
  WHERE seen_at BETWEEN $1 AND $2 AND NOT has_left ORDER BY pk`;

/** A sign of life from the future is from before the clock was set back. */
async function liveNodes({ query, now }: TimedTx): Promise<{ pk: number; name: string }[]> {
  return query(LIST_LIVE, [now - ALIVE_FOR, now + ALIVE_FOR]);
}

const SAVE = `INSERT INTO nodes (pk, name, version, retention_days, checks_per_second, started_at, seen_at, has_left)
  VALUES ($1, $2, $3, $4, $5, $6, $6, FALSE)
  ON CONFLICT (pk) DO UPDATE SET name = $2, checks_per_second = $5, seen_at = $6`;

async function saveNode(
  { query, now }: TimedTx,
  { pk, name, version, retentionDays, checksPerSecond }: NewNode & { checksPerSecond: number },
): Promise<void> {
  await query(SAVE, [pk, name, version, retentionDays, checksPerSecond, now]);
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  let number = 2;
  while (taken.has(`${name}-${number}`)) number++;
  return `${name}-${number}`;
}

/**
 * Gives outages their organization that a node of the previous version has recorded during an upgrade. To be called when a node
 * starts: one that replaces the last such node finds all of them.
 */
async function adoptOutages({ query }: Sql): Promise<void> {
  await query(ADOPT_OUTAGES);
}

const ADOPT_OUTAGES = `UPDATE outages
  SET organization_pk = (SELECT organization_pk FROM monitors WHERE monitors.pk = outages.monitor_pk)
  WHERE organization_pk = 0 AND monitor_pk IN (SELECT pk FROM monitors)`;
