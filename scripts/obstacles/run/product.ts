import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Client } from "../../../test/support/requests/client.ts";
import { post, ServerProcess, type ServerSetup } from "../../bed/server.ts";
import type { Recorded } from "../judge/run.ts";
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
    return { ...using(await server.client()), server, [Symbol.asyncDispose]: end };
  } catch (error) {
    await end();
    throw error;
  }
}

function using(client: Client): Omit<Product, typeof Symbol.asyncDispose> {
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
