/** Hashes and verifies passwords, one at a time: see `passwords.ts`. */
import { getPriority, setPriority } from "node:os";
import { HASH_COST } from "../../domain/people/password.ts";

declare const self: Worker;

/** A lower priority than other threads have: checks and requests go before a hash. On Linux, it belongs to the thread. */
const NICE = 10;

/** @property hash with which the password is compared; undefined to hash it */
export interface PasswordJob {
  password: string;
  hash?: string;
}

if (process.platform === "linux") setPriority(0, Math.max(NICE, getPriority(0)));

self.onmessage = ({ data: { password, hash } }: MessageEvent<PasswordJob>) =>
  self.postMessage(
    hash === undefined ? Bun.password.hashSync(password, HASH_COST) : Bun.password.verifySync(password, hash),
  );
