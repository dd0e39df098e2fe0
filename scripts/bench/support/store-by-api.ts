import { Database } from "bun:sqlite";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createFolder, serveWith } from "./processes.ts";

/** A data directory that a binary of any version has created itself. */
export interface StoreByApi extends Disposable {
  folder: string;
  /** The key of its owner. */
  key: string;
  /** How many results there are since a time in milliseconds since 1970, beside a server that runs. */
  count(from?: number): number;
  /** How many checks have failed since then, by their message. */
  failures(from: number): { message: string; count: number }[];
  /** When each monitor is due, by its URL; milliseconds since 1970. */
  listDue(): { url: string; dueAt: number }[];
  /** Makes all monitors due at a time, or one after another within so many milliseconds from then, while no server runs. */
  makeDue(at: number, within?: number): void;
}

/** Creates one HTTP monitor by a request, stops the server, and copies the monitor. @param interval seconds */
export async function createStoreByApi(
  binary: string,
  { urls, interval }: { urls: string[]; interval: number },
): Promise<StoreByApi> {
  const folder = createFolder();
  const server = await serveWith(binary, folder.path, "--log-level", "error");
  const key = readFileSync(join(folder.path, "initial-owner-key"), "utf8").trim();
  await post(server.said, key, { url: urls[0], interval });
  await server.stop();
  const db = new Database(join(folder.path, "stillup.db"));
  db.transaction(() => copyMonitor(db, urls.slice(1)))();
  return {
    folder: folder.path,
    key,
    ...queriesOf(db),
    [Symbol.dispose]() {
      db.close();
      folder[Symbol.dispose]();
    },
  };
}

/** Copies the rows of the only monitor, whatever columns this version has. */
function copyMonitor(db: Database, urls: string[]): void {
  const replaced: Record<string, string> = {
    pk: "pk + ?1",
    monitor_pk: "monitor_pk + ?1",
    id: "id || ?1",
    config: "json_set(config, '$.url', ?2)",
  };
  for (const table of ["monitors", "monitor_states"]) {
    const columns = db
      .query<{ name: string }, [string]>("SELECT name FROM pragma_table_info(?)")
      .all(table)
      .map(({ name }) => name);
    if (columns.length === 0) continue;
    const values = columns.map((name) => replaced[name] ?? name);
    const key = columns.includes("monitor_pk") ? "monitor_pk" : "pk";
    const copy = db.query<unknown, (number | string)[]>(
      `INSERT INTO ${table} (${columns}) SELECT ${values} FROM ${table} WHERE ${key} = (SELECT min(pk) FROM monitors)`,
    );
    for (const [at, url] of urls.entries()) copy.run(at + 1, ...(columns.includes("config") ? [url] : []));
  }
}

function queriesOf(db: Database): Pick<StoreByApi, "count" | "failures" | "listDue" | "makeDue"> {
  const hasStates = db.query("SELECT 1 FROM pragma_table_info('monitor_states')").get() !== null;
  const due = hasStates ? "monitors JOIN monitor_states ON monitor_pk = monitors.pk" : "monitors";
  return {
    count: (from = 0) =>
      db
        .query<{ count: number }, [number]>(
          "SELECT count(*) AS count FROM check_results WHERE created_at >= ?",
        )
        .get(from)?.count ?? 0,
    failures: (from) =>
      db
        .query<{ message: string; count: number }, [number]>(
          `SELECT text ->> 'message' AS message, count(*) AS count
           FROM check_results JOIN details ON details.pk = detail_pk
           WHERE check_results.created_at >= ? AND text ->> 'reason' IS NOT NULL GROUP BY 1 ORDER BY 2 DESC`,
        )
        .all(from),
    listDue: () =>
      db
        .query<{ url: string; dueAt: number }, []>(
          `SELECT config ->> 'url' AS url, next_check_at AS dueAt FROM ${due}`,
        )
        .all(),
    makeDue: (at, within = 0) => {
      const [table, pk] = hasStates ? ["monitor_states", "monitor_pk"] : ["monitors", "pk"];
      const count =
        db.query<{ count: number }, []>(`SELECT count(*) AS count FROM ${table}`).get()?.count ?? 1;
      db.run(`UPDATE ${table} SET next_check_at = ? + ? * ((${pk} * 7919) % ?) / ?`, [
        at,
        within,
        count,
        count,
      ]);
    },
  };
}

async function post(url: string, key: string, config: object): Promise<void> {
  const response = await fetch(`${url}/api/v1/monitors`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: JSON.stringify({ name: "a monitor", type: "HTTP", config }),
  });
  if (!response.ok) throw new Error(`POST /api/v1/monitors: ${response.status}`);
  await response.body?.cancel();
}
