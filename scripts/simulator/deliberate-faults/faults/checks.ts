import type { DeliberateFault } from "../fault.ts";
import { BLIND, CALM, DAYS, WEEKS } from "../worlds.ts";

const CONFIRMATION = "domain/monitors/confirmation.ts";

/** Checks: their slots, what they see during faults of stillup, and what confirms it. */
export const CHECK_FAULTS: DeliberateFault[] = [
  {
    name: "flapping-degraded",
    seam: "latency baseline × present status",
    effect: "a degraded target is up again as soon as its latency is below the limit that made it degraded",
    edits: [
      {
        file: "domain/checks/latency-baseline.ts",
        from: "return { slow: mean + margin, usual: mean + margin / 2 };",
        to: "return { slow: mean + margin, usual: mean + margin };",
      },
    ],
    world: DAYS,
    caughtBy: { seed: 1, rule: "the truth explains each status" },
  },
  {
    name: "alternating-certificates",
    seam: "dates of certificates × confirmation",
    effect: "a single check of a server with a better certificate ends an alarm",
    edits: [
      {
        file: CONFIRMATION,
        from: "const FEWEST_DATE_RECOVERIES = 2;",
        to: "const FEWEST_DATE_RECOVERIES = 0;",
      },
    ],
    world: WEEKS,
    caughtBy: { seed: 4, rule: "only confirmed changes change the status" },
  },
  {
    name: "stall-is-down",
    seam: "check × stalled event loop",
    effect: "a check that failed because stillup was blocked is recorded",
    edits: [
      {
        file: "probes/stall-detector.ts",
        from: 'if (isStalled) return { outcome: "inconclusive", message: STALLED };',
        to: "",
      },
    ],
    world: DAYS,
    caughtBy: null,
  },
  {
    name: "sleep-is-down",
    seam: "check × suspended machine",
    effect: "a check during which the machine slept is recorded",
    edits: [
      {
        file: "probes/stall-detector.ts",
        from: "if (Math.max(delay, slept) > STALL) lastStall = now;",
        to: "if (delay > STALL) lastStall = now;",
      },
    ],
    world: DAYS,
    caughtBy: null,
  },
  {
    name: "resolver-is-the-target",
    seam: "check × dead resolver",
    effect: "a target is down because no DNS server answers",
    edits: [
      {
        file: "runner/checks/run-check.ts",
        from: '  if (observation.outcome === "inconclusive") {',
        to: '  if (observation.outcome === "inconclusive")\n    Object.assign(observation, { outcome: "failed", reason: "dns_not_found", detail: {} });\n  if (observation.outcome === "inconclusive") {',
      },
    ],
    world: BLIND,
    caughtBy: { seed: 1, rule: "the truth explains each status" },
  },
  {
    name: "unseen-blindness",
    seam: "dead resolver × time",
    effect: "no monitor ever turns blind, so that one that nothing can check keeps its status without a word",
    edits: [
      {
        file: "runner/checks/blindness-watch.ts",
        from: "if (blindness.at <= now) turned.push(",
        to: "if (blindness.at < 0) turned.push(",
      },
    ],
    world: BLIND,
    caughtBy: { seed: 1, rule: "a monitor that nothing can check is blind" },
  },
  {
    name: "slow-suspicion",
    seam: "confirmation × next slot",
    effect: "a suspicion is confirmed only in the next slots",
    edits: [
      {
        file: CONFIRMATION,
        from: "if (after.suspicion) return at + recheckDelay(interval);",
        to: "",
      },
    ],
    world: DAYS,
    caughtBy: { seed: 1, rule: "a suspicion is checked again in time" },
  },
  {
    name: "late-beginning",
    seam: "confirmation × beginning of an outage",
    effect: "an outage begins with the check that confirmed it",
    edits: [
      {
        file: CONFIRMATION,
        from: "since: Math.min(taken?.since ?? at, at),",
        to: "since: at,",
      },
    ],
    world: DAYS,
    caughtBy: { seed: 1, rule: "outages begin and end with the first check that saw it" },
  },
  {
    name: "unconfirmed-memory",
    seam: "confirmation × seen records of a name",
    effect: "a record that no other check has confirmed is known from then on",
    edits: [
      {
        file: "domain/monitors/recording-plan.ts",
        from: 'memory: isUnconfirmed && type === "DNS" ? before.memory : memory,',
        to: "memory,",
      },
    ],
    world: DAYS,
    caughtBy: null,
  },
  {
    name: "result-of-a-pause",
    seam: "pause × running check",
    effect: "a check that began before a pause is recorded in it",
    edits: [
      {
        file: "domain/monitors/recording-plan.ts",
        from: "return event.revision === revision && (places !== null",
        to: "return (places !== null",
      },
    ],
    world: CALM,
    caughtBy: null,
  },
  {
    name: "claimed-before-a-pause",
    seam: "pause × claimed slot",
    effect: "a check whose slot was claimed before a pause starts after it",
    edits: [
      {
        file: "runner/checks/scheduler.ts",
        from: "    probes.cancel(outdated.check);",
        to: "",
      },
    ],
    world: CALM,
    caughtBy: { seed: 1, rule: "checks of one monitor never overlap" },
  },
  {
    name: "unlimited-pause",
    seam: "long fault of stillup × next check",
    effect: "after a long fault, a monitor waits for longer than its interval",
    edits: [
      {
        file: "runner/checks/scheduler.ts",
        from: "postpone(check, { pause: Math.min(pause, interval * 1000), failures });",
        to: "postpone(check, { pause, failures });",
      },
    ],
    world: DAYS,
    caughtBy: { seed: 3, rule: "a monitor is checked once per interval" },
  },
  {
    name: "future-slot",
    seam: "slots × clock that was set back",
    effect: "a monitor whose slot is in the future of a wrong clock is checked only then",
    edits: [
      {
        file: "runner/checks/scheduler.ts",
        from: "  let needsRecall = true;",
        to: "  let needsRecall = false;",
      },
      {
        file: "runner/checks/scheduler.ts",
        from: "      if (to < from) needsRecall = true;",
        to: "",
      },
    ],
    world: DAYS,
    caughtBy: { seed: 3, rule: "a monitor is checked once per interval" },
  },
];
