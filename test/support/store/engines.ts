import type { Store } from "../../../src/store/store.ts";
import { sharedCluster } from "./postgres/cluster.ts";
import { sharedPooler } from "./postgres/pooler.ts";
import { openPostgres } from "./postgres/postgres-store.ts";
import { findPrograms } from "./postgres/programs.ts";
import { openSqlite } from "./sqlite/sqlite-store.ts";
import type { TestStore } from "./test-store.ts";

/** A storage engine that the contract suite runs against. */
export interface EngineUnderTest {
  name: EngineName;
  /** Opens a new and empty store. @param wrap changes each store that is opened */
  open(wrap?: (store: Store) => Store): Promise<TestStore>;
}

/** `pgbouncer` is PostgreSQL behind pgbouncer in transaction mode. */
export type EngineName = "sqlite" | "postgres" | "pgbouncer";

const unchanged = (store: Store) => store;

const byName: Record<EngineName, EngineUnderTest> = {
  sqlite: { name: "sqlite", open: async (wrap = unchanged) => openSqlite(wrap) },
  postgres: {
    name: "postgres",
    open: async (wrap = unchanged) => openPostgres((await sharedCluster()).config, wrap),
  },
  pgbouncer: {
    name: "pgbouncer",
    open: async (wrap = unchanged) => openPostgres((await sharedPooler()).config, wrap),
  },
};

/** The engine of tests that run on one engine: `TEST_ENGINE`, by default SQLite. @throws Error for an unknown name */
export function engineOfTests(): EngineUnderTest {
  const name = process.env.TEST_ENGINE ?? "sqlite";
  const engine = byName[name as EngineName];
  if (!engine) throw new Error(`TEST_ENGINE must be one of ${Object.keys(byName).join(", ")}: ${name}`);
  return engine;
}

/** The engines of the contract suite: all that this machine has, or the one that `TEST_ENGINE` names. */
export const engines: EngineUnderTest[] = findEngines();

function findEngines(): EngineUnderTest[] {
  if (process.env.TEST_ENGINE !== undefined) return [engineOfTests()];
  if (findPrograms()) return [byName.sqlite, byName.postgres];
  process.stderr.write("LEFT OUT: the contract of the store on PostgreSQL, which is not installed\n");
  return [byName.sqlite];
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
