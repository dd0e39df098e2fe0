import { expect, test } from "bun:test";
import type { Ledger, SimRequest, SimSchedule } from "../../../scripts/simulator/ledger.ts";
import { Rosters } from "../../../scripts/simulator/oracle/on-call/rosters.ts";
import { turnsOf } from "../../../scripts/simulator/oracle/on-call/turns.ts";

const people = ["ana", "ben", "cem"].map((name) => ({ name, channels: [], isDisabled: name === "cem" }));
const at = (time: string) => Date.parse(time);

/** Who is on call at some moments. */
function onCall(schedule: Partial<SimSchedule>, ...times: string[]): (string | null)[] {
  const [from, to] = [Math.min(...times.map(at)), Math.max(...times.map(at))];
  const full = { name: "ops", timezone: "Europe/Berlin", layers: [], overrides: [], ...schedule };
  return times.map((time) => turnsOf(full, people, { from, to })(at(time)));
}

const daily = (startsAt: string, ...names: string[]): SimSchedule["layers"][number] => {
  return { people: names, every: "day", startsAt: at(startsAt) };
};

test("turns of a day change at the local time, after a gap and at its first occurrence", () => {
  const layers = [daily("2026-03-28T01:30Z", "ana", "ben")];
  expect(onCall({ layers }, "2026-03-28T01:29Z", "2026-03-28T01:30Z")).toEqual([null, "ana"]);
  // 02:30 does not occur on March 29: the clock shows 03:00 after 01:59.
  expect(onCall({ layers }, "2026-03-29T00:59Z", "2026-03-29T01:00Z")).toEqual(["ana", "ben"]);
  expect(onCall({ layers }, "2026-03-30T00:29Z", "2026-03-30T00:30Z")).toEqual(["ben", "ana"]);
  const autumn = [daily("2026-10-24T00:30Z", "ana", "ben")];
  const times = ["2026-10-25T00:29Z", "2026-10-25T00:30Z", "2026-10-25T01:15Z", "2026-10-26T01:29Z"];
  expect(onCall({ layers: autumn }, ...times)).toEqual(["ana", "ben", "ben", "ben"]);
});

test("seconds elapse, and the next person takes the turn of one who is disabled", () => {
  const layers = [{ people: ["cem", "ben", "ana"], every: 3600, startsAt: at("2026-03-29T00:00Z") }];
  const times = ["2026-03-29T00:59Z", "2026-03-29T01:00Z", "2026-03-29T02:00Z", "2026-03-29T03:00Z"];
  expect(onCall({ layers }, ...times)).toEqual(["ben", "ben", "ana", "ben"]);
});

test("a layer counts in its hours, and the first one that has somebody decides", () => {
  const nights = { windows: [{ days: ["fri" as const], from: "20:00", to: "08:00" }] };
  const layers = [{ ...daily("2026-06-01T00:00Z", "ben"), hours: nights }, daily("2026-06-01T00:00Z", "ana")];
  // Friday, June 12.
  const times = ["2026-06-12T17:59Z", "2026-06-12T18:00Z", "2026-06-13T05:59Z", "2026-06-13T06:00Z"];
  expect(onCall({ layers }, ...times)).toEqual(["ana", "ben", "ben", "ana"]);
});

test("the override that began last counts until its end, and none of a disabled person", () => {
  const override = (person: string, startsAt: string, endsAt: string) => {
    return { person, startsAt: at(startsAt), endsAt: at(endsAt) };
  };
  const overrides = [
    override("ben", "2026-06-12T10:00Z", "2026-06-12T11:00Z"),
    override("ana", "2026-06-12T09:00Z", "2026-06-12T12:00Z"),
    override("cem", "2026-06-12T10:30Z", "2026-06-12T12:00Z"),
  ];
  const times = ["2026-06-12T09:59Z", "2026-06-12T10:59Z", "2026-06-12T11:00Z", "2026-06-12T12:00Z"];
  expect(onCall({ overrides }, ...times)).toEqual(["ana", "ben", "ana", null]);
});

test("requests change who is on call, and for a moment it is not clear which of them counts", () => {
  const [from, to] = [at("2026-06-01T00:00Z"), at("2026-06-10T00:00Z")];
  const schedule = {
    name: "ops",
    timezone: "UTC",
    layers: [daily("2026-06-01T00:00Z", "ana", "ben", "dan")],
    overrides: [],
  };
  const channelsOf = (name: string) => ({ name, channels: [name], isDisabled: false });
  const onCall = { people: ["ana", "ben", "dan"].map(channelsOf), schedules: [schedule], defaults: ["all"] };
  const scenario = { seed: 1, from, to, monitors: [], channels: [], faults: [], onCall };
  const answered = (time: string, request: SimRequest, isAccepted = true): Ledger["requests"][number] => {
    return { request, from: at(time), to: at(time) + 100, accepted: isAccepted };
  };
  const when = (time: string) => ({ at: at(time) });
  const rosters = new Rosters(
    {
      scenario,
      requests: [
        answered("2026-06-02T12:00Z", {
          ...when("2026-06-02T12:00Z"),
          kind: "disable person",
          person: "ben",
        }),
        answered("2026-06-03T00:00Z", { ...when("2026-06-03T00:00Z"), kind: "delete person", person: "ben" }),
        answered("2026-06-04T00:00Z", {
          ...when("2026-06-04T00:00Z"),
          kind: "own channels",
          person: "ana",
          channels: [],
        }),
        answered(
          "2026-06-05T00:00Z",
          { ...when("2026-06-05T00:00Z"), kind: "delete person", person: "ana" },
          false,
        ),
      ],
    },
    onCall,
  );
  const channels = (time: string) => rosters.channelsAt("ops", at(time));
  expect(channels("2026-06-02T11:59Z")).toEqual([["ben"]]);
  expect(channels("2026-06-02T12:00:01Z")).toEqual([["dan"], ["ben"]]);
  expect(channels("2026-06-02T12:01Z")).toEqual([["dan"]]);
  // On the third day, with two people left, the first one has the turn.
  expect(channels("2026-06-03T12:00Z")).toEqual([["ana"]]);
  expect(channels("2026-06-05T12:00Z")).toEqual([["all"]]);
});
