import type { NetworkCheck } from "../../domain/network/network-check.ts";
import { type AttemptOutcome, attemptConnection } from "./connection-attempt.ts";
import type { Network } from "./network.ts";

/** Milliseconds in which a server of the setting must answer, name resolution included (behavior 13.51). */
const PATIENCE = 2000;

/** A refused connection is an answer. An attempt that this process could not make, or may not make, says nothing. */
const ANSWERED: ReadonlySet<AttemptOutcome> = new Set(["opened", "refused", "forbidden", "unknown"]);

/**
 * Tries to connect to all servers at once.
 *
 * @param network the operator chose the servers, so `--private-targets` must not apply to it
 * @returns whether any of them answers
 */
export async function isAnyAnswering(
  servers: readonly NetworkCheck[],
  network: Pick<Network, "resolve">,
  attempt = attemptConnection,
): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(resolve, PATIENCE, false);
  const tried = servers.map(async ({ host, port }) => {
    const addresses = await network.resolve(host, { timeout: PATIENCE }).catch(() => []);
    const attempts = addresses.map(async (address) => {
      const outcome = await attempt({ address, port }, PATIENCE).catch(() => "unknown" as const);
      if (ANSWERED.has(outcome)) resolve(true);
    });
    await Promise.all(attempts);
  });
  void Promise.all(tried).then(() => resolve(false));
  return promise.finally(() => clearTimeout(timer));
}
