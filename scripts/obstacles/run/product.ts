import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../../test/support/free-port.ts";
import { Client } from "../../../test/support/requests/client.ts";
import { createServer } from "../../bench/faults/server.ts";
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
  /** Sends a signal to its process. */
  signal(name: NodeJS.Signals): void;
}

/** @param authority in PEM @param settings by their variables */
export async function startProduct({
  dns,
  authority,
  settings = {},
}: {
  dns: string;
  authority: string;
  settings?: Record<string, string>;
}): Promise<Product> {
  const folder = await mkdtemp(join(tmpdir(), "stillup-obstacles-"));
  const file = join(folder, "authority.pem");
  await Bun.write(file, authority);
  const env = { NODE_EXTRA_CA_CERTS: file, ...settings };
  const server = createServer(folder, { host: "127.0.0.1", port: freePort(), dns }, { env });
  const end = async () => {
    await server.end("SIGKILL");
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await server.start();
    const key = await Bun.file(join(server.dataDir, "initial-owner-key")).text();
    const client = new Client(server.url, key.trim());
    return { ...using(client), signal: server.signal, [Symbol.asyncDispose]: end };
  } catch (error) {
    await end();
    throw error;
  }
}

function using(client: Client): Omit<Product, "signal" | typeof Symbol.asyncDispose> {
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

async function post(
  client: Client,
  path: string,
  body: object,
): Promise<{ id: string; checkinUrl?: string }> {
  const { status, body: answer } = await client.post(path, body);
  if (status >= 300) throw new Error(`POST ${path} was answered ${status}: ${JSON.stringify(answer)}`);
  return answer.data;
}
