import { type Beginnings, createBeginnings } from "../../../src/runner/people/beginnings.ts";
import type { TestServer } from "../product/server.ts";

/** Sign-ins that begin at a server, as if so many milliseconds ago. */
export async function beginningsOf(
  server: Pick<TestServer, "store" | "now">,
  ago = 0,
): Promise<Pick<Beginnings, "open" | "seal" | "challenge">> {
  const beginnings = createBeginnings({ store: server.store, clock: { now: () => server.now() - ago } });
  await beginnings.start();
  return beginnings;
}
