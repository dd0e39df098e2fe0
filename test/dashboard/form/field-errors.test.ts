import { expect, test } from "bun:test";
import { errorsByField } from "../../../src/dashboard/web/form/field-errors.ts";

const FIELDS = ["name", "config.port", "config.expected", "config.expect.json"];

test.each([
  [
    "config.port must be a whole number from 1 to 65535",
    "config.port",
    "Must be a whole number from 1 to 65535.",
  ],
  ["config.expected.0 must be a string", "config.expected", "Must be a string."],
  [
    'config.expect.json["$[\'a \\"b\']"].min must be a number',
    "config.expect.json",
    "$['a \"b'] must be a number.",
  ],
  ["config.expect.json.a must be a number", "config.expect.json", "a must be a number."],
  ["name is required", "name", "Enter a value."],
  ["config.port is required", "config.port", "Enter a value."],
  ["name must be 1 to 200 characters", "name", "Enter a name of 1 to 200 characters."],
  ["config.expected must be 1 to 9 characters", "config.expected", "Enter 1 to 9 characters."],
  ["config.port of 0 is not allowed", "config.port", "0 is not allowed."],
  ["Monitor limit reached", "", "Monitor limit reached"],
  ["config.unknown is not a known field", "", "config.unknown is not a known field"],
])("behavior 9.108: %s is shown beside its field", (sentence, field, error) => {
  expect(errorsByField([sentence], FIELDS)).toEqual({ [field]: error });
});

test("each field has one error, the first of several", () => {
  const sentences = ["config.port is required", "name is required", "config.port must be a number"];
  expect(errorsByField(sentences, FIELDS)).toEqual({
    "config.port": "Enter a value.",
    name: "Enter a value.",
  });
});
