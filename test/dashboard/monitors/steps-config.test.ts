import { expect, test } from "bun:test";
import { errorsByField } from "../../../src/dashboard/web/form/field-errors.ts";
import { monitorFaults } from "../../../src/dashboard/web/form/validation.ts";
import { configOf, formFaults } from "../../../src/dashboard/web/monitors/config/config-values.ts";
import {
  rowFaults,
  sameOf,
  withOneRequest,
  withSteps,
} from "../../../src/dashboard/web/monitors/config/request-values.ts";
import type { MonitorKind } from "../../../src/domain/monitors/kinds/kinds.ts";
import type { SaidFault } from "../../../src/domain/schemas/validation.ts";
import { sentencesOf } from "../form/said.ts";

type Fields = Record<string, string | string[]>;

/** The values of a form: an array is one of rows. */
function formOf(fields: Fields): FormData {
  const data = new FormData();
  for (const [name, values] of Object.entries({ "config.interval": "300", ...fields }))
    for (const value of [values].flat()) data.append(name, value);
  return data;
}

const STEPS: Fields = {
  "config.steps": ["", ""],
  "config.steps.0.url": "https://example.com/login",
  "config.steps.0.up": "2xx",
  "config.steps.1.url": "https://example.com/",
  "config.steps.1.up": "default",
};

function stepsIn(fields: Fields, stored = {}): unknown {
  return configOf("HTTP", formOf({ ...STEPS, ...fields }), stored).steps;
}

test("behavior 26.181: a form with steps returns the config that the API accepts", () => {
  const fields = {
    ...STEPS,
    "config.steps.0.name": " sign in ",
    "config.steps.0.url": "example.com/login",
    "config.steps.0.method": "POST",
    "config.steps.0.headers": ["X-A", "1"],
    "config.steps.0.body": "user=me",
    "config.steps.0.redirects": "0",
    "config.steps.0.take": ["TOKEN", "$.token", "", ""],
    "config.steps.0.expect.json": ["$.ok", "literal", "true"],
    "config.steps.1.url": "https://example.com/{{TOKEN}}",
    "config.steps.1.expect.matches": "(?i)hello\nyou",
    "config.timeout": "120",
  };
  const data = formOf(fields);
  const config = configOf("HTTP", data);
  expect(config).toEqual({
    interval: 300,
    timeout: 120,
    steps: [
      {
        name: "sign in",
        url: "https://example.com/login",
        method: "POST",
        headers: { "X-A": "1" },
        body: "user=me",
        redirects: 0,
        take: { TOKEN: "$.token" },
        expect: { status: ["2xx"], json: { "$.ok": true } },
      },
      { url: "https://example.com/{{TOKEN}}", expect: { matches: ["(?i)hello", "you"] } },
    ],
  });
  expect([...formFaults("HTTP", data), ...faultsOf(config)]).toEqual([]);
});

test("behavior 26.182: a step that is moved keeps what its fields cannot show, and what the form does not know", () => {
  const stored = {
    steps: [
      { url: "https://example.com/login", body: "a\r\nb", method: "POST", expect: {}, later: { a: 1 } },
      { url: "https://example.com/", expect: { status: ["100-599"], lacks: "x", later: 2 } },
    ],
  };
  const moved = {
    "config.steps": ["1", "", "0"],
    "config.steps.0.url": "https://example.com/",
    "config.steps.0.up": "100-599",
    "config.steps.0.expect.lacks": "x",
    "config.steps.1.url": "https://example.com/new",
    "config.steps.1.up": "2xx",
    "config.steps.2.url": "https://example.com/login",
    "config.steps.2.up": "default",
    "config.steps.2.method": "POST",
    "config.steps.2.body": "a\nb",
  };
  const [first, second] = stored.steps;
  const added = { url: "https://example.com/new", expect: { status: ["2xx"] } };
  expect(configOf("HTTP", formOf(moved), stored).steps).toEqual([second, added, first]);
});

test("behavior 26.180: a part of a stored config without a field stays when it is saved", () => {
  const stored = { url: "https://example.com/", interval: 300, later: { a: 1 }, expect: { later: "x" } };
  const shown = { "config.url": "https://example.com/", "config.up": "default" };
  expect(configOf("HTTP", formOf(shown), stored)).toEqual(stored);
});

test("behavior 26.181: one request becomes the first of several steps, and the first step becomes the request", () => {
  const request = { url: "https://example.com/", method: "POST", body: "a", expect: {}, redirects: 5 };
  const others = { interval: 60, timeout: 5, proxy: { url: "http://proxy.example.com:3128" } };
  const config = { ...request, ...others };
  const steps = withSteps({ ...config, everyAddress: true });
  expect(steps).toEqual({ ...others, steps: [request, {}] });
  expect(withOneRequest(steps)).toEqual(config);
  const step = { ...request, name: "sign in", take: { A: "$.a" } };
  expect(withOneRequest({ ...others, steps: [step, {}] })).toEqual(config);
});

const ONE = { "config.url": "https://example.com/", "config.up": "any" };

test.each<[string, Fields, object]>([
  ["none", { "config.proxy.url": "", "config.clientCertificate.key": "" }, {}],
  [
    "basic",
    { "config.basicAuth.user": "me", "config.basicAuth.password": "" },
    { basicAuth: { user: "me", password: "" } },
  ],
  [
    "digest",
    { "config.digestAuth.user": "", "config.digestAuth.password": " p" },
    { digestAuth: { user: "", password: " p" } },
  ],
  [
    "oauth2",
    {
      "config.oauth2.tokenUrl": "https://auth.example.com/",
      "config.oauth2.clientId": "a",
      "config.oauth2.clientSecret": "b",
      "config.oauth2.scope": "",
    },
    { oauth2: { tokenUrl: "https://auth.example.com/", clientId: "a", clientSecret: "b" } },
  ],
  [
    "none",
    { "config.proxy.url": "socks5://proxy.example.com", "config.proxy.user": "me" },
    { proxy: { url: "socks5://proxy.example.com", user: "me" } },
  ],
])("behavior 26.180: a sign-in of %s with %j is the config %j", (signIn, fields, config) => {
  const data = formOf({ ...ONE, signIn, ...fields });
  const read = configOf("HTTP", data);
  expect(read).toEqual({ url: "https://example.com/", interval: 300, ...config });
  expect(faultsOf(read)).toEqual([]);
});

test.each<[string, Fields, string]>([
  ["basic", { "config.basicAuth.user": "", "config.basicAuth.password": "" }, "config.basicAuth.user"],
  ["digest", { "config.digestAuth.user": "", "config.digestAuth.password": "" }, "config.digestAuth.user"],
  ["oauth2", { "config.oauth2.tokenUrl": "" }, "config.oauth2.clientId"],
])("behavior 26.180: the sign-in %s without its values is refused at a field", (signIn, fields, field) => {
  const faults = faultsOf(configOf("HTTP", formOf({ ...ONE, signIn, ...fields })));
  expect(Object.keys(errorsByField(faults, [field]))).toContain(field);
});

test.each<[unknown, string[], string]>([
  [undefined, [""], ""],
  ["body", ["body"], ""],
  ["json:$.a", ["json", "$.a"], ""],
  [{ of: "header:ETag", keepDays: 3 }, ["header", "ETag"], "3"],
  [{ of: "text" }, ["text"], ""],
])("behavior 26.183: the expectation of the same %j is shown as %j, and stays", (same, values, days) => {
  const { part, detail, days: shown } = sameOf(same);
  expect([part, ...(detail === "" ? [] : [detail])]).toEqual(values as [string]);
  expect(shown).toBe(days);
  const fields = { ...ONE, "config.expect.same": values, "config.expect.same.keepDays": days };
  const { expect: read } = configOf("HTTP", formOf(fields), { expect: { status: ["100-999"], same } });
  expect(read).toEqual(same === undefined ? undefined : { status: ["100-999"], same });
});

test("behavior 26.183: another part, path or number of days is sent as it is entered", () => {
  const sameWith = (values: string[], days: string) => {
    const fields = { ...ONE, "config.expect.same": values, "config.expect.same.keepDays": days };
    const config = configOf("HTTP", formOf(fields), { expect: { same: { of: "header:ETag", keepDays: 3 } } });
    return (config.expect as { same?: unknown }).same;
  };
  expect(sameWith(["header", "X-Version"], "")).toBe("header:X-Version");
  expect(sameWith(["json", " $.a "], "30")).toEqual({ of: "json:$.a", keepDays: 30 });
  expect(sameWith(["text"], "x")).toEqual({ of: "text", keepDays: "x" });
});

test.each<[Fields, object]>([
  [{ records: "seen" }, {}],
  [{ records: "none" }, { expected: [] }],
  [{ records: "exactly", "config.expected": "a\n b " }, { expected: ["a", "b"] }],
  [{ records: "any", "config.expectedAny": "a" }, { expectedAny: ["a"] }],
  [{ records: "contains", "config.expectedContains": "a" }, { expectedContains: ["a"] }],
])("behavior 26.184: the expected records %j are the config %j", (fields, config) => {
  const data = formOf({ "config.hostname": "example.com", ...fields });
  expect(configOf("DNS", data)).toEqual({ hostname: "example.com", interval: 300, ...config });
  expect(formFaults("DNS", data)).toEqual([]);
});

test("behavior 26.184: expected records without any are refused", () => {
  const data = formOf({ "config.hostname": "example.com", records: "exactly", "config.expected": " " });
  expect(sentencesOf(formFaults("DNS", data))).toEqual(["config.expected: Must have one record at least."]);
});

test.each<[Fields, string]>([
  [{ "config.steps.1.url": "" }, "config.steps.1.url"],
  [{ "config.steps.1.headers": ["", "a"] }, "config.steps.1.headers"],
  [{ "config.steps.0.take": ["A", "$.a", "A", "$.b"] }, "config.steps.0.take"],
  [{ "config.steps.0.expect.json": ["$.a", "literal", "yes"] }, "config.steps.0.expect.json"],
  [{ "config.steps.0.expect.same": ["text"], "config.steps.0.expect.same.keepDays": "0" }, SAME_DAYS()],
  [{ "config.steps": [""] }, "config.steps"],
])("behavior 26.181: the steps %j have an error at %s", (fields, field) => {
  const data = formOf({ ...STEPS, ...fields });
  const faults = [...rowFaults(data), ...faultsOf(configOf("HTTP", data))];
  expect(Object.keys(errorsByField(faults, [...new Set([...data.keys(), "name"])]))).toEqual([field]);
});

function SAME_DAYS(): string {
  return "config.steps.0.expect.same.keepDays";
}

test("behavior 26.182: the page keeps a stored secret of a step, and asks for it with another origin", () => {
  const headers = { "X-A": "•••" };
  const stored = { steps: [{ url: "https://example.com/", headers }, { url: "https://example.com/a" }] };
  const config = { interval: 300, ...stored };
  expect(faultsOf(config, config)).toEqual([]);
  const moved = { ...config, steps: [{ url: "https://example.org/", headers }, ...stored.steps.slice(1)] };
  expect(faultsOf(moved, config)[0]).toMatchObject({
    code: "secretOfOrigin",
    field: "config.steps.0.headers.X-A",
  });
  expect(stepsIn({})).toHaveLength(2);
});

function faultsOf(config: object, stored?: object, kind: MonitorKind = "HTTP"): SaidFault[] {
  return monitorFaults(kind as "HTTP", { name: "a site", config }, "pro", stored);
}
