import { describe, expect, test } from "bun:test";
import type { TSchema } from "@sinclair/typebox";
import type { ValueError } from "@sinclair/typebox/errors";
import { english } from "../../../src/dashboard/languages/english.ts";
import { textOfFault } from "../../../src/dashboard/web/data/fault-text.ts";
import { NewAlertBinding } from "../../../src/domain/alerts/alert-binding.ts";
import { channelConfigs } from "../../../src/domain/alerts/channel.ts";
import { Windows } from "../../../src/domain/alerts/hours.ts";
import { NotifyOn } from "../../../src/domain/alerts/notify.ts";
import { webhookConfigs } from "../../../src/domain/alerts/webhook-format.ts";
import { fault, type PlacesOf, type RuleCode } from "../../../src/domain/faults/fault.ts";
import { hints, sentences } from "../../../src/domain/faults/sentences.ts";
import { LocationIds } from "../../../src/domain/locations/location.ts";
import { NewMaintenance } from "../../../src/domain/maintenance/request.ts";
import { Confirmation } from "../../../src/domain/monitors/confirmation.ts";
import { monitorConfigs } from "../../../src/domain/monitors/monitor.ts";
import { Tags } from "../../../src/domain/monitors/tags.ts";
import { NewIncident } from "../../../src/domain/pages/incident-request.ts";
import { NewPage } from "../../../src/domain/pages/page-request.ts";
import { PersonName } from "../../../src/domain/schemas/format.ts";
import { faults, invalidValue } from "../../../src/domain/schemas/validation.ts";

type Text = string | { one: string; other: string };
const room: Record<string, Text> = english.faults;

function placesIn(text: Text | undefined): string[] {
  const texts = typeof text === "object" ? Object.values(text) : [text ?? ""];
  return [...new Set(texts.flatMap((one) => one.match(/\{\w+\}/g) ?? []))];
}

const codes = { ...sentences, ...hints };

test.each(Object.entries(codes))(
  "behavior 27.70: the text of %s has only places of its sentence",
  (code, sentence) => {
    const known = [...placesIn(sentence), "{entry}"];
    expect(room[code]).toBeDefined();
    expect(placesIn(room[code]).filter((place) => !known.includes(place))).toEqual([]);
  },
);

/** No text has a place that its sentence lacks: see also the compiler, which wants a text for each code. */
type Excess = {
  [Code in RuleCode]: Exclude<
    PlacesOf<Extract<(typeof english.faults)[Code], string>>,
    PlacesOf<(typeof sentences)[Code]> | "entry"
  >;
}[RuleCode];
const none: Excess[] = [];

test("behavior 27.70: an error has the sentence of its code with its values, and names the field and the values", () => {
  const error = fault("unknownMark", { field: "config.steps.1.body", mark: "{{TOKEN}}" });
  expect(error).toMatchObject({
    kind: "invalid",
    message: "config.steps.1.body must have only names that a step before takes, got {{TOKEN}}",
    fault: { code: "unknownMark", field: "config.steps.1.body", values: { mark: "{{TOKEN}}" } },
  });
  expect(none).toEqual([]);
});

/** The parts of a schema that can be wrong. */
function partsOf(schema: TSchema, found = new Set<TSchema>()): Set<TSchema> {
  if (found.has(schema)) return found;
  found.add(schema);
  const { properties = {}, items, anyOf = [], additionalProperties } = schema;
  for (const part of [...Object.values(properties), items, ...anyOf, additionalProperties])
    if (typeof part === "object" && part !== null) partsOf(part as TSchema, found);
  return found;
}

const FORMS: TSchema[] = [
  ...Object.values(monitorConfigs),
  ...Object.values(channelConfigs),
  ...Object.values(webhookConfigs),
  ...[NewAlertBinding, NotifyOn, LocationIds, NewMaintenance, Tags, NewIncident, NewPage, PersonName],
  Confirmation,
];

/** Only clients of the API can send another value. */
const OF_API_ONLY = /an object( or|$)|^must be (true|http|websocket|grpc|null)$/;

describe("behavior 27.70: each demand of a schema of a form", () => {
  const parts = [...new Set(FORMS.flatMap((schema) => [...partsOf(schema)]))];

  test.each([["text"], [-1.5]])("is the same as code and as sentence, for a value such as %p", (value) => {
    const different = parts.flatMap((schema) => {
      const error = { type: 0, schema, path: "/f", value, message: "", errors: [] } as unknown as ValueError;
      const { message, fault: found } = invalidValue(error);
      const demand = message.replace(/^f /, "").replace(/ or null(?=,|$)/, "");
      // Fields of texts and choices send no number.
      const isNumber = /^must be (0 or )?a whole number/.test(demand);
      const shown = isNumber ? demand : demand.replace(/, got -1\.5$/, "");
      if (OF_API_ONLY.test(shown)) return [];
      const text = found && textOfFault(found);
      return text === beside(shown) ? [] : [[found?.code, text, demand]];
    });
    expect(different).toEqual([]);
    expect(parts.length).toBeGreaterThan(200);
  });

  test("such as a missing field, an unknown one, a long text, and an entry that is listed twice", () => {
    const codesOf = (schema: TSchema, value: unknown) => faults(schema, value, "").map(({ code }) => code);
    expect(codesOf(PersonName, "")).toEqual(["person-name"]);
    expect(codesOf(NewPage, { slug: "a", more: 1 })).toEqual(
      expect.arrayContaining(["required", "unknownField"]),
    );
    expect(codesOf(Windows, [{ days: ["mon", "mon"], from: "08:00", to: "09:00" }])).toEqual(["listedTwice"]);
    const url = `https://example.com/${"x".repeat(2048)}`;
    expect(faults(monitorConfigs.HTTP, { url, interval: 60 }, "config")).toEqual([
      {
        code: "tooLong",
        field: "config.url",
        values: { count: 2048 },
        sentence: "config.url must be at most 2048 characters long",
      },
    ]);
  });

  test.each([
    ["@daily", "write 0 0 * * *"],
    ["CRON_TZ=UTC 0 0 * * *", "give the time zone as timezone, beside cron"],
    ["0 0 * * * root", "a sixth field, of seconds or of a user, is left out: write 0 * * * root"],
  ])("such as the cron expression %s, with the hint: %s", (cron, hint) => {
    const [found] = faults(monitorConfigs.SCHEDULED, { cron }, "config");
    expect(found?.sentence).toEndWith(`: ${hint}`);
    expect(found && textOfFault(found)).toEndWith(`: ${hint}.`);
  });
});

/** A demand as the page says it beside a field. */
function beside(demand: string): string {
  const asked = demand.replace(/^must be (?=1 to \d+ characters$)/, "enter ");
  return `${asked.charAt(0).toUpperCase()}${asked.slice(1)}.`;
}
