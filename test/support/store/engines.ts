import type { Store } from "../../../src/store/store.ts";
import { packing } from "./packed.ts";
import { sharedCluster } from "./postgres/cluster.ts";
import { createTestDatabase, dropDatabase } from "./postgres/databases.ts";
import type { Route } from "./postgres/kept-databases.ts";
import { sharedPooler } from "./postgres/pooler.ts";
import { openKept, openPostgres } from "./postgres/postgres-store.ts";
import { findPrograms } from "./postgres/programs.ts";
import { openSqlite } from "./sqlite/sqlite-store.ts";
import type { ServerData, TestStore } from "./test-store.ts";

/** A storage engine that the contract suite runs against. */
export interface EngineUnderTest extends Traits {
  name: EngineName;
  /** Opens a new and empty store. @param wrap changes each store that is opened */
  open(wrap?: (store: Store) => Store): Promise<TestStore>;
  /** Creates a database for a server that runs in a directory. */
  createFor(dir: string): Promise<ServerData>;
}

/** In which respect engines keep the contract differently. */
interface Traits {
  /** Whether it makes backups; otherwise programs of the database do. */
  backsUp: boolean;
  /** Whether a commit may return before its sync to the disk. */
  syncsLater: boolean;
  /** Whether writes that are called at the same time run in the order of the calls. */
  ordersWrites: boolean;
  /** Whether its numbers of changes stay the same until there is a change. */
  numbersChanges: boolean;
  /** Whether several nodes may use one database. */
  isShared: boolean;
}

const ONE_PROCESS: Traits = {
  backsUp: true,
  syncsLater: true,
  ordersWrites: true,
  numbersChanges: true,
  isShared: false,
};

const MANY_NODES: Traits = {
  backsUp: false,
  syncsLater: false,
  ordersWrites: false,
  numbersChanges: false,
  isShared: true,
};

/**
 * `packed` is SQLite whose results are all packed at once. `pgbouncer` is PostgreSQL behind pgbouncer in transaction mode.
 */
export type EngineName = "sqlite" | "packed" | "postgres" | "pgbouncer";

const unchanged = (store: Store) => store;

export const enginesByName: Record<EngineName, EngineUnderTest> = {
  sqlite: {
    name: "sqlite",
    ...ONE_PROCESS,
    open: async (wrap = unchanged) => openSqlite(wrap),
    async createFor(dir) {
      const kept = { path: dir, [Symbol.dispose]() {} };
      return { env: {}, open: async () => openSqlite(unchanged, kept), delete() {} };
    },
  },
  packed: {
    name: "packed",
    ...ONE_PROCESS,
    open: async (wrap = unchanged) => openSqlite((store) => wrap(packing(store))),
    async createFor(dir) {
      const kept = { path: dir, [Symbol.dispose]() {} };
      return { env: {}, open: async () => openSqlite(packing, kept), delete() {} };
    },
  },
  postgres: {
    ...postgresBehind("postgres", sharedCluster),
    open: async (wrap = unchanged) => openKept(wrap, await sharedCluster()),
  },
  pgbouncer: postgresBehind("pgbouncer", sharedPooler),
};

function postgresBehind(name: EngineName, route: () => Promise<Route>): EngineUnderTest {
  return {
    name,
    ...MANY_NODES,
    open: async (wrap = unchanged) => openPostgres(await route(), await createTestDatabase(), wrap),
    async createFor() {
      const database = await createTestDatabase();
      const way = await route();
      return {
        env: { STILLUP_DATABASE_URL: way.url(database) },
        open: () => openPostgres(way, database, unchanged, false),
        delete: () => dropDatabase(database),
      };
    },
  };
}

/** The engine of tests that run on one engine: `TEST_ENGINE`, by default SQLite. @throws Error for an unknown name */
export function engineOfTests(): EngineUnderTest {
  const name = process.env.TEST_ENGINE ?? "sqlite";
  const engine = enginesByName[name as EngineName];
  if (!engine)
    throw new Error(`TEST_ENGINE must be one of ${Object.keys(enginesByName).join(", ")}: ${name}`);
  return engine;
}

/** The engines of the contract suite: all that this machine has, or the one that `TEST_ENGINE` names. */
export const engines: EngineUnderTest[] = findEngines();

function findEngines(): EngineUnderTest[] {
  if (process.env.TEST_ENGINE !== undefined) return [engineOfTests()];
  if (findPrograms()) return [enginesByName.sqlite, enginesByName.packed, enginesByName.postgres];
  process.stderr.write("LEFT OUT: the contract of the store on PostgreSQL, which is not installed\n");
  return [enginesByName.sqlite, enginesByName.packed];
}

/** The names of all methods of a store, such as `monitors.create` and `close`. */
export function methodsOf(store: object): string[] {
  return Object.entries(store).flatMap(([name, value]) =>
    typeof value === "function" ? [name] : methodsOf(value).map((method) => `${name}.${method}`),
  );
}

/** A store that adds the name of each method to `calls` when a call succeeds. */
export function recordCalls<Target extends object>(target: Target, calls: Set<string>, path = ""): Target {
  return new Proxy(target, {
    get(object, key) {
      const value: unknown = Reflect.get(object, key);
      const name = path + String(key);
      if (typeof value === "function") return recorded(value, () => calls.add(name));
      return typeof value === "object" && value !== null ? recordCalls(value, calls, `${name}.`) : value;
    },
  });
}

function recorded(method: object, note: () => void) {
  return (...given: unknown[]): unknown => {
    const result = Reflect.apply(method as (...given: unknown[]) => unknown, undefined, given);
    if (result instanceof Promise) result.then(note, () => {});
    else note();
    return result;
  };
}
