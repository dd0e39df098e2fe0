import { createApp } from "../../../src/app.ts";
import { type Flags, readConfig } from "../../../src/config.ts";
import { createLogger } from "../../../src/log.ts";
import { Client } from "../requests/client.ts";
import { tempDir } from "../temp-dir.ts";

/** A node: the whole product in this process, on a database of PostgreSQL. */
export interface TestNode extends AsyncDisposable {
  /** With the initial owner key, if this node made it, else without a key. */
  client: Client;
  /** The time by which it works, in milliseconds since 1970. */
  now(): number;
}

export async function startNode(databaseUrl: string, flags: Flags = {}): Promise<TestNode> {
  const dir = tempDir();
  const surroundings = { env: {}, isTerminal: false };
  const config = readConfig({ port: "0", dataDir: dir.path, databaseUrl, ...flags }, surroundings);
  const app = await createApp(config, createLogger({ level: "silent" }));
  const { url, initialKey } = await app.start();
  return {
    client: new Client(url, initialKey),
    now: app.clock.now,
    async [Symbol.asyncDispose]() {
      await app.stop();
      dir[Symbol.dispose]();
    },
  };
}
