/**
 * Verifies passwords at a rate until SIGTERM, as many at once as there are cores, and does nothing else. It prints a line when it
 * begins.
 *
 * hashes.ts HASH PER_SECOND
 */
import { availableParallelism } from "node:os";

const [hash = "", rate] = process.argv.slice(2);
let due = 0;
let running = 0;

process.on("SIGTERM", () => process.exit(0));
console.log("verifying");
setInterval(() => {
  due++;
  void next();
}, 1000 / Number(rate));

async function next(): Promise<void> {
  if (due === 0 || running >= availableParallelism()) return;
  due--;
  running++;
  await Bun.password.verify("a password that is wrong", hash);
  running--;
  void next();
}
