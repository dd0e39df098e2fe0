import { describe, expect, test } from "bun:test";
import { locationFaults } from "../../../../src/dashboard/web/form/validation.ts";
import {
  chosenOf,
  describeVotes,
  offeredVotes,
} from "../../../../src/dashboard/web/monitors/confirmation-fields.tsx";
import { MAX_LOCATIONS } from "../../../../src/domain/locations/location.ts";
import { sentencesOf } from "../../form/said.ts";

function form(locations: string[], downWhen: string): FormData {
  const data = new FormData();
  for (const id of locations) data.append("locations", id);
  data.set("downWhen", downWhen);
  return data;
}

describe("the locations in a form", () => {
  test("behavior 13.66: are left out if the form does not offer any", () => {
    expect(chosenOf(new FormData(), ["b"])).toEqual({});
  });

  test("behavior 13.66: keep the order that is stored, and new ones follow", () => {
    expect(chosenOf(form(["here", "a", "b", "c"], "all"), ["c", "gone", "here"])).toEqual({
      locations: ["c", "here", "a", "b"],
      downWhen: "all",
    });
  });

  test("have a number of votes as a number", () => {
    expect(chosenOf(form(["here", "a"], "2"))).toEqual({ locations: ["here", "a"], downWhen: 2 });
  });

  test("are at least one and at most as many as the API accepts", () => {
    const ids = Array.from({ length: MAX_LOCATIONS + 1 }, (_, at) => String(at));
    expect(locationFaults(undefined)).toEqual([]);
    expect(locationFaults(["here"])).toEqual([]);
    for (const wrong of [[], ids])
      expect(sentencesOf(locationFaults(wrong))[0]).toBe("locations must be an array of 1 to 20 entries");
  });
});

test.each([
  [1, "majority", ["majority", "any", "all"]],
  [2, "any", ["majority", "any", "all"]],
  [4, "all", ["majority", "any", "all", 2, 3]],
  [3, 3, ["majority", "any", "all", 2, 3]],
  [3, 1, ["majority", "any", "all", 1, 2]],
  [2, 3, ["majority", "any", "all"]],
] as const)("for %d locations and the stored value %s, the form offers %j", (count, stored, offered) => {
  expect(offeredVotes(count, stored)).toEqual([...offered]);
});

test("each number of votes has a label", () => {
  expect(["majority", "any", "all", 1, 2].map((votes) => describeVotes(votes as "any" | number))).toEqual([
    "More than half of the locations",
    "Any location",
    "All locations",
    "At least 1 location",
    "At least 2 locations",
  ]);
});
