import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { DownWhen } from "../../../src/domain/locations/location.ts";
import { votesNeeded } from "../../../src/domain/locations/plan-observation.ts";
import { levelOf, type Status } from "../../../src/domain/monitors/status.ts";
import { type Check, placed, type Setting, START, statuses, walk } from "./walk.ts";

const TLS = { type: "TLS", config: { host: "a.example", port: 443, interval: 60 } } as const;

describe("behavior 13.6, 13.7, 13.9, 13.10, 13.11: a walk", () => {
  test.each<[string, Setting, Check[], string[]]>([
    [
      "13.7: nobody decides before each connected location has made a check",
      {},
      ["0 here down", "1 fra up", "2 nyc up"],
      ["unknown", "unknown", "up since 2"],
    ],
    [
      "13.7: but only for two intervals and a timeout",
      {},
      ["0 here up", "129 here up", "130 here up"],
      ["unknown", "unknown", "up since 130"],
    ],
    [
      "13.7: from unknown, the first check decides, whatever the numbers",
      { confirmations: 9, recoveries: 9 },
      ["0 here down", "1 fra down", "2 nyc up"],
      ["unknown", "unknown", "down since 2"],
    ],
    [
      "13.7: after a time without checks, nobody decides before each connected location has made one again",
      {},
      [
        ...["0 here up", "1 fra up", "2 nyc up", "60 here down", "61 fra up", "62 nyc up"],
        ...["600 here down", "601 fra down", "602 nyc up", "900 fra up", "901 nyc up", "902 here down"],
      ] as Check[],
      [
        ...["unknown", "unknown", "up since 2", "up", "up", "up"],
        ...["up", "up", "down since 601", "down", "down", "up since 900"],
      ],
    ],
    [
      "13.7: but only until the next check of a location that has made one",
      { locations: ["here", "fra"] },
      ["0 here up", "1 fra up", "600 here down", "660 here down"],
      ["unknown", "up since 1", "up", "down since 600"],
    ],
    [
      "13.7: a probe may take up to 40 s until it sends again",
      { locations: ["here", "fra"], config: { url: "http://a.example/", interval: 2 } },
      [
        ...["0 here up", "1 fra up"],
        ...Array.from({ length: 9 }, (_, at) => `${100 + 5 * at} here down`),
      ] as Check[],
      ["unknown", "up since 1", ...Array(8).fill("up"), "down since 100"],
    ],
    [
      "13.6: a silent location is not awaited and has no vote",
      { silent: ["nyc"] },
      ["0 here up", "1 fra up", "60 here down", "61 fra down"],
      ["unknown", "up since 1", "up", "down since 60"],
    ],
    [
      "13.6: a location whose network is at fault has no vote",
      { downWhen: "any", atFault: ["nyc"] },
      ["0 here up", "1 fra up", "2 nyc degraded"],
      ["unknown", "up since 1", "up"],
    ],
    [
      "13.6: a silent location has no vote, also if it sends a check",
      { downWhen: "any", silent: ["nyc"] },
      ["0 here up", "1 fra up", "2 nyc down"],
      ["unknown", "up since 1", "up"],
    ],
    [
      "13.6: an observation counts for two intervals and a timeout",
      {},
      [
        "0 here up",
        "1 fra up",
        "2 nyc up",
        "100 here down",
        "131 here down",
        "132 here down",
        "133 here down",
      ],
      ["unknown", "unknown", "up since 2", "up", "up", "up", "down since 100"],
    ],
    [
      "13.9, 13.10: a majority needs two of three, and begins with the first of them",
      {},
      ["0 here up", "1 fra up", "2 nyc up", "60 here down", "61 fra down", "62 nyc down"],
      ["unknown", "unknown", "up since 2", "up", "down since 60", "down"],
    ],
    [
      "13.10: a majority of two is both",
      { locations: ["here", "fra"] },
      ["0 here up", "1 fra up", "60 here down", "61 fra up", "90 fra down", "120 here up"],
      ["unknown", "up since 1", "up", "up", "down since 60", "up since 120"],
    ],
    [
      "13.10: any needs one",
      { downWhen: "any" },
      ["0 here up", "1 fra up", "2 nyc up", "60 here down", "61 fra up", "120 here up"],
      ["unknown", "unknown", "up since 2", "down since 60", "down", "up since 120"],
    ],
    [
      "13.10: all needs all that have a vote",
      { downWhen: "all", silent: ["nyc"] },
      ["0 here up", "1 fra up", "60 here down", "61 fra down", "120 here up"],
      ["unknown", "up since 1", "up", "down since 60", "up since 120"],
    ],
    [
      "13.10: a number is at most all that have a vote",
      { downWhen: 3, silent: ["nyc"] },
      ["0 here up", "1 fra up", "60 here down", "61 fra down"],
      ["unknown", "up since 1", "up", "down since 60"],
    ],
    [
      "13.10: the group is the worst one that enough see at least",
      {},
      ["0 here up", "1 fra up", "2 nyc up", "60 here down", "61 fra degraded", "62 nyc down", "120 here up"],
      ["unknown", "unknown", "up since 2", "up", "degraded since 60", "down since 62", "degraded since 120"],
    ],
    [
      "13.9: the check of another location confirms",
      { confirmations: 1, locations: ["here", "fra"] },
      ["0 here up", "1 fra up", "60 here down", "61 fra down"],
      ["unknown", "up since 1", "up", "down since 60"],
    ],
    [
      "13.9: the checks of all locations that see it count together",
      { confirmations: 3 },
      ["0 here up", "1 fra up", "2 nyc up", "60 here down", "61 fra down", "62 nyc down", "81 fra down"],
      ["unknown", "unknown", "up since 2", "up", "up", "up", "down since 60"],
    ],
    [
      "13.9: a check that sees it no more ends that",
      { confirmations: 3 },
      [
        "0 here up",
        "1 fra up",
        "2 nyc up",
        "60 here down",
        "61 fra down",
        "62 fra up",
        "63 here down",
        "64 here down",
      ],
      ["unknown", "unknown", "up since 2", "up", "up", "up", "up", "up"],
    ],
    [
      "13.9: what one location has seen for long confirms nothing, and is not the begin",
      { confirmations: 2 },
      [
        ...["0 here up", "1 fra up", "2 nyc up", "60 here down", "120 here down", "121 fra up", "122 nyc up"],
        ...["180 here down", "240 here down", "241 fra up", "242 nyc up", "250 fra down", "270 fra down"],
      ] as Check[],
      ["unknown", "unknown", "up since 2", ...Array<string>(9).fill("up"), "down since 250"],
    ],
    [
      "13.9: recoveries count the same",
      { recoveries: 2 },
      ["0 here down", "1 fra down", "2 nyc down", "60 here up", "61 fra up", "62 nyc up"],
      ["unknown", "unknown", "down since 2", "down", "down", "up since 60"],
    ],
    [
      "13.9: a location that never saw the trouble confirms no recovery of another one",
      { recoveries: 2 },
      [
        ...["0 here down", "1 fra down", "2 nyc up", "60 here down", "61 fra down", "62 nyc up"],
        ...["120 nyc up", "125 fra up", "145 fra up"],
      ] as Check[],
      ["unknown", "unknown", "down since 2", "down", "down", "down", "down", "down", "up since 125"],
    ],
    [
      "13.6, 13.9: if only the votes change, all checks count",
      { recoveries: 2 },
      [
        ...["0 here down", "1 fra down", "2 nyc up", "60 here down", "62 nyc up"],
        ...["120 here down", "122 nyc up", "132 nyc up"],
      ] as Check[],
      ["unknown", "unknown", "down since 2", "down", "down", "down", "down", "up since 132"],
    ],
    [
      "11.6, 13.9: a date is immediate",
      { ...TLS, confirmations: 5 },
      ["0 here active", "1 fra active", "2 nyc active", "60 here expiring_soon", "61 fra expiring_soon"],
      ["unknown", "unknown", "active since 2", "active", "expiring_soon since 60"],
    ],
    [
      "11.6, 13.9: the warning between is no date if nobody sees one",
      { ...TLS, confirmations: 5 },
      ["0 here active", "1 fra active", "2 nyc active", "60 here no_cert", "61 fra no_cert"],
      ["unknown", "unknown", "active since 2", "active", "active"],
    ],
    [
      "13.11: the status within the group stays as long as one location sees it",
      TLS,
      [
        "0 here expired",
        "1 fra no_cert",
        "2 nyc expired",
        "60 nyc no_cert",
        "61 here no_cert",
        "62 fra expired",
      ],
      ["unknown", "unknown", "expired since 2", "expired", "no_cert since 61", "no_cert"],
    ],
  ])("%s", (_, setting, checks, expected) => {
    expect(statuses(placed(setting), checks)).toEqual(expected);
  });
});

const names = ["here", "fra", "nyc"] as const;
const step = fc.record({
  name: fc.constantFrom(...names),
  seen: fc.constantFrom("up", "degraded", "down"),
  /** Seconds since the previous one. */
  pause: fc.integer({ min: 1, max: 20 }),
});
const rule = fc.constantFrom<DownWhen[]>("majority", "any", "all", 1, 2, 3);

test("behavior 13.10: without numbers, the group is always the worst one that enough locations see at least", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), rule, (steps, downWhen) => {
      let [subject, seconds] = [placed({ downWhen }), 3];
      const latest = new Map<string, { at: number; level: number }>();
      for (const name of names) subject = walk(subject, [`${names.indexOf(name)} ${name} up`]).after;
      for (const name of names) latest.set(name, { at: names.indexOf(name), level: 0 });
      for (const { name, seen, pause } of steps) {
        seconds += pause;
        subject = walk(subject, [`${seconds} ${name} ${seen}`]).after;
        latest.set(name, { at: seconds, level: levelOf[seen] });
        const votes = [...latest.values()].filter(({ at }) => seconds - at <= 130).map(({ level }) => level);
        const ranked = votes.sort((one, other) => other - one);
        expect(levelOf[subject.state.status]).toBe(ranked[votesNeeded(downWhen, votes.length) - 1] ?? 0);
        expect(subject.state.statusSince).toBeLessThanOrEqual(START + seconds * 1000);
      }
    }),
  );
});

test("behavior 13.9: an outage is open exactly while the status is trouble, and ends after its begin", () => {
  const numbers = fc.record({ confirmations: fc.nat(3), recoveries: fc.nat(3) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), rule, numbers, (steps, downWhen, numbers) => {
      let seconds = 0;
      let subject = placed({ downWhen, ...numbers });
      let openSince: number | null = null;
      for (const { name, seen, pause } of steps) {
        seconds += pause;
        const { outages, state, after } = walk(subject, [`${seconds} ${name} ${seen}`]);
        for (const change of outages) {
          if (change.kind === "opened") openSince = change.startedAt;
          if (change.kind !== "closed") continue;
          expect(change.endedAt).toBeGreaterThan(openSince ?? Number.POSITIVE_INFINITY);
          openSince = null;
        }
        const { status } = state;
        const isTrouble = status !== "unknown" && levelOf[status] > 0;
        expect([openSince !== null, state.outage !== null]).toEqual([isTrouble, isTrouble]);
        subject = after;
      }
    }),
  );
});

test("the level of a status follows from its group", () => {
  const levels = (["up", "ok", "degraded", "changed", "down", "unknown"] as Status[]).map(
    (status) => levelOf[status],
  );
  expect(levels).toEqual([0, 0, 1, 1, 2, 2]);
});
