import { type Beginnings, createBeginnings } from "../../../src/runner/people/beginnings.ts";
import type { TestServer } from "../product/server.ts";

/** What has begun at a server, as if it was so many milliseconds ago. */
export async function beginningsOf(
  server: Pick<TestServer, "store" | "now">,
  ago = 0,
): Promise<Pick<Beginnings, "open" | "seal" | "challenge">> {
  const beginnings = createBeginnings({ store: server.store, clock: { now: () => server.now() - ago } });
  await beginnings.start();
  return beginnings;
}
