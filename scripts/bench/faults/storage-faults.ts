import { closeSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { CannotRun, type Fault, last, must } from "./fault.ts";
import type { Scene } from "./scene.ts";

const SIZE = "24m";

/** Milliseconds. */
const LOG_LASTS = 60_000;

/** Faults of the database and of the disk. */
export const storageFaults: Fault[] = [
  {
    name: "lock",
    method: "another process holds BEGIN EXCLUSIVE on the database for 12 s",
    async cause(scene, middle) {
      const file = join(scene.server.dataDir, "stillup.db");
      const script = `const db = new (require("bun:sqlite").Database)(${JSON.stringify(file)});
        db.run("PRAGMA busy_timeout = 5000"); db.run("BEGIN EXCLUSIVE"); console.log("locked"); setInterval(() => {}, 1000);`;
      const child = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe", stderr: "inherit" });
      const { value } = await child.stdout.getReader().read();
      if (!value) throw new CannotRun("the database could not be locked");
      await last(12, () => assertReadOnly(scene, middle));
      child.kill("SIGKILL");
      await child.exited;
    },
  },
  {
    name: "disk",
    method: `the data directory is a tmpfs of ${SIZE}, which a file fills for 12 s`,
    async prepare(folder, undo) {
      const dir = join(folder, "data");
      mkdirSync(dir);
      await must("mount", "-t", "tmpfs", "-o", `size=${SIZE},mode=0700`, "tmpfs", dir);
      undo.defer(() => must("umount", "--lazy", dir));
      return {};
    },
    async cause(scene, middle) {
      const file = join(scene.server.dataDir, "filler");
      fill(file);
      // SQLite first writes to the part of its log that it has already.
      await becomesReadOnly(scene);
      await last(12, () => assertReadOnly(scene, middle));
      rmSync(file);
    },
  },
];

function fill(file: string): void {
  const descriptor = openSync(file, "w");
  for (const size of [65_536, 4096]) {
    try {
      for (;;) writeSync(descriptor, Buffer.alloc(size));
    } catch {}
  }
  closeSync(descriptor);
}

async function becomesReadOnly({ server }: Scene): Promise<void> {
  const end = performance.now() + LOG_LASTS;
  while (performance.now() < end && (await fetch(`${server.url}/healthz`)).ok) await Bun.sleep(200);
}

/** @throws CannotRun if the server can still write */
async function assertReadOnly({ server }: Scene, middle: () => Promise<void>): Promise<void> {
  const { status } = await fetch(`${server.url}/healthz`);
  if (status === 200) throw new CannotRun("the server could still write");
  await middle();
}
