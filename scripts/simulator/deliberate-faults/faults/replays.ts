import type { DeliberateFault } from "../fault.ts";
import { REPLAYS } from "../worlds.ts";

/** Replays with other settings. */
export const REPLAY_FAULTS: DeliberateFault[] = [
  {
    name: "replay-forgets-confirmations",
    seam: "replay × confirmation of an outage",
    effect: "a replay ignores that more or fewer checks are to confirm an outage",
    edits: [
      {
        file: "domain/replay/course.ts",
        from: "      ...(confirmations !== undefined && { confirmations }),\n",
        to: "",
      },
    ],
    world: REPLAYS,
    caughtBy: { seed: 1, rule: "the truth lies within the bounds of a replay with changes" },
  },
  {
    name: "replay-trusts-the-earlier-check",
    seam: "replay × check that was never made",
    effect: "a check that was never made is surely like the recorded check before it",
    edits: [
      {
        file: "domain/replay/recorded-checks.ts",
        from: "const { status, detail, place } = isEarly ? other : one;",
        to: "const { status, detail, place } = one;",
      },
    ],
    world: REPLAYS,
    caughtBy: { seed: 1, rule: "the truth lies within the bounds of a replay with changes" },
  },
];
