import { expect, test } from "bun:test";
import { Refusal } from "../../src/dashboard/web/api.ts";
import { configOf } from "../../src/dashboard/web/config-fields.tsx";
import { refusedBy } from "../../src/dashboard/web/fields.tsx";

const FIELDS = ["name", "config.port", "config.expected"];

test.each([
  [
    "config.port must be a whole number from 1 to 65535",
    "config.port",
    "Must be a whole number from 1 to 65535.",
  ],
  ["config.expected.0 must be a string", "config.expected", "Must be a string."],
  ["name is required", "name", "Is required."],
  ["config.port of 0 is not allowed", "config.port", "0 is not allowed."],
  ["Monitor limit reached", null, "Monitor limit reached"],
  ["config.unknown is not a known field", null, "config.unknown is not a known field"],
])("%s stands beside its field", (sentence, field, words) => {
  expect(refusedBy(new Refusal(422, sentence), FIELDS)).toEqual({ field, words });
});

test("a server that can't be reached is said so", () => {
  expect(refusedBy(new TypeError("fetch failed"), FIELDS)).toMatchObject({ field: null });
});

test("a form gives the config that the API takes: empty fields left out, numbers as numbers, the rest as it stands", () => {
  const data = new FormData();
  data.set("config.host", " example.com ");
  data.set("config.port", "x");
  data.set("config.interval", "60");
  expect(configOf("TCP", data)).toEqual({ host: "example.com", port: "x", interval: 60 });
  data.set("config.expected", "a\n\n b \n");
  data.set("config.hostname", "example.com");
  expect(configOf("DNS", data)).toEqual({ hostname: "example.com", expected: ["a", "b"], interval: 60 });
  expect(configOf("SCHEDULED", new FormData())).toEqual({});
});
