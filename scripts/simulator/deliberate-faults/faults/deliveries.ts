import type { DeliberateFault } from "../fault.ts";
import { CALM, CROWD, FOUR_DAYS, MONTH } from "../worlds.ts";

const OUTBOX = "domain/alerts/delivery.ts";

/** The outbox: order, attempts, digests, and what a crash leaves of them. */
export const DELIVERY_FAULTS: DeliberateFault[] = [
  {
    name: "newest-first",
    seam: "order of a channel",
    effect: "the newest notification of a channel is sent first",
    edits: [
      {
        file: "store/alerts/due-deliveries.ts",
        from: "ORDER BY pk LIMIT 1`;",
        to: "ORDER BY pk DESC LIMIT 1`;",
      },
    ],
    world: CALM,
    caughtBy: { seed: 6, rule: "a recovery follows the trouble that was notified" },
  },
  {
    name: "forgotten-outcome",
    seam: "outcome of an attempt × full disk",
    effect: "an outcome that the disk rejects is forgotten, so that its channel gets nothing any more",
    edits: [
      {
        file: "runner/deliveries/dispatcher.ts",
        from: "unrecorded.push(...group);",
        to: "",
      },
    ],
    world: MONTH,
    caughtBy: null,
  },
  {
    name: "forgotten-recovery",
    seam: "attempts × incident of a receiver",
    effect: "a recovery whose attempts all fail is never sent again, so that the incident stays open",
    edits: [
      {
        file: "store/alerts/attempts.ts",
        from: "const monitorPk = retryAt(one) === null ? unheardRecovery(one) : null;",
        to: "const monitorPk = null;",
      },
    ],
    world: FOUR_DAYS,
    caughtBy: { seed: 442, rule: "an incident ends with its cause" },
  },
  {
    name: "impatient-retry",
    seam: "attempts × wish of the receiver",
    effect: "a retry does not wait as long as the receiver asks for",
    edits: [
      {
        file: OUTBOX,
        from: "return now + Math.max(delay, Math.min(attempt.retryAfterMs ?? 0, MAX_RETRY_AFTER));",
        to: "return now + delay;",
      },
    ],
    world: MONTH,
    caughtBy: null,
  },
  {
    name: "stubborn-retry",
    seam: "attempts × final answer",
    effect: "a notification that the receiver rejects for good is sent again",
    edits: [
      {
        file: OUTBOX,
        from: "if (attempt.final || delay === undefined) return null;",
        to: "if (delay === undefined) return null;",
      },
    ],
    world: MONTH,
    caughtBy: null,
  },
  {
    name: "wasted-attempts",
    seam: "attempts × file descriptors",
    effect: "notifications use up their attempts while no descriptor is free",
    edits: [
      {
        file: "runner/deliveries/dispatcher.ts",
        from: "if (due.length > 0 && isShort()) return;",
        to: "",
      },
    ],
    world: MONTH,
    caughtBy: null,
  },
  {
    name: "first-of-a-digest",
    seam: "digest of a chat × outcome",
    effect:
      "only the first notification of a message is recorded as delivered, so that the others are sent again",
    edits: [
      {
        file: "store/alerts/attempts.ts",
        from: "return [delivery.pk, ...delivery.others.map(({ pk }) => pk)];",
        to: "return [delivery.pk];",
      },
    ],
    world: CROWD,
    caughtBy: null,
  },
  {
    name: "growing-digest",
    seam: "digest of a chat × retry",
    effect: "a retry of a message has other notifications than its first attempt",
    edits: [
      {
        file: "domain/alerts/notify.ts",
        from: "if (first.digestPk !== null)",
        to: "if (first.digestPk !== null && false)",
      },
      {
        file: "domain/alerts/notify.ts",
        from: "({ attempts, digestPk }) => attempts > 0 || digestPk !== null);",
        to: "() => false);",
      },
    ],
    world: CROWD,
    caughtBy: null,
  },
  {
    name: "repeated-after-a-restart",
    seam: "outcome of an attempt × crash",
    effect:
      "an outcome is written only with the next attempt of the channel, so that a crash repeats what was delivered",
    edits: [
      {
        file: "runner/deliveries/dispatcher.ts",
        from: "      await records.save();\n      await startDue();",
        to: "      await startDue();\n      if (running.size > 0) await records.save();",
      },
      {
        file: "runner/deliveries/dispatcher.ts",
        from: "    busy.delete(channel.pk);",
        to: "",
      },
      {
        file: "runner/deliveries/dispatcher.ts",
        from: "    records.add({ delivery, attempt, startedAt, endedAt: clock.now() });",
        to: "    records.add({ delivery, attempt, startedAt, endedAt: clock.now() });\n    busy.delete(delivery.channel.pk);",
      },
    ],
    world: CALM,
    caughtBy: { seed: 1, rule: "a delivery has the outcome of its attempts" },
  },
  {
    name: "recovery-to-strangers",
    seam: "choice of a channel × recovery",
    effect: "a channel that was not notified of the trouble is notified of its end",
    edits: [
      {
        file: "domain/alerts/notify.ts",
        from: 'return last !== undefined && groupOf[last] !== "healthy";',
        to: "return true;",
      },
    ],
    world: MONTH,
    caughtBy: { seed: 1, rule: "only the transitions of a channel notify it" },
  },
];
