import type { AlertChannel } from "../domain/alerts/channel.ts";
import type { Transition } from "../domain/alerts/delivery.ts";
import { formatOf } from "../domain/alerts/webhook-format.ts";

/**
 * What tests a channel: a recovery, so that it looks like no alarm (behavior 5.29). An incident of PagerDuty begins and ends, under
 * a key of its own (behavior 16.151).
 *
 * @param now ms since 1970
 * @param id of the test, unique
 */
export function sampleTransitions(
  { type, config }: Pick<AlertChannel, "type" | "config">,
  { organization, now, id }: { organization: Transition["organization"]; now: number; id: string },
): Transition[] {
  const recovery = sampleRecovery(organization, now);
  if (type !== "WEBHOOK" || formatOf(config) !== "pagerduty") return [recovery];
  const outage = { id: `test-${id}`, startedAt: now };
  const trouble = { previousStatus: "up", status: "down", troubleSince: now } as const;
  const result = { ...recovery.result, latencyMs: null, detail: { reason: "refused" } };
  return [
    { ...recovery, ...trouble, outage, result },
    { ...recovery, outage },
  ];
}

function sampleRecovery(organization: Transition["organization"], now: number): Transition {
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
