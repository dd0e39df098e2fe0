import { Database } from "bun:sqlite";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Client } from "../../../test/support/requests/client.ts";
import { post, ServerProcess, type ServerSetup } from "../../bed/server.ts";
import type { Explained, Recorded } from "../judge/run.ts";
import type { Channel, Monitor } from "../scenario.ts";

/** `dist/stillup`, used by its API as a person would. */
export interface Product extends AsyncDisposable {
  /** @returns its ID */
  createChannel(channel: Channel): Promise<string>;
  createMonitor(
    name: string,
    monitor: Monitor,
    channelId: string,
  ): Promise<{ id: string; checkinUrl?: string }>;
  /** Oldest first, and without those that it recorded later than a time. */
  resultsOf(id: string, until: number): Promise<Recorded[]>;
  /** Undefined if it keeps none. */
  evidenceOf?(id: string): Promise<Explained[]>;
  statusOf(id: string): Promise<string>;
  adviceOf(id: string): Promise<string[]>;
  deleteMonitor(id: string): Promise<void>;
}

/** A folder for the files of a server. */
export async function createFolder(): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(join(tmpdir(), "stillup-obstacles-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

/** @param authority in PEM */
export async function startProduct({
  dns,
  authority,
  ...setup
}: ServerSetup & { dns: string; authority: string }): Promise<Product & { server: ServerProcess }> {
  const file = join(setup.folder, "authority.pem");
  await Bun.write(file, authority);
  const args = ["--log-level", "warn", "--dns-servers", dns];
  const server = new ServerProcess({ args, ...setup, env: { NODE_EXTRA_CA_CERTS: file, ...setup.env } });
  const end = () => server[Symbol.asyncDispose]();
  try {
    await server.start();
    return { ...using(await server.client(), server.dataDir), server, [Symbol.asyncDispose]: end };
  } catch (error) {
    await end();
    throw error;
  }
}

function using(client: Client, dataDir: string): Omit<Product, typeof Symbol.asyncDispose> {
  return {
    async createChannel(channel) {
      const { id } = await post(client, "/api/v1/alerts", { name: "witness", ...channel });
      return id;
    },
    createMonitor: (name, monitor, channelId) =>
      post(client, "/api/v1/monitors", { name, ...monitor, alertChannelIds: [channelId] }),
    async resultsOf(id, until) {
      const results: Recorded[] = [];
      let cursor = "";
      do {
        const { body } = await client.get(`/api/v1/monitors/${id}/results?limit=200${cursor}`);
        for (const { status, detail, createdAt } of body.data) {
          const { reason, seen } = detail ?? {};
          results.push({ status, reason, seen, createdAt: Date.parse(createdAt) });
        }
        cursor = body.cursor ? `&cursor=${body.cursor}` : "";
      } while (cursor);
      return results.filter(({ createdAt }) => createdAt <= until).reverse();
    },
    async evidenceOf(id) {
      const sizes = storedSizes(join(dataDir, "stillup.db"), id);
      const explained: Explained[] = [];
      let cursor = "";
      do {
        const { body } = await client.get(`/api/v1/monitors/${id}/evidence?limit=100${cursor}`);
        for (const { id: own, layer, summary, status, reason, at } of body.data) {
          const bytes = sizes.get(own) ?? null;
          explained.push({ layer, summary, status, reason: reason ?? undefined, at: Date.parse(at), bytes });
        }
        cursor = body.cursor ? `&cursor=${body.cursor}` : "";
      } while (cursor);
      return explained.reverse();
    },
    async statusOf(id) {
      return (await client.get(`/api/v1/monitors/${id}`)).body.data.status;
    },
    async adviceOf(id) {
      return (await client.get(`/api/v1/monitors/${id}/report`)).body.data.tls?.advice ?? [];
    },
    async deleteMonitor(id) {
      await client.delete(`/api/v1/monitors/${id}`);
    },
  };
}

/** How many bytes the facts of each evidence of a monitor take in the database, by its ID. */
function storedSizes(file: string, id: string): Map<string, number | null> {
  using database = new Database(file, { readonly: true });
  const rows = database.query<{ id: string; bytes: number | null }, [string]>(
    `SELECT evidence.id, length(evidence.data) AS bytes FROM evidence
     JOIN monitors ON monitors.pk = evidence.monitor_pk WHERE monitors.id = ?`,
  );
  return new Map(rows.all(id).map(({ id: own, bytes }) => [own, bytes]));
}
