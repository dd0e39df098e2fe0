import type { SeedOptions } from "../run-seed.ts";

/** A rule of the product that is replaced by an earlier, wrong one, to show that seeds find it. */
export interface DeliberateFault {
  name: string;
  /** @property file below `src` @property from text that occurs in it once */
  edits: { file: string; from: string; to: string }[];
  /** A seed that finds it, and the rule that it then breaks. */
  caughtBy: { seed: number; options: SeedOptions; rule: string };
}

export const DELIBERATE_FAULTS: readonly DeliberateFault[] = [
  {
    name: "old-evidence",
    edits: [
      {
        file: "domain/alerts/review/fresh-check.ts",
        from: 'if (hold.kind === "maintenance") return requestCheck(row, monitor, now);',
        to: 'if (hold.kind === "maintenance") return null;',
      },
      {
        file: "domain/alerts/review/fresh-check.ts",
        from: 'if (!check || hold.kind === "recheck") return false;',
        to: "return false;",
      },
    ],
    caughtBy: {
      seed: 8,
      options: { days: 1, calmHours: 3 },
      rule: "the end of a window notifies only of trouble that lasts",
    },
  },
  {
    name: "endless-excuse",
    edits: [
      {
        file: "domain/heartbeats/heartbeat.ts",
        from: "if (excusedUntil === null) return true;",
        to: "return true;",
      },
    ],
    caughtBy: {
      seed: 1,
      options: { days: 1, jobWeeks: 7, monitors: 12 },
      rule: "a dead job is reported",
    },
  },
  {
    name: "fixed-clocks",
    edits: [
      {
        file: "domain/heartbeats/clock-changes.ts",
        from: "const last = Math.min(to, from + YEAR);",
        to: "const last = from - 1;",
      },
      {
        file: "domain/heartbeats/weekly-pause.ts",
        from: "const NEAR = 75 * MINUTE;",
        to: "const NEAR = HOUR;",
      },
    ],
    caughtBy: {
      seed: 2,
      options: { days: 1, jobWeeks: 7, monitors: 1 },
      rule: "a healthy job is never late",
    },
  },
  {
    name: "unseen-blindness",
    edits: [
      {
        file: "runner/checks/blindness-watch.ts",
        from: "if (blindness.at <= now) turned.push(",
        to: "if (blindness.at < 0) turned.push(",
      },
    ],
    caughtBy: {
      seed: 1,
      options: { days: 1, blindHours: 2 },
      rule: "a monitor that nothing can check is blind",
    },
  },
];

export function deliberateFault(name: string): DeliberateFault {
  const fault = DELIBERATE_FAULTS.find((one) => one.name === name);
  const names = DELIBERATE_FAULTS.map((one) => one.name).join(", ");
  if (!fault) throw new Error(`--fault must be one of ${names}, got ${name}`);
  return fault;
}
