import type { DeliberateFault } from "../fault.ts";
import { CALM, FOUR_DAYS, NIGHTS, WHOLE } from "../worlds.ts";

const FRESH_CHECK = "domain/alerts/review/fresh-check.ts";
const DEPENDENCIES = "domain/alerts/review/reviewed-monitor.ts";
const TROUBLE = "domain/alerts/review/pair.ts";
const REMINDER = "domain/alerts/review/plan-pair.ts";
const PLAN_PAIR = "domain/alerts/review/plan-pair.ts";

/** Windows, dependencies, delays, reminders and acknowledgements. */
export const ALERT_FAULTS: DeliberateFault[] = [
  {
    name: "old-evidence",
    seam: "end of a window × age of the latest check",
    effect: "the end of a window notifies of trouble that the latest check saw, however old it is",
    edits: [
      {
        file: FRESH_CHECK,
        from: 'if (hold.kind === "maintenance") return requestCheck(row, monitor, now);',
        to: 'if (hold.kind === "maintenance") return null;',
      },
      {
        file: FRESH_CHECK,
        from: 'if (!check || hold.kind === "recheck") return false;',
        to: "return false;",
      },
    ],
    world: CALM,
    caughtBy: { seed: 2, rule: "a delay that ends while no server runs notifies only of trouble that lasts" },
  },
  {
    name: "old-mute",
    seam: "end of a mute × age of the latest check",
    effect: "a recovery of the cause notifies of trouble that the latest check saw, however old it is",
    edits: [
      {
        file: DEPENDENCIES,
        from: "return monitor.check ? requestCheck(row, monitor, now) : null;",
        to: "return null;",
      },
      {
        file: FRESH_CHECK,
        from: 'if (!check || hold.kind === "recheck") return false;',
        to: 'if (!check || hold.kind === "recheck" || hold.kind === "muted") return false;',
      },
    ],
    world: CALM,
    caughtBy: { seed: 9, rule: "the end of a mute notifies only of trouble that lasts" },
  },
  {
    name: "delay-over-a-stop",
    seam: "delay of a channel × absence of the server",
    effect: "a delay that ended while no server ran notifies of trouble that may be over",
    edits: [
      {
        file: FRESH_CHECK,
        from: 'if (!check || hold.kind === "recheck") return false;',
        to: 'if (!check || hold.kind === "recheck" || hold.kind === "delay") return false;',
      },
    ],
    world: CALM,
    caughtBy: { seed: 2, rule: "a delay that ends while no server runs notifies only of trouble that lasts" },
  },
  {
    name: "hasty-delay",
    seam: "delay of a channel × suspected recovery",
    effect: "a delay ends although the latest check saw that the target is good again",
    edits: [
      {
        file: FRESH_CHECK,
        from: "return !isSuspected && latestAt !== null && Math.abs(now - latestAt) <= PRESENT;",
        to: "return latestAt !== null && Math.abs(now - latestAt) <= PRESENT;",
      },
      {
        file: FRESH_CHECK,
        from: "({ check }) => check && (check.latestAt === null || check.latestAt < at || check.isSuspected),",
        to: "({ check }) => check && (check.latestAt === null || check.latestAt < at),",
      },
    ],
    world: CALM,
    caughtBy: { seed: 7, rule: "a delay that ends while no server runs notifies only of trouble that lasts" },
  },
  {
    name: "blind-release",
    seam: "end of a mute × own fault during the check",
    effect: "a check that an own fault keeps from its result releases the notification that waits for it",
    edits: [
      {
        file: FRESH_CHECK,
        from: "if (now >= until) return waitLonger(row, monitor, now);",
        to: "if (now >= until) return null;",
      },
    ],
    world: FOUR_DAYS,
    caughtBy: { seed: 401, rule: "no channel is notified of trouble that is over" },
  },
  {
    name: "silence-after-failure",
    seam: "reminders × failed first notification",
    effect: "a first notification that failed for good silences its reminders",
    edits: [
      {
        file: "store/alerts/review/load-pairs.ts",
        from: "newestPk: newestOf(codes.pending, codes.delivered, codes.failed),",
        to: "newestPk: newestOf(codes.pending, codes.delivered),",
      },
    ],
    world: WHOLE,
    caughtBy: null,
  },
  {
    name: "stale-parent",
    seam: "dependency × age of the check of the parent",
    effect: "an old outage of a parent that is good again mutes its child",
    edits: [
      {
        file: DEPENDENCIES,
        from: "causes.filter((cause) => !old.includes(cause)),",
        to: "causes,",
      },
    ],
    world: WHOLE,
    caughtBy: null,
  },
  {
    name: "unasked-parent",
    seam: "dependency × order of the checks",
    effect: "a child that is checked before its parent notifies of the same trouble",
    edits: [
      {
        file: DEPENDENCIES,
        from: "waitForAnswers(row, { ancestors, old }, now) ??",
        to: "",
      },
    ],
    world: CALM,
    caughtBy: { seed: 10, rule: "a monitor that fails with one that it depends on is muted" },
  },
  {
    name: "endless-mute",
    seam: "dependency × recovery of the parent",
    effect: "what a parent muted stays muted, because its recovery schedules no review",
    edits: [
      {
        file: DEPENDENCIES,
        from: "if (causes.length > 0) return mute(causes, { hold, old, now });",
        to: 'return keep({ status: "muted", hold, reviewAt: now + SAFETY_NET });',
      },
    ],
    world: CALM,
    caughtBy: { seed: 1, rule: "trouble that outlasts its cause is notified" },
  },
  {
    name: "early-reminder",
    seam: "reminders × time",
    effect: "reminders come twice as often as was asked for",
    edits: [
      {
        file: REMINDER,
        from: "const next = now + every;",
        to: "const next = now + every / 2;",
      },
    ],
    world: CALM,
    caughtBy: { seed: 1, rule: "a reminder waits" },
  },
  {
    name: "reminder-of-the-past",
    seam: "reminders × absence of the server",
    effect: "a reminder repeats trouble without a check of the present",
    edits: [
      { file: REMINDER, from: "if (!check || isPresent(check, now)) return null;", to: "return null;" },
    ],
    world: WHOLE,
    caughtBy: null,
  },
  {
    name: "deaf-to-acknowledgements",
    seam: "acknowledgement × delay of a channel",
    effect: "a delayed notification is sent although its trouble is acknowledged",
    edits: [
      {
        file: TROUBLE,
        from: 'if (isLate && outage?.acknowledged) return { kind: "withdraw", why: "acknowledged" };',
        to: "",
      },
    ],
    world: CALM,
    caughtBy: { seed: 1, rule: "acknowledged trouble is not notified" },
  },
  {
    name: "hold-that-forgets",
    seam: "hours of a channel × trouble that lasts",
    effect:
      "trouble that is held until the hours open is withdrawn instead, so that nobody is notified of it",
    edits: [
      {
        file: TROUBLE,
        from: 'hours?.outside === "drop"',
        to: "hours !== null",
      },
    ],
    world: NIGHTS,
    caughtBy: { seed: 1, rule: "trouble that outlasts its cause is notified" },
  },
  {
    name: "hours-that-never-close",
    seam: "hours of a channel × time",
    effect: "a channel is notified outside its hours",
    edits: [
      {
        file: TROUBLE,
        from: "return isOpen(windows, timezone, now) ? null : nextOpening(windows, timezone, now);",
        to: "return isOpen(windows, timezone, now) || true ? null : nextOpening(windows, timezone, now);",
      },
    ],
    world: NIGHTS,
    caughtBy: { seed: 1, rule: "no trouble is notified outside the hours of a channel" },
  },
  {
    name: "drop-that-holds",
    seam: "hours of a channel × what they drop",
    effect: "trouble that the hours of a channel drop is notified when they open",
    edits: [
      {
        file: TROUBLE,
        from: 'hours?.outside === "drop"',
        to: "hours === null",
      },
    ],
    world: NIGHTS,
    caughtBy: { seed: 7, rule: "trouble that the hours of a channel drop is not notified" },
  },
  {
    name: "endless-acknowledgement",
    seam: "acknowledgement × worsening",
    effect: "the acknowledgement of a warning also silences the outage that follows it",
    edits: [
      {
        file: "domain/monitors/planned-result.ts",
        from: "if (isEscalated && before.acknowledged) {",
        to: "if (!isEscalated && before.acknowledged && false) {",
      },
    ],
    world: CALM,
    caughtBy: { seed: 11, rule: "trouble that outlasts a window is notified" },
  },
  {
    name: "recovery-of-nothing",
    seam: "recovery × withheld trouble",
    effect: "a channel is notified of the end of trouble that it was never notified of",
    edits: [
      {
        file: PLAN_PAIR,
        from: 'decide(row, isNeeded ? { kind: "send" } : { kind: "delete" });',
        to: 'decide(row, { kind: "send" });',
      },
    ],
    world: CALM,
    caughtBy: { seed: 1, rule: "a recovery follows the trouble that was notified" },
  },
  {
    name: "second-occurrence",
    seam: "windows × change of clocks",
    effect: "a window at a local time that occurs twice opens at the second one",
    edits: [
      {
        file: "domain/local-time.ts",
        from: "if (isShown(before)) return local - before;",
        to: "if (isShown(after)) return local - after;",
      },
    ],
    world: CALM,
    caughtBy: { seed: 2, rule: "results in a window say so" },
  },
  {
    name: "counted-windows",
    seam: "windows × uptime",
    effect: "results in a window lower the uptime",
    edits: [
      {
        file: "domain/monitors/planned-result.ts",
        from: "isInMaintenance(result) ? uncountedRollup(result) : rollupOf(result, seen.status);",
        to: "rollupOf(result, seen.status);",
      },
    ],
    world: CALM,
    caughtBy: { seed: 1, rule: "the uptime is the share of good results" },
  },
  {
    name: "lost-after-a-pause",
    seam: "pause × held notification",
    effect: "trouble that was held when its monitor was paused is never notified after the pause",
    edits: [
      {
        file: "store/alerts/review/schedule-reviews.ts",
        from: "  const pks = await listNewest(tx, tx.sets.among(deliveries.monitorPk, monitorPks), withdrawn);",
        to: "  const pks: number[] = [];",
      },
    ],
    world: CALM,
    caughtBy: { seed: 8, rule: "trouble that outlasts its cause is notified" },
  },
  {
    name: "no-reminders-after-a-pause",
    seam: "pause × reminders",
    effect: "after a pause, trouble that lasts is not repeated any more",
    edits: [
      {
        file: "store/alerts/review/schedule-reviews.ts",
        from: "  await startReminders(tx, { monitorPks, outagePk: null });",
        to: "",
      },
    ],
    world: CALM,
    caughtBy: { seed: 6, rule: "trouble that lasts is repeated" },
  },
];
