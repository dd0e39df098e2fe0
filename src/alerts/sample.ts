import type { Transition } from "../domain/alerts/delivery.ts";

/** What a channel is sent when it is tried out: a recovery, so that nobody is alarmed. @param now ms since 1970 */
export function sampleTransition(organization: Transition["organization"], now: number): Transition {
  return {
    organization,
    monitor: {
      id: "test",
      name: "Test of this channel",
      type: "HTTP",
      config: { url: "https://example.com/", interval: 60 },
    },
    previousStatus: "down",
    status: "up",
    result: { id: "test", latencyMs: 42, detail: { statusCode: 200 }, createdAt: now },
    since: now - 60_000,
    troubleSince: now - 60_000,
  };
}
