import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";

const BLOCK = new Uint8Array(4096);

/** How many blocks of 4 KiB the disk of a folder appends and syncs in a second, one after the other, for one second. */
export function syncsPerSecond(folder: string): number {
  const path = join(folder, "syncs");
  const file = openSync(path, "w");
  const start = performance.now();
  let count = 0;
  while (performance.now() < start + 1000) {
    writeSync(file, BLOCK);
    fdatasyncSync(file);
    count++;
  }
  const elapsed = performance.now() - start;
  closeSync(file);
  rmSync(path);
  return (count * 1000) / elapsed;
}
