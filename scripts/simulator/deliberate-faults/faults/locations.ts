import type { DeliberateFault } from "../fault.ts";
import { PLACES, WHOLE } from "../worlds.ts";

const MAJORITY = "domain/locations/plan-observation.ts";
const PLAN_OBSERVATION = "domain/locations/plan-observation.ts";

/** Locations: votes, confirmation, silence, faults of a location, and what is sent again. */
export const LOCATION_FAULTS: DeliberateFault[] = [
  {
    name: "half-is-a-majority",
    seam: "votes of locations",
    effect: "half of the locations decide",
    edits: [
      {
        file: MAJORITY,
        from: "return Math.floor(voters / 2) + 1;",
        to: "return Math.max(1, Math.ceil(voters / 2));",
      },
    ],
    world: PLACES,
    caughtBy: { seed: 5, rule: "no recovery is missed" },
  },
  {
    name: "votes-without-confirmation",
    seam: "confirmation × votes of locations",
    effect: "with locations, the first check of each is enough",
    edits: [{ file: MAJORITY, from: "return checks > further ? (since", to: "return checks > 0 ? (since" }],
    world: PLACES,
    caughtBy: { seed: 1, rule: "enough checks confirm each change" },
  },
  {
    name: "old-runs-confirm",
    seam: "confirmation × older trouble of one location",
    effect: "what one location saw before the others counts as confirmation",
    edits: [
      {
        file: MAJORITY,
        from: "(since !== null && run.since < since ? 1 : run.checks);",
        to: "run.checks;",
      },
    ],
    world: PLACES,
    caughtBy: null,
  },
  {
    name: "sent-again-is-new",
    seam: "observation × lost answer",
    effect: "an observation that a location sends again is recorded again",
    edits: [
      {
        file: "store/recording/observations.ts",
        from: "if (containsSequence(acknowledged, sequence)) return null;",
        to: "",
      },
    ],
    world: PLACES,
    caughtBy: null,
  },
  {
    name: "late-observations-decide",
    seam: "observation × age",
    effect: "what a location saw before it was cut off decides when it is back",
    edits: [
      {
        file: PLAN_OBSERVATION,
        from: "if (isLate(event, previous, subject.config.interval)) return planLate(plan, observed);",
        to: "",
      },
    ],
    world: PLACES,
    caughtBy: null,
  },
  {
    name: "votes-of-the-silent",
    seam: "silent location × votes",
    effect: "a location that is not connected keeps its vote",
    edits: [
      {
        file: "domain/locations/votes.ts",
        from: "return isLive && !isAtFault;",
        to: "return !isAtFault;",
      },
    ],
    world: WHOLE,
    caughtBy: null,
  },
  {
    name: "fault-of-a-location",
    seam: "network of a location × votes",
    effect: "a location that reaches no target votes that all are down",
    edits: [
      {
        file: PLAN_OBSERVATION,
        from: 'const isExcused = place.isAtFault && groupOf[seen.status] === "down";',
        to: "const isExcused = false;",
      },
      {
        file: "domain/locations/votes.ts",
        from: "return isLive && !isAtFault;",
        to: "return isLive;",
      },
    ],
    world: PLACES,
    caughtBy: null,
  },
  {
    name: "deleted-before-acknowledged",
    seam: "buffer of a location × partition",
    effect: "a location deletes what it sends before the server has it",
    edits: [
      {
        file: "remote-probe/sender.ts",
        from: "    const answer = await link.send({ stream, observations });",
        to: "    buffer.delete(observations.map(({ sequence }) => sequence));\n    const answer = await link.send({ stream, observations });",
      },
    ],
    world: PLACES,
    caughtBy: { seed: 2, rule: "each check is recorded" },
  },
];
