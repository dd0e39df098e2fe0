import { afterEach, beforeEach, describe, setDefaultTimeout } from "bun:test";
import pg from "pg";
import type { Claimant, Store } from "../../../src/store/store.ts";
import { runSql, sharedCluster } from "../../support/store/postgres/cluster.ts";
import { sharedPooler } from "../../support/store/postgres/pooler.ts";
import { openKept } from "../../support/store/postgres/postgres-store.ts";
import { findPrograms } from "../../support/store/postgres/programs.ts";
import { World } from "../contract/world.ts";

/** A server process, as the other one on the same database sees it. */
export interface Node {
  store: Store;
  by: Claimant;
}

/** Two nodes on one database. The world belongs to the first. */
export interface TwoNodes {
  /** Its name. */
  database: string;
  world: World;
  a: Node;
  b: Node;
  /** Runs a statement in a transaction that stays open. @returns ends the transaction */
  hold(statement: string): Promise<() => Promise<void>>;
  /** Runs a statement, for what no function of the store shows or leaves behind. */
  execute<Row extends object>(statement: string): Promise<Row[]>;
}

/** Runs tests on an empty database each, if PostgreSQL is installed. */
export function describeTwoNodes(name: string, define: (nodes: () => TwoNodes) => void): void {
  setDefaultTimeout(300_000);
  describe.skipIf(findPrograms() === undefined)(name, () => {
    let current: TwoNodes;

    beforeEach(async () => {
      const cluster = await sharedCluster();
      const route = process.env.TEST_ENGINE === "pgbouncer" ? await sharedPooler() : cluster;
      const opened = await openKept((store) => store, route);
      const world = await World.create(opened);
      const { database } = opened;
      const another = await world.opened.openAnother();
      current = {
        database,
        world,
        a: { store: world.store, by: { node: 11, place: 0, nodes: 2 } },
        b: { store: another, by: { node: 22, place: 1, nodes: 2 } },
        execute: (statement) => runSql(cluster.config(database), statement),
        hold: (statement) => hold(cluster.config(database), statement),
      };
    });

    // The connections of both nodes are kept.
    afterEach(() => current.world[Symbol.asyncDispose]());

    define(() => current);
  });
}

async function hold(config: pg.ClientConfig, statement: string): Promise<() => Promise<void>> {
  const client = new pg.Client(config);
  await client.connect();
  await client.query(`BEGIN; ${statement}`);
  return () => client.end();
}
