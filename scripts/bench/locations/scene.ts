import { Database } from "bun:sqlite";
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { createFolder, type Running, run, serveWith } from "../support/processes.ts";

/** How many requests of the setup are under way at once. */
const AT_ONCE = 8;

/** A server of the compiled binary with a database of its own. */
export interface Server extends AsyncDisposable {
  pid: number;
  url: string;
  folder: string;
  /** @returns the `data` of the response @throws for another status than 2xx */
  api<T = { id: string }>(method: string, path: string, body?: object): Promise<T>;
  /** The results of a stretch of time, in milliseconds since 1970. */
  countResults(from: number, to: number): number;
}

export interface Probe extends Running {
  id: string;
  name: string;
}

export async function startServer(binary = "dist/stillup"): Promise<Server> {
  const folder = createFolder();
  const { pid, said: url, stop } = await serveWith(binary, folder.path, "--log-level", "error");
  const key = (await Bun.file(join(folder.path, "initial-owner-key")).text()).trim();
  return {
    pid,
    url,
    folder: folder.path,
    async api<T>(method: string, path: string, body?: object) {
      const response = await fetch(`${url}/api/v1/${path}`, {
        method,
        headers: { authorization: `Bearer ${key}` },
        ...(body && { body: JSON.stringify(body) }),
      });
      const { data, error } = (await response.json()) as { data: T; error?: string };
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${error}`);
      return data;
    },
    countResults(from, to) {
      using db = new Database(join(folder.path, "stillup.db"), { readonly: true });
      const counted = db
        .query<{ count: number }, [number, number]>(
          "SELECT count(*) AS count FROM check_results WHERE created_at >= ? AND created_at < ?",
        )
        .get(from, to);
      return counted?.count ?? 0;
    },
    async [Symbol.asyncDispose]() {
      await stop();
      folder[Symbol.dispose]();
    },
  };
}

/** Creates a location for each name, and starts its probe. */
export async function createProbes(server: Server, names: string[]): Promise<Probe[]> {
  return Promise.all(
    names.map(async (name) => {
      const location = { name };
      const { id, key } = await server.api<{ id: string; key: string }>("POST", "locations", location);
      const folder = join(server.folder, `probe-${name}`);
      mkdirSync(folder, { recursive: true });
      const keyFile = join(folder, "key");
      await Bun.write(keyFile, `${key}\n`);
      const args = ["--server", server.url, "--key-file", keyFile, "--data-dir", join(folder, "data")];
      return { id, name, ...(await run([resolve("dist/stillup"), "probe", ...args])) };
    }),
  );
}

/** @returns the IDs */
export async function createMonitors(
  server: Server,
  count: number,
  monitorOf: (at: number) => object,
): Promise<string[]> {
  const ids: string[] = [];
  for (let at = 0; at < count; at += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, count - at) }, (_, more) => {
      const monitor = { name: `monitor ${at + more}`, type: "HTTP", ...monitorOf(at + more) };
      return server.api("POST", "monitors", monitor);
    });
    ids.push(...(await Promise.all(some)).map(({ id }) => id));
  }
  return ids;
}
