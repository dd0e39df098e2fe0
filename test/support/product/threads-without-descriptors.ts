/**
 * Prints what becomes of work that needs a new thread while no file descriptor is free, and afterwards: a password, a request to a
 * provider, checkpoints of a database, and a probe thread that has died.
 */
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { createLogger } from "../../../src/log.ts";
import { startProbeThread } from "../../../src/probes/probe-thread.ts";
import { createProviderRequests } from "../../../src/runner/people/oidc/provider.ts";
import { createPasswords } from "../../../src/runner/people/passwords.ts";
import { createCheckpoints } from "../../../src/store/sqlite/driver.ts";
import { openDatabase } from "../../../src/store/sqlite/open.ts";
import { systemClock } from "../clock.ts";
import { eventually } from "../eventually.ts";
import { tempDir } from "../temp-dir.ts";

const entry = (path: string) => new URL(path, import.meta.url);
const messageOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    ({ message }: Error) => message,
  );

using dir = tempDir();
const { $client } = openDatabase(dir.path);
const log = createLogger({ level: "silent" });
const worker = entry("../../../src/store/sqlite/checkpoint-worker.ts");
const checkpoints = createCheckpoints(worker, join(dir.path, "stillup.db"), { log, doubtLog: () => {} });
$client.run("CREATE TABLE blobs AS SELECT randomblob(2000000) AS blob");
const isCopied = () => {
  checkpoints.committed();
  const counts = $client.query<Record<string, number>, []>("PRAGMA wal_checkpoint(NOOP)").get();
  return counts?.checkpointed === counts?.log;
};

/** How many probe threads have died: each dies at its first message, and is replaced a second later. */
let deaths = 0;
startProbeThread(entry("../probes/dying-worker.ts"), { privateTargets: "allow" }, () => deaths++);
const passwords = createPasswords(systemClock());
using provider = createProviderRequests(systemClock())();
const GET = { method: "GET", headers: {}, body: undefined, redirect: "manual" as const };

async function tryAll() {
  return {
    password: await messageOf(passwords.verify("a password", null)),
    provider: await messageOf(provider.fetch("http://127.0.0.1:1/", GET)),
    isCopied: Array.from({ length: 100 }, isCopied).some(Boolean),
  };
}

await eventually(() => deaths > 0);
const hoard: number[] = [];
function takeAll(): void {
  try {
    for (;;) hoard.push(openSync("/dev/null", "r"));
  } catch {}
}
takeAll();
const without = await tryAll();
// The descriptors of the dead thread are free by now.
takeAll();
// The thread would be replaced in this time.
await Bun.sleep(1500);
const died = deaths;
for (const descriptor of hoard) closeSync(descriptor);
await eventually(() => deaths > died);
await eventually(isCopied);
await Bun.write(Bun.stdout, JSON.stringify({ without, after: await tryAll() }));
process.exit();
