/** Hashes and verifies passwords, one at a time: see `passwords.ts`. */
import { getPriority, setPriority } from "node:os";

declare const self: Worker;

/** A lower priority than other threads have: checks and requests go before a hash. On Linux, it belongs to the thread. */
const NICE = 10;

/** As OWASP recommends for argon2id: 19 MiB, two passes. */
const COST = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;

/** @property hash with which the password is compared; undefined to hash it */
export interface PasswordJob {
  password: string;
  hash?: string;
}

if (process.platform === "linux") setPriority(0, Math.max(NICE, getPriority(0)));

self.onmessage = ({ data: { password, hash } }: MessageEvent<PasswordJob>) =>
  self.postMessage(
    hash === undefined ? Bun.password.hashSync(password, COST) : Bun.password.verifySync(password, hash),
  );
