import type { DeliberateFault } from "../fault.ts";
import { DAYS, LONG, WEEKS } from "../worlds.ts";

/** Results: their commits, a full disk, crashes and retention. */
export const STORAGE_FAULTS: DeliberateFault[] = [
  {
    name: "acknowledged-but-refused",
    seam: "check-in × full disk",
    effect: "a check-in that the disk refuses is acknowledged",
    edits: [
      {
        file: "runner/checks/recorder.ts",
        from: "      if (isJobReport(recording)) {\n        reject(error);\n        continue;",
        to: "      if (isJobReport(recording)) {\n        resolve({} as never);\n        continue;",
      },
    ],
    world: LONG,
    caughtBy: null,
  },
  {
    name: "acknowledged-too-early",
    seam: "commit of a check-in × crash",
    effect: "a check-in is acknowledged before it is written",
    edits: [
      {
        file: "runner/checks/recorder.ts",
        from: '      if (recording.kind === "check") checks.add(waiting, urgency);',
        to: '      if (isJobReport(recording)) resolve({} as never);\n      if (recording.kind === "check") checks.add(waiting, urgency);',
      },
    ],
    world: LONG,
    caughtBy: null,
  },
  {
    name: "lost-on-a-full-disk",
    seam: "result of a check × full disk",
    effect: "results that the disk refuses twice are lost",
    edits: [
      {
        file: "runner/checks/recorder.ts",
        from: "held = [...writing, ...held];",
        to: "",
      },
    ],
    world: DAYS,
    caughtBy: null,
  },
  {
    name: "reversed-after-a-full-disk",
    seam: "order of results × full disk",
    effect: "results that were held are written in the wrong order",
    edits: [
      {
        file: "runner/checks/recorder.ts",
        from: "      held.push(recording);",
        to: "      held.unshift(recording);",
      },
    ],
    world: DAYS,
    caughtBy: { seed: 5, rule: "each result has a check" },
  },
  {
    name: "short-retention",
    seam: "retention × results",
    effect: "results are deleted three days too early",
    edits: [
      {
        file: "runner/housekeeping.ts",
        from: "const before = now - (await longestRetention(now)) * DAY;",
        to: "const before = now - ((await longestRetention(now)) - 3) * DAY;",
      },
    ],
    world: WEEKS,
    caughtBy: null,
  },
  {
    name: "packed-times",
    seam: "packing of results × times",
    effect: "packed results are read with times that are wrong by a second",
    edits: [
      {
        file: "domain/results/segments/segment.ts",
        from: "readTimes(bits, columns, segment.firstAt);",
        to: "readTimes(bits, columns, segment.firstAt + 1000);",
      },
    ],
    world: LONG,
    caughtBy: { seed: 1, rule: "each notification has a transition" },
  },
];
