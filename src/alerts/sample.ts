import type { Transition } from "../domain/alerts/delivery.ts";

/**
 * The transition that tests a channel: a recovery, so that it looks like no alarm (behavior 5.29).
 *
 * @param now ms since 1970
 */
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
