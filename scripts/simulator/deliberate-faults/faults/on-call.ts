import type { DeliberateFault } from "../fault.ts";
import { TEAMS, TURNS } from "../worlds.ts";

const ROTATION = "domain/on-call/rotation.ts";
const ROUTING = "domain/alerts/routing.ts";
const PAIR = "domain/alerts/review/plan-pair.ts";

/** Schedules, and whom they notify. */
export const ON_CALL_FAULTS: DeliberateFault[] = [
  {
    name: "turns-at-utc-midnight",
    seam: "turns × local time",
    effect: "people hand over at midnight of UTC instead of the local time of their schedule",
    edits: [
      {
        file: ROTATION,
        from: "localMoment(first.add({ days: turn * days }), timezone);",
        to: "(Math.floor(startsAt / DAY) + turn * days) * DAY;",
      },
    ],
    world: TURNS,
    caughtBy: { seed: 1, rule: "only whoever is on call is notified" },
  },
  {
    name: "days-that-elapse",
    seam: "turns × change of clocks",
    effect: "turns of a day are 24 hours, also when the clocks change",
    edits: [
      {
        file: ROTATION,
        from: "localMoment(first.add({ days: turn * days }), timezone);",
        to: "startsAt + turn * days * DAY;",
      },
    ],
    world: TURNS,
    caughtBy: { seed: 3, rule: "only whoever is on call is notified" },
  },
  {
    name: "endless-override",
    seam: "overrides × time",
    effect: "an override never ends",
    edits: [
      {
        file: ROTATION,
        from: "startsAt <= at && at < endsAt);",
        to: "startsAt <= at);",
      },
    ],
    world: TURNS,
    caughtBy: { seed: 1, rule: "only whoever is on call is notified" },
  },
  {
    name: "a-notification-of-each-schedule",
    seam: "schedules × channels that several of them reach",
    effect: "a channel that two schedules reach gets each notification twice",
    edits: [
      {
        file: ROUTING,
        from: "    if (newest?.event.result.id === event.result.id) return false;\n",
        to: "",
      },
    ],
    world: TURNS,
    caughtBy: { seed: 1, rule: "a channel gets each notification once" },
  },
  {
    name: "nobody-on-call",
    seam: "schedules × default channels",
    effect: "if nobody is on call, or the person has no channel, nobody is notified",
    edits: [
      {
        file: ROUTING,
        from: "return enabled.length > 0 ? enabled : defaults.filter((channel) => channel.enabled);",
        to: "return enabled;",
      },
    ],
    world: TURNS,
    caughtBy: { seed: 2, rule: "trouble that lasts is repeated" },
  },
  {
    name: "disabled-person-on-call",
    seam: "people × turns",
    effect: "a person who is disabled keeps their turns, and is notified",
    edits: [
      {
        file: "domain/on-call/schedule.ts",
        from: "(isDisabled ? [] : [id])",
        to: "(isDisabled && !id ? [] : [id])",
      },
    ],
    world: TEAMS,
    caughtBy: { seed: 1, rule: "only whoever is on call is notified" },
  },
  {
    name: "turns-of-the-deleted",
    seam: "people × turns",
    effect: "a person who is deleted stays in the layers, so that the next one has two turns",
    edits: [
      {
        file: "store/on-call/person-on-call.ts",
        from: "layer.personIds.filter((id) => id !== personId),",
        to: "layer.personIds,",
      },
    ],
    world: TEAMS,
    caughtBy: { seed: 1, rule: "only whoever is on call is notified" },
  },
  {
    name: "acknowledged-for-one-person",
    seam: "acknowledgements × turns",
    effect: "acknowledged trouble is still repeated to whoever is on call next",
    edits: [
      {
        file: PAIR,
        from: "timing.every === 0 || outage?.acknowledged ? null",
        to: "timing.every === 0 ? null",
      },
      {
        file: PAIR,
        from: "const isLasting = enabled && !outage?.acknowledged && isTrouble(status);",
        to: "const isLasting = enabled && isTrouble(status);",
      },
    ],
    world: TEAMS,
    caughtBy: { seed: 1, rule: "acknowledged trouble is not notified again" },
  },
];
