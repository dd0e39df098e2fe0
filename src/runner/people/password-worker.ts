/** Hashes and verifies passwords, one at a time: see `passwords.ts`. */
import { getPriority, setPriority } from "node:os";
import type { HashCost } from "../../domain/people/password.ts";

declare const self: Worker;

/** A lower priority than other threads have: checks and requests go before a hash. On Linux, it belongs to the thread. */
const NICE = 10;

/** A password to hash, or to compare with a hash. */
export type PasswordJob = { password: string } & ({ cost: HashCost } | { hash: string });

if (process.platform === "linux") setPriority(0, Math.max(NICE, getPriority(0)));

self.onmessage = ({ data: job }: MessageEvent<PasswordJob>) =>
  self.postMessage(
    "cost" in job
      ? Bun.password.hashSync(job.password, job.cost)
      : Bun.password.verifySync(job.password, job.hash),
  );
