import type { Connections, Sql } from "../connections.ts";

type Query<Rest extends unknown[], Result> = (sql: Sql, ...rest: Rest) => Promise<Result>;
type Bound<Rest extends unknown[], Result> = (...rest: Rest) => Promise<Result>;

/** Binds a query to the kind of transaction that it needs. */
export interface Bind {
  /** For a single statement that looks for work: see `Connections.look`. */
  one<Rest extends unknown[], Result>(query: Query<Rest, Result>): Bound<Rest, Result>;
  /** For reads that must fit together. */
  read<Rest extends unknown[], Result>(query: Query<Rest, Result>): Bound<Rest, Result>;
  /** See `Connections.transaction`. */
  write<Rest extends unknown[], Result>(query: Query<Rest, Result>): Bound<Rest, Result>;
}

export function bindTo({ look, snapshot, transaction }: Connections): Bind {
  return {
    one:
      (work) =>
      (...rest) =>
        work({ query: look }, ...rest),
    read:
      (work) =>
      (...rest) =>
        snapshot((sql) => work(sql, ...rest)),
    write:
      (work) =>
      (...rest) =>
        transaction((sql) => work(sql, ...rest)),
  };
}
