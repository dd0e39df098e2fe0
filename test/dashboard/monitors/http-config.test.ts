import { describe, expect, test } from "bun:test";
import { monitorFaults } from "../../../src/dashboard/web/form/validation.ts";
import { configOf } from "../../../src/dashboard/web/monitors/config/config-values.ts";
import { rowFaults, statusChoiceOf } from "../../../src/dashboard/web/monitors/config/request-values.ts";
import { sentencesOf } from "../form/said.ts";

const URL_AND_INTERVAL = { url: "https://example.com/", interval: 60 };

/** The values of a form: an array is one of rows. */
function formOf(fields: Record<string, string | string[]>): FormData {
  const data = new FormData();
  data.set("config.url", URL_AND_INTERVAL.url);
  data.set("config.interval", String(URL_AND_INTERVAL.interval));
  for (const [name, values] of Object.entries(fields)) {
    data.delete(name);
    for (const value of [values].flat()) data.append(name, value);
  }
  return data;
}

const ANY = { "config.up": "any" };

describe("a form of an HTTP monitor returns the config that the API accepts", () => {
  test.each<[Record<string, string | string[]>, object]>([
    [ANY, {}],
    [
      { "config.up": "2xx", "config.body": "", "config.headers": ["", ""], "config.redirects": "" },
      { expect: { status: ["2xx"] } },
    ],
    [{ "config.up": "default" }, { expect: {} }],
    [{ ...ANY, "config.expiryWarning": "14" }, { expiryWarning: 14 }],
    [{ ...ANY, "config.everyAddress": "true" }, { everyAddress: true }],
    [{ ...ANY, "config.url": "example.com" }, { url: "https://example.com" }],
    [
      { ...ANY, "config.url": "https://me:p%20@example.com/", "config.basicAuth.user": "other" },
      { url: "https://example.com/", basicAuth: { user: "me", password: "p " } },
    ],
    [
      { "config.up": "listed", "config.expect.status": "2xx, 304 400-404" },
      { expect: { status: ["2xx", 304, "400-404"] } },
    ],
    [{ ...ANY, "config.expect.complete": "true" }, { expect: { status: ["100-999"], complete: true } }],
    [{ ...ANY, "config.expect.within": "500" }, { expect: { status: ["100-999"], within: 500 } }],
    [
      { ...ANY, "config.method": "POST", "config.body": " {}\r\n" },
      { method: "POST", body: " {}\n" },
    ],
    [{ ...ANY, "config.headers": ["X-A", "1 ", "", "", "X-B", ""] }, { headers: { "X-A": "1", "X-B": "" } }],
    [
      { ...ANY, "config.basicAuth.user": "me", "config.basicAuth.password": " p " },
      { basicAuth: { user: "me", password: " p " } },
    ],
    [
      {
        ...ANY,
        "config.redirects": "0",
        "config.timeout": "5",
        "config.ipFamily": "6",
        "config.verifyTls": "false",
      },
      { redirects: 0, timeout: 5, ipFamily: 6, verifyTls: false },
    ],
    [
      { "config.up": "2xx", "config.expect.contains": " a \n\nb", "config.expect.lacks": "error" },
      { expect: { status: ["2xx"], contains: [" a ", "b"], lacks: "error" } },
    ],
    [
      { "config.up": "2xx", "config.expect.headers": ["Content-Type", "json"] },
      { expect: { status: ["2xx"], headers: { "Content-Type": "json" } } },
    ],
    [
      {
        "config.up": "default",
        "config.expect.json": [
          ["$.a", "text", "5"],
          ["$.b", "literal", "5"],
          ["$.c", "literal", "null"],
          ["$.d", "min", "1.5"],
          ["$.e", "max", "-1"],
          ["$.f", "range", "0 to 10"],
          ["$.g", "exists", ""],
          ["$.h", "missing", ""],
          ["$.i", "text", ""],
          ["", "text", ""],
        ].flat(),
      },
      {
        expect: {
          json: {
            "$.a": "5",
            "$.b": 5,
            "$.c": null,
            "$.d": { min: 1.5 },
            "$.e": { max: -1 },
            "$.f": { min: 0, max: 10 },
            "$.g": { exists: true },
            "$.h": { exists: false },
            "$.i": "",
          },
        },
      },
    ],
  ])("%j", (fields, config) => {
    const data = formOf(fields);
    expect(configOf("HTTP", data)).toEqual({ ...URL_AND_INTERVAL, ...config });
    expect([...sentencesOf(rowFaults(data)), ...faultsOf(configOf("HTTP", data))]).toEqual([]);
  });
});

test("what a field cannot show exactly stays as it is stored, unless the reader edits it", () => {
  const stored = {
    ...URL_AND_INTERVAL,
    method: "POST",
    body: "a\r\nb",
    verifyTls: true,
    everyAddress: false,
    expect: { contains: ["one"], lacks: "two\nlines", json: { "$.a": "two\nlines" } },
  };
  const shown = {
    "config.up": "default",
    "config.method": "POST",
    "config.body": "a\nb",
    "config.expect.contains": "one",
    "config.expect.lacks": "two\nlines",
    "config.expect.json": ["$.a", "text", "twolines"],
  };
  expect(configOf("HTTP", formOf(shown), stored)).toEqual(stored);
  const edited = { ...shown, "config.body": "a\nb\n", "config.expect.json": ["$.a", "text", "new"] };
  expect(configOf("HTTP", formOf(edited), stored)).toMatchObject({
    body: "a\nb\n",
    expect: { json: { "$.a": "new" } },
  });
});

test.each<[object | undefined, "any" | "success" | "listed", string]>([
  [undefined, "any", "any"],
  [{}, "success", "default"],
  [{ status: ["2xx"] }, "success", "2xx"],
  [{ contains: "a" }, "success", "default"],
  [{ status: ["2xx", 304] }, "listed", "listed"],
  [{ status: ["100-599"] }, "listed", "listed"],
  [{ status: ["100-599"], contains: "a" }, "any", "100-599"],
  [{ status: ["100-999"], contains: "a" }, "any", "100-999"],
])("the expectations %j are shown as the choice %s, and stay the same", (expectations, choice, sent) => {
  const shown = statusChoiceOf(expectations);
  expect([shown.choice, shown.sent[choice]]).toEqual([choice, sent]);
});

test.each<[Record<string, string[]>, string]>([
  [{ "config.headers": ["X-A", "1", "X-A", "2"] }, "config.headers.X-A: config.headers.X-A must occur once."],
  [{ "config.headers": ["", "1"] }, "config.headers: Must have a name for each value."],
  [{ "config.expect.json": ["", "text", "1"] }, "config.expect.json: Must have a path for each value."],
  [
    { "config.expect.json": ["$.a", "literal", "yes"] },
    'config.expect.json["$.a"]: config.expect.json["$.a"] must be a number, true, false or null.',
  ],
])("the rows %j are refused with: %s", (rows, sentence) => {
  expect(sentencesOf(rowFaults(formOf(rows)))).toContain(sentence);
});

test.each([
  [["$.a", "min", "many"], 'config.expect.json["$.a"].min must be a number'],
  [["$.a", "range", "1"], 'config.expect.json["$.a"].max must be a number'],
])("the expectation %j is refused with: %s", (row, sentence) => {
  expect(faultsOf(configOf("HTTP", formOf({ "config.up": "2xx", "config.expect.json": row })))).toContain(
    sentence,
  );
});

test("behavior 10.28: the page keeps a stored secret, and asks for it with another origin", () => {
  const stored = { ...URL_AND_INTERVAL, headers: { "X-A": "•••" } };
  expect(faultsOf(stored, stored)).toEqual([]);
  expect(faultsOf({ ...stored, url: "https://example.org/" }, stored)[0]).toBe(
    "config.headers.X-A must be sent with its value: the origin of config.url changes",
  );
  expect(faultsOf(stored)[0]).toBe("config.headers.X-A must be sent with its value: none is stored");
});

function faultsOf(config: object, stored?: object): string[] {
  return sentencesOf(monitorFaults("HTTP", { name: "a site", config }, "pro", stored));
}
