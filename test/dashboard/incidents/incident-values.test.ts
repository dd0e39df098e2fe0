import { expect, test } from "bun:test";
import {
  changesFaults,
  newIncidentFaults,
  newIncidentIn,
  updateFaults,
  updateIn,
} from "../../../src/dashboard/web/incidents/incident-words.ts";
import { sentencesOf } from "../form/said.ts";

function form(fields: Record<string, string | string[]>): FormData {
  const data = new FormData();
  for (const [name, values] of Object.entries(fields))
    for (const value of [values].flat()) data.append(name, value);
  return data;
}

const shared = { title: " Payments fail ", impact: "major", componentIds: ["c1", "c2"] };

test("behavior 15.96: a new incident has an update only if there is a message", () => {
  const values = { title: "Payments fail", impact: "major", componentIds: ["c1", "c2"] };
  expect<object>(newIncidentIn(form({ ...shared, status: "investigating", body: " \n" }))).toEqual(values);
  expect<object>(newIncidentIn(form({ ...shared, status: "resolved", body: "    code" }))).toEqual({
    ...values,
    updates: [{ status: "resolved", body: "    code" }],
  });
});

test("behavior 15.96: a new incident needs a title, and a message unless its status is the first one", () => {
  const faultsOf = (fields: object) => sentencesOf(newIncidentFaults(form({ ...shared, ...fields })));
  expect(faultsOf({ status: "investigating", body: "" })).toEqual([]);
  expect(faultsOf({ status: "identified", body: "" })).toEqual(["body: Is required for this status."]);
  expect(faultsOf({ status: "identified", body: "x".repeat(10_001) })).toEqual([
    "body must be a text of 1 to 10000 characters",
  ]);
  expect(faultsOf({ title: " ", status: "investigating", body: "" })).toEqual([
    "title must be 1 to 200 characters",
  ]);
  expect(changesFaults(form({ ...shared, title: "x".repeat(201) }))).toHaveLength(1);
});

test("behavior 15.96: an update needs a message", () => {
  expect(sentencesOf(updateFaults(form({ status: "resolved", body: " " })))).toEqual([
    "body: Enter a value.",
  ]);
  const valid = form({ status: "resolved", body: "All payments work again." });
  expect(updateFaults(valid)).toEqual([]);
  expect(updateIn(valid)).toEqual({ status: "resolved", body: "All payments work again." });
});
