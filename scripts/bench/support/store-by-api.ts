import { Database } from "bun:sqlite";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createFolder, serveWith } from "./processes.ts";

/** A data directory that a binary of any version has created itself. */
export interface StoreByApi extends Disposable {
  folder: string;
  /** How many results there are, beside a server that runs. */
  count(): number;
  /** The IDs of the monitors, in the order of their configs. */
  ids: string[];
}

const CONCURRENT_REQUESTS = 50;

/** Creates HTTP monitors by requests, and stops the server. */
export async function createStoreByApi(binary: string, configs: object[]): Promise<StoreByApi> {
  const folder = createFolder();
  const server = await serveWith(binary, folder.path, "--log-level", "error");
  const key = readFileSync(join(folder.path, "initial-owner-key"), "utf8").trim();
  const ids: string[] = Array(configs.length);
  let next = 0;
  const create = async () => {
    for (let at = next++; at < configs.length; at = next++)
      ids[at] = await post(server.said, key, configs[at] ?? {});
  };
  await Promise.all(Array.from({ length: CONCURRENT_REQUESTS }, create));
  await server.stop();
  const db = new Database(join(folder.path, "stillup.db"), { readonly: true });
  const counted = db.query<{ count: number }, []>("SELECT count(*) AS count FROM check_results");
  return {
    folder: folder.path,
    ids,
    count: () => counted.get()?.count ?? 0,
    [Symbol.dispose]() {
      db.close();
      folder[Symbol.dispose]();
    },
  };
}

async function post(url: string, key: string, config: object): Promise<string> {
  const response = await fetch(`${url}/api/v1/monitors`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: JSON.stringify({ name: "a monitor", type: "HTTP", config }),
  });
  if (!response.ok) throw new Error(`POST /api/v1/monitors: ${response.status}`);
  return ((await response.json()) as { data: { id: string } }).data.id;
}
