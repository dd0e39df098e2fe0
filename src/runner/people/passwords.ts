import { availableParallelism } from "node:os";
import { normalizedPassword } from "../../domain/people/password.ts";

/** Hashes and checks passwords, on other threads than the event loop (behavior 19.11). */
export interface Passwords {
  hash(password: string): Promise<string>;
  /** @param hash null if there is none: then it takes as long, and is wrong (behavior 19.22) */
  verify(password: string, hash: string | null): Promise<boolean>;
}

/** As OWASP recommends for argon2id: 19 MiB, two passes. */
const COST = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;

/** As many at once as there are cores, so that others wait in a queue and not for memory. */
export function createPasswords(parallel = availableParallelism()): Passwords {
  const waiting: (() => void)[] = [];
  let running = 0;
  let decoy: Promise<string> | undefined;

  async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (running >= parallel) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  }

  const hash = (password: string) => inTurn(() => Bun.password.hash(normalizedPassword(password), COST));
  return {
    hash,
    async verify(password, stored) {
      decoy ??= hash(crypto.randomUUID());
      const fallback = await decoy;
      const isRight = await inTurn(() =>
        Bun.password.verify(normalizedPassword(password), stored ?? fallback),
      );
      return isRight && stored !== null;
    },
  };
}
