import fc from "fast-check";
import { SMALL_GIF } from "../pages/small-gif.ts";
import { configs, type Type } from "./monitors.ts";

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/**
 * A request, with `{monitor}`, `{channel}`, `{key}`, `{location}`, `{outage}`, `{page}`, `{component}` and `{incident}` as
 * placeholders of existing IDs.
 */
export interface HostileRequest {
  method: string;
  path: string;
  body: string | undefined;
  /** Index of the caller, modulo the number of callers. */
  caller: number;
  /** Index of the existing ID, modulo their number. */
  id: number;
  contentType: string;
}

const words = fc.constantFrom(
  ...["", " ", "\u0000", "🦊", "\ud800", "__proto__", "constructor", "toString", "null", "300", "NaN", "-1"],
  ...["x".repeat(200), "x".repeat(201), "../../..", "%00", "%E0%A4%A", "a/b", "?", "' OR 1=1 --", "{", "é"],
  ...["HTTP", "SCHEDULED", "WEBHOOK", "owner", "2020-01-01T00:00:00Z", "http://127.0.0.1:1/", "{monitor}"],
);
const text = fc.oneof({ weight: 3, arbitrary: words }, fc.string(), fc.string({ unit: "binary" }));
const numbers = fc.oneof(
  fc.constantFrom(0, -0, -1, 1, 1.5, 59, 60, 299, 300, 65_535, 65_536, 86_401, 2 ** 53, 1e21, 1e308),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const value: fc.Arbitrary<Json> = fc.oneof(
  text,
  numbers,
  fc.constantFrom<Json[]>(null, true, false, [], {}, [[]], { a: { b: [] } }),
  fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>,
);

const name = fc.oneof(fc.constant("fine"), fc.string({ minLength: 1, maxLength: 20 }));
const channelIds = fc.array(fc.constantFrom("{channel}", "{channel}", "nope"), { maxLength: 3 });
const locations = fc.array(fc.constantFrom("here", "{location}", "nope"), { maxLength: 3 });
const downWhen = fc.constantFrom<(string | number)[]>("majority", "any", "all", 0, 1, 2);
const tags = fc.array(fc.constantFrom("web", "team:a", "Web", ""), { maxLength: 3 });
const dependsOn = fc.array(fc.constantFrom("{monitor}", "nope"), { maxLength: 2 });
const alertBindings = fc.array(
  fc.record(
    {
      alertChannelId: fc.constantFrom("{channel}", "{channel}", "nope"),
      after: fc.constantFrom(0, 60, -1),
      every: fc.constantFrom(0, 300, 1),
    },
    { requiredKeys: ["alertChannelId"] },
  ),
  { maxLength: 2 },
);
const monitorType = fc.constantFrom(...(Object.keys(configs) as Type[]));
const newMonitor = monitorType.chain((type) =>
  fc.record(
    {
      name,
      type: fc.constant(type),
      config: fc.constant(configs[type]),
      alertChannelIds: channelIds,
      locations,
      downWhen,
      tags,
      dependsOn,
      alertBindings,
    },
    { requiredKeys: ["name", "type", "config"] },
  ),
);
const monitorChanges = fc.record(
  {
    name,
    config: fc.constantFrom(...Object.values(configs)),
    enabled: fc.boolean(),
    alertChannelIds: channelIds,
    locations,
    downWhen,
    tags,
    dependsOn,
    alertBindings,
  },
  { requiredKeys: [] },
);
const note = fc.record({ note: fc.oneof(text, fc.constant("on it")) }, { requiredKeys: [] });
const webhook = fc.record(
  { url: fc.constant("http://127.0.0.1:1/"), secret: fc.string({ minLength: 1 }) },
  { requiredKeys: ["url"] },
);
const newChannel = fc.record(
  { name, type: fc.constant("WEBHOOK"), config: webhook, enabled: fc.boolean() },
  { requiredKeys: ["name", "type", "config"] },
);
const channelChanges = fc.record({ name, config: webhook, enabled: fc.boolean() }, { requiredKeys: [] });
const role = fc.constantFrom("owner", "admin", "viewer");
const expiresAt = fc.constantFrom("2040-01-01T00:00:00Z", "2020-01-01T00:00:00+02:00", null);
const newKey = fc.record({ name, role, expiresAt }, { requiredKeys: ["name"] });
const keyChanges = fc.record({ name, role, expiresAt }, { requiredKeys: [] });
const newLocation = fc.record({ name });
const locationChanges = fc.record({ name }, { requiredKeys: [] });
const batch = fc.record({
  stream: fc.constant("a".repeat(22)),
  observations: fc.array(
    fc.record({
      sequence: fc.integer({ min: 1, max: 50 }),
      monitorId: fc.constant("{monitor}"),
      revision: fc.constantFrom(0, 1),
      at: fc.constantFrom(0, Date.now(), Date.now() + 60_000, 2 ** 53),
      startAt: fc.constant(0),
      evidence: fc.oneof(fc.constant({ outcome: "reached", latencyMs: 1, detail: {} }), value),
    }),
    { minLength: 1, maxLength: 3 },
  ),
});
const settings = fc.record({ name, defaultAlertChannelIds: channelIds }, { requiredKeys: [] });

const components = fc.array(
  fc.record(
    {
      id: fc.constantFrom("{component}", "nope"),
      monitorId: fc.constantFrom("{monitor}", "{monitor}", "nope"),
      name,
      group: name,
    },
    { requiredKeys: ["monitorId"] },
  ),
  { maxLength: 3 },
);
const page = {
  slug: fc.oneof(fc.stringMatching(/^[a-z0-9-]{1,9}$/), fc.constantFrom("taken", "Taken")),
  title: name,
  description: text,
  visibility: fc.constantFrom("public", "off"),
  days: fc.constantFrom(6, 7, 90),
  minOutage: fc.constantFrom(0, 120, 86_401),
  showLatency: fc.boolean(),
  accent: fc.constantFrom("#0a7f62", "#0A7", null),
  logo: fc.constantFrom(SMALL_GIF, "data:image/png;base64,AAAA", null),
  language: fc.constantFrom("auto", "ar", "zh-TW", "pt"),
  timezone: fc.constantFrom("UTC", "Europe/Berlin", "Nowhere"),
  embedOrigins: fc.constantFrom([], ["https://www.example.com"], ["https://a.example/"]),
  components,
};
const newPage = fc.record(page, { requiredKeys: ["slug", "title"] });
const pageChanges = fc.record(page, { requiredKeys: [] });
const update = fc.record({
  status: fc.constantFrom("investigating", "identified", "monitoring", "resolved"),
  body: fc.oneof(fc.constant("We **look**."), text),
});
const incident = {
  title: name,
  impact: fc.constantFrom("none", "minor", "major", "critical"),
  componentIds: fc.array(fc.constantFrom("{component}", "nope"), { maxLength: 2 }),
};
const newIncident = fc.record(
  {
    ...incident,
    updates: fc.array(update, { maxLength: 3 }),
    outageId: fc.constantFrom("{outage}", "nope"),
  },
  { requiredKeys: ["title", "impact"] },
);
const incidentChanges = fc.record(incident, { requiredKeys: [] });

type Route = [method: string, path: string, body?: fc.Arbitrary<unknown>];
const routes: Route[] = [
  ["GET", "/api/v1/monitors"],
  ["POST", "/api/v1/monitors", newMonitor],
  ["POST", "/api/v1/monitors/pause-all"],
  ["GET", "/api/v1/monitors/{monitor}"],
  ["PATCH", "/api/v1/monitors/{monitor}", monitorChanges],
  ["DELETE", "/api/v1/monitors/{monitor}"],
  ["GET", "/api/v1/monitors/{monitor}/results"],
  ["GET", "/api/v1/monitors/{monitor}/checkin"],
  ["POST", "/api/v1/monitors/{monitor}/checkin"],
  ["GET", "/api/v1/events"],
  ["GET", "/api/v1/outages"],
  ["GET", "/api/v1/outages/{outage}"],
  ["GET", "/api/v1/outages/{outage}/timeline"],
  ["POST", "/api/v1/outages/{outage}/acknowledge", note],
  ["DELETE", "/api/v1/outages/{outage}/acknowledge"],
  ["GET", "/api/v1/status"],
  ["GET", "/api/v1/alerts"],
  ["POST", "/api/v1/alerts", newChannel],
  ["GET", "/api/v1/alerts/{channel}"],
  ["PATCH", "/api/v1/alerts/{channel}", channelChanges],
  ["DELETE", "/api/v1/alerts/{channel}"],
  ["GET", "/api/v1/api-keys"],
  ["POST", "/api/v1/api-keys", newKey],
  ["PATCH", "/api/v1/api-keys/{key}", keyChanges],
  ["DELETE", "/api/v1/api-keys/{key}"],
  ["GET", "/api/v1/locations"],
  ["GET", "/api/v1/locations/report"],
  ["POST", "/api/v1/locations", newLocation],
  ["PATCH", "/api/v1/locations/{location}", locationChanges],
  ["DELETE", "/api/v1/locations/{location}"],
  ["GET", "/api/v1/pages"],
  ["POST", "/api/v1/pages", newPage],
  ["GET", "/api/v1/pages/{page}"],
  ["PATCH", "/api/v1/pages/{page}", pageChanges],
  ["DELETE", "/api/v1/pages/{page}"],
  ["GET", "/api/v1/pages/{page}/outages"],
  ["GET", "/api/v1/pages/{page}/incidents"],
  ["POST", "/api/v1/pages/{page}/incidents", newIncident],
  ["GET", "/api/v1/pages/{page}/incidents/{incident}"],
  ["PATCH", "/api/v1/pages/{page}/incidents/{incident}", incidentChanges],
  ["DELETE", "/api/v1/pages/{page}/incidents/{incident}"],
  ["POST", "/api/v1/pages/{page}/incidents/{incident}/updates", update],
  ["GET", "/api/v1/probe/work"],
  ["POST", "/api/v1/probe/results", batch],
  ["GET", "/api/v1/organization"],
  ["PATCH", "/api/v1/organization", settings],
];

const parameter = fc.oneof(
  fc.constantFrom(
    ...["limit=1", "limit=007", "limit=0", "limit=1e3", "type=HTTP", "type=http", "range=1d", "range=2d"],
    ...["status=fail", "status=up", "status=fine", "cursor=0000000001", "cursor=", "cursor=zzzzzzzzzz"],
    ...["tag=web", "tag=Web", "open=true", "open=1", "changes=true", "changes=", "monitorId={monitor}"],
  ),
  fc
    .tuple(
      fc.oneof(fc.constantFrom("limit", "cursor", "type", "range", "status", "tag", "changes"), text),
      text,
    )
    .map(([key, of]) => `${encodeURIComponent(key.toWellFormed())}=${encodeURIComponent(of.toWellFormed())}`),
);
const query = fc
  .array(parameter, { maxLength: 3 })
  .map((parameters) => (parameters.length > 0 ? `?${parameters.join("&")}` : ""));

/** Requests to all routes: valid, valid with random changes, and random. */
export const hostileRequest: fc.Arbitrary<HostileRequest> = fc.constantFrom(...routes).chain((route) =>
  fc.record({
    method: mostly(route[0], fc.constantFrom("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS")),
    path: fc.tuple(mutatedPath(route[1]), mostly("", query)).map(([path, search]) => path + search),
    body: route[2] ? bodyOf(route[2]) : mostly(undefined, text),
    caller: fc.nat(),
    id: fc.nat(),
    contentType: mostly(
      "application/json",
      fc.constantFrom("", "text/plain", "multipart/form-data", "application/x-www-form-urlencoded"),
    ),
  }),
);

function mostly<T>(usual: T, odd: fc.Arbitrary<T>): fc.Arbitrary<T> {
  return fc.oneof({ weight: 9, arbitrary: fc.constant(usual) }, odd);
}

function mutatedPath(path: string): fc.Arbitrary<string> {
  const mutation = fc.tuple(fc.nat(), text).map(([at, word]) => {
    const parts = path.split("/");
    parts[1 + (at % (parts.length - 1))] = encodeURIComponent(word.toWellFormed());
    return parts.join("/");
  });
  return fc.oneof(
    { weight: 12, arbitrary: fc.constant(path) },
    mutation,
    fc.constantFrom(`${path}/`, `/${path}`, `${path}/x`),
  );
}

function bodyOf(valid: fc.Arbitrary<unknown>): fc.Arbitrary<string | undefined> {
  const mutations = fc.array(fc.record({ at: fc.nat(), key: text, value }), { minLength: 1, maxLength: 3 });
  const mutated = fc
    .tuple(valid, mutations)
    .map(([body, changes]) => changes.reduce(mutate, structuredClone(body) as Json));
  const json = fc.oneof({ weight: 2, arbitrary: valid }, { weight: 3, arbitrary: mutated }, value);
  const sent = json.map((body) => JSON.stringify(body));
  const cut = fc.tuple(sent, fc.nat()).map(([body, at]) => body.slice(0, at % (body.length + 1)));
  return fc.oneof({ weight: 12, arbitrary: sent }, cut, text, fc.constant(undefined));
}

/** Changes a value at one place: replaces, removes or adds a part. */
function mutate(body: Json, { at, key, value }: { at: number; key: string; value: Json }): Json {
  if (typeof body !== "object" || body === null) return value;
  const keys = Object.keys(body);
  const chosen = keys[at % (keys.length + 1)];
  const rest = Math.floor(at / (keys.length + 1));
  const parts = new Map(Object.entries(body));
  const inner = chosen === undefined ? undefined : parts.get(chosen);
  if (chosen === undefined) parts.set(key, value);
  else if (typeof inner === "object" && rest % 2 === 0)
    parts.set(chosen, mutate(inner, { at: rest >> 1, key, value }));
  else if (rest % 5 === 0) parts.delete(chosen);
  else parts.set(chosen, value);
  return Array.isArray(body) ? [...parts.values()] : Object.fromEntries(parts);
}
