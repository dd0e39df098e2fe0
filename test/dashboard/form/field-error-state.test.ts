import { describe, expect, test } from "bun:test";
import { type FieldErrorAction, nextState, untouched } from "../../../src/dashboard/web/form/field-errors.ts";

type Kind = "numeric" | "checkbox" | "text";
const edit = (name: string, kind: Kind, errors = {}): FieldErrorAction => ({
  type: "edit",
  field: { name, kind },
  errors,
});
const shownAfter = (...actions: FieldErrorAction[]) => actions.reduce(nextState, untouched).shown;

describe("a form shows the error of a field", () => {
  const errors = { host: "Is required.", port: "Must be a number." };

  test("when the reader leaves it, and not before", () => {
    const typed = edit("host", "text", errors);
    expect(shownAfter(typed)).toEqual({});
    expect(shownAfter(typed, { type: "leave", name: "host", errors })).toEqual({ host: "Is required." });
  });

  test("at once if it is a number that was valid", () => {
    expect(shownAfter(edit("port", "numeric", errors))).toEqual({});
    expect(shownAfter(edit("port", "numeric"), edit("port", "numeric", errors))).toEqual({
      port: "Must be a number.",
    });
    expect(shownAfter(edit("host", "text"), edit("host", "text", errors))).toEqual({});
  });

  test("at once if it is a check box", () => {
    expect(shownAfter(edit("notifyOn", "checkbox", { notifyOn: "Is required." }))).toEqual({
      notifyOn: "Is required.",
    });
  });

  test("when the reader sends the form, until the field is valid", () => {
    const attempt: FieldErrorAction = { type: "attempt", names: ["host", "port"], errors };
    expect(shownAfter(attempt)).toEqual(errors);
    expect(shownAfter(attempt, edit("host", "text", { port: "Must be a number." }))).toEqual({
      port: "Must be a number.",
    });
  });
});

test("an error of the server is shown until the reader edits a field", () => {
  const reject: FieldErrorAction = { type: "reject", errors: { "": "Monitor limit reached" } };
  expect(shownAfter(reject)).toEqual({ "": "Monitor limit reached" });
  expect(shownAfter(reject, edit("host", "text"))).toEqual({});
});

test("a form with other fields starts again without errors", () => {
  const attempt: FieldErrorAction = { type: "attempt", names: ["host"], errors: { host: "Is required." } };
  expect([attempt, { type: "reset" } as const].reduce(nextState, untouched)).toEqual(untouched);
});
