import { afterEach, describe, expect, spyOn, test } from "bun:test";
import { english } from "../../../src/dashboard/languages/english.ts";
import { ApiError, api } from "../../../src/dashboard/web/data/api.ts";
import { errorsByField } from "../../../src/dashboard/web/form/field-errors.ts";
import { faultOf } from "../../../src/dashboard/web/form/form.tsx";
import { pageFault } from "../../../src/dashboard/web/form/page-fault.ts";
import { monitorFaults, ruleFaults } from "../../../src/dashboard/web/form/validation.ts";
import { texts } from "../../../src/dashboard/web/languages/texts.ts";
import { assertRequestHeaders } from "../../../src/domain/monitors/header-rules.ts";
import type { SaidFault } from "../../../src/domain/schemas/validation.ts";

const FIELDS = ["name", "config.port", "config.headers", "config.expect.json"];

const fault = (code: string, field: string, values: SaidFault["values"] = {}, sentence = "") => ({
  code,
  field,
  values,
  sentence,
});

test.each<[SaidFault, string, string]>([
  [
    fault("wholeNumberFromTo", "config.port", { least: 1, count: 65_535 }),
    "config.port",
    "Must be a whole number from 1 to 65535.",
  ],
  [
    fault("wholeNumberFromTo", "config.port", { least: 1, count: 65_535, got: 70_000 }),
    "config.port",
    "Must be a whole number from 1 to 65535, got 70000.",
  ],
  [fault("string", "config.headers.0"), "config.headers", "Must be a string."],
  [
    fault("header-value", "config.headers.X-A"),
    "config.headers",
    "X-A: Must be visible ASCII characters, spaces and tabs.",
  ],
  [
    fault("headerTwice", "config.headers.X-A"),
    "config.headers",
    "X-A must occur once: names of headers ignore case.",
  ],
  [
    fault("number", 'config.expect.json["$[\'a \\"b\']"].min'),
    "config.expect.json",
    "$['a \"b']: Must be a number.",
  ],
  [fault("required", "config.port"), "config.port", "Enter a value."],
  [fault("name", "name"), "name", "Enter a name of 1 to 200 characters."],
  [fault("tooLong", "config.port", { count: 1 }), "config.port", "Must be at most 1 character long."],
  [fault("monitorLimit", "", {}, "Monitor limit reached"), "", "Monitor limit reached"],
  [fault("", "", {}, "a newer rule"), "", "a newer rule"],
  [fault("ofTomorrow", "config.port", {}, "config.port is odd"), "config.port", "config.port is odd"],
  [
    fault("unknownField", "config.unknown", {}, "config.unknown is not a known field"),
    "",
    "config.unknown is not a known field",
  ],
  [pageFault("incomplete", "config.unknown", {}), "", "config.unknown: Must be complete or empty."],
])("behavior 9.108, 27.72: %j is shown beside %s", (one, field, text) => {
  expect(errorsByField([one], FIELDS)).toEqual({ [field]: text });
});

test("each field has one error, the first of several", () => {
  const found = [fault("required", "config.port"), fault("required", "name"), fault("number", "config.port")];
  expect(errorsByField(found, FIELDS)).toEqual({
    "config.port": "Enter a value.",
    name: "Enter a value.",
  });
});

describe("behavior 27.72: in another language", () => {
  afterEach(() => {
    Object.assign(texts, { faults: english.faults });
  });

  const speak = (faults: Record<string, string | { one: string; other: string }>) =>
    Object.assign(texts, { faults: { ...english.faults, ...faults } });

  test("a form shows the faults that the browser finds, by the rules of the API", () => {
    speak({
      wholeNumberFromToGot: "Ganzzahl von {least} bis {count} nötig, nicht {got}.",
      required: "Bitte ausfüllen.",
      headerOfConnection: "{entry} weglassen: Das sendet stillup selbst.",
    });
    const config = { host: "example.com", port: 70_000 };
    const found = monitorFaults("TCP", { name: "a", config }, "pro");
    expect(errorsByField(found, ["config.port", "config.interval"])).toEqual({
      "config.port": "Ganzzahl von 1 bis 65535 nötig, nicht 70000.",
      "config.interval": "Bitte ausfüllen.",
    });
    const ofHeaders = ruleFaults(() => assertRequestHeaders({ Connection: "close" }, "config.headers"));
    expect(errorsByField(ofHeaders, FIELDS)).toEqual({
      "config.headers": "Connection weglassen: Das sendet stillup selbst.",
    });
  });

  test("a form shows the fault that only the server finds, beside its field", async () => {
    speak({ taken: "Vergeben: Bitte ein anderes wählen." });
    const named = { code: "taken", field: "slug", values: {} };
    const sentence = "slug is taken: it must be unique on this server";
    const headers = { "stillup-fault": JSON.stringify(named) };
    const answer = spyOn(globalThis, "fetch").mockImplementation((async () =>
      Response.json({ error: sentence }, { status: 422, headers })) as unknown as typeof fetch);
    const error = await api.pages.post({} as never).catch((caught: unknown) => caught);
    answer.mockRestore();
    expect(error).toBeInstanceOf(ApiError);
    expect(errorsByField([faultOf(error)], ["title", "slug"])).toEqual({
      slug: "Vergeben: Bitte ein anderes wählen.",
    });
    expect(errorsByField([faultOf(new TypeError("fetch failed"))], ["slug"])).toEqual({
      "": "Cannot reach the server.",
    });
  });

  test("a text has the plural form of its number", () => {
    speak({ tooLong: { one: "Höchstens {count} Zeichen, eines.", other: "Höchstens {count} Zeichen." } });
    const shown = (count: number) => errorsByField([fault("tooLong", "name", { count })], FIELDS).name;
    expect([shown(1), shown(2048)]).toEqual(["Höchstens 1 Zeichen, eines.", "Höchstens 2048 Zeichen."]);
  });

  test("a fault without a text is the sentence of the API, also before the texts are loaded", () => {
    Object.assign(texts, { faults: undefined });
    const sentence = "name is required";
    expect(errorsByField([fault("required", "name", {}, sentence)], FIELDS)).toEqual({ name: sentence });
    const own = [pageFault("incomplete", "name", {}), pageFault("noMonitor", "selector", {})];
    expect(errorsByField(own, FIELDS)).toEqual({ name: "incomplete", "": "noMonitor" });
  });
});
