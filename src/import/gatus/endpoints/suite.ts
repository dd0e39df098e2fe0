import { isSameJson } from "../../../domain/canonical-json.ts";
import { literal } from "../../../domain/configuration/placeholder.ts";
import { integerOf, listOf, recordOf, textOf } from "../../imported.ts";
import { hasVariable, resolved, secretText } from "../../output-config.ts";
import { jsonPathOf } from "../conditions/body-conditions.ts";
import { goText } from "../conditions/evaluation.ts";
import { durationIn } from "../variables.ts";
import { type Access, writtenAccess } from "./access.ts";
import { type Endpoint, type Mapped, type Refusal, readEndpoint } from "./endpoint.ts";
import { type HttpParts, readHttp } from "./protocol-endpoint.ts";

type Fields = Record<string, unknown>;

/** The endpoints of a suite, with the interval and the group of the suite. */
export function stepFields(suite: Fields): Fields[] {
  const { group, interval = SUITE_INTERVAL } = suite;
  return listOf(suite.endpoints).map((fields) => ({ ...recordOf(fields), group, interval }));
}

/** Unless a suite says otherwise. */
export const SUITE_INTERVAL = "10m";
const MAX_STEPS = 10;
/** Seconds that all steps of a check may take. */
const MAX_TIMEOUT = 120;

/** An HTTP monitor with a step for each endpoint of a suite, or without steps for an only one (behavior 16.107). */
export function mapSuite(suite: Endpoint): Mapped | Refusal {
  const all = stepFields(suite.fields);
  if (all.length === 0 || all.length > MAX_STEPS)
    return { refusal: `a check has 1 to ${MAX_STEPS} steps, and not ${all.length}` };
  const isOther = all.find((fields) => !/^https?:\/\//.test(resolved(textOf(fields.url) ?? "", suite.env)));
  if (isOther) return { refusal: `${nameOf(isOther)} is no request of http or https` };
  const carried = carry(all, suite);
  if ("refusal" in carried) return carried;
  const steps: Step[] = [];
  for (const [at, { fields, take }] of carried.entries()) {
    const step = stepOf(suite, fields, at);
    if ("refusal" in step) return { refusal: `${nameOf(fields)}: ${step.refusal}` };
    steps.push({ ...step, take });
  }
  return { type: "HTTP", ...configOf(suite, steps) };
}

function nameOf({ name }: Fields): string {
  return `its endpoint ${JSON.stringify(textOf(name) ?? "unnamed")}`;
}

interface Step extends HttpParts {
  fields: Fields;
  /** Seconds. */
  timeout: number;
  take: Record<string, string>;
}

function stepOf(suite: Endpoint, fields: Fields, at: number): Omit<Step, "take"> | Refusal {
  const omit = (what: string, why: string) => suite.omit(`${textOf(fields.name) ?? "unnamed"}, ${what}`, why);
  const endpoint = readEndpoint(fields, { ...suite, omit });
  if (fields["always-run"] === true)
    omit("always-run", "a check ends at its first step that fails: the step is not made then");
  const parts = readHttp(endpoint, [`step-${at + 1}`]);
  if ("refusal" in parts) return parts;
  if (parts.conditions.registrationDays !== undefined)
    omit("condition for [DOMAIN_EXPIRATION]", "a step has no registration of a domain");
  return { ...parts, fields, timeout: endpoint.timeout };
}

function configOf(suite: Endpoint, steps: readonly Step[]): Pick<Mapped, "config" | "isPaused"> {
  const shared = sharedOf(suite, steps);
  const written = steps.map(({ request: { url, expect, ...others }, take, fields }, at) => ({
    ...(steps.length > 1 && { name: textOf(fields.name) ?? `step ${at + 1}` }),
    url,
    ...others,
    ...shared.ofStep(at),
    ...(expect && { expect }),
    ...(Object.keys(take).length > 0 && { take }),
  }));
  const [only] = written;
  const config = {
    ...(steps.length === 1 ? only : { steps: written }),
    ...{ interval: suite.interval, timeout: timeoutOf(suite, steps) },
    ...shared.config,
  };
  return { config, isPaused: shared.isPaused || steps.some(({ isPaused }) => isPaused) };
}

/** Gatus looks at the timeout of a suite between two endpoints, and each endpoint has its own. */
function timeoutOf({ fields, env, interval, omit, note }: Endpoint, steps: readonly Step[]): number {
  const own = (durationIn(fields.timeout, env) ?? 0) / 1000;
  const sum = steps.reduce((total, { timeout }) => total + timeout, 0);
  const wanted = own > 0 ? Math.min(Math.ceil(own), sum) : sum;
  const most = Math.min(steps.length > 1 ? MAX_TIMEOUT : MAX_TIMEOUT / 2, interval);
  if (wanted > most)
    omit("timeout", `its endpoints may take ${wanted} s; up to ${most} are possible: it is ${most} s here`);
  if (steps.length > 1)
    note("the steps of a check have one timeout, which is the sum of the timeouts of the endpoints");
  return Math.min(wanted, most);
}

/** By the field of the access: its setting in Gatus. */
const SETTINGS = { clientCertificate: "tls", oauth2: "oauth2", proxy: "proxy-url" } as const;

interface Shared {
  config: Record<string, unknown>;
  /** Fields of a step. */
  ofStep(at: number): Record<string, unknown>;
  isPaused: boolean;
}

/**
 * The fields that all steps share: `proxy` and `verifyTls` hold for all, and the others go to the origin of the first step. A field that
 * differs can't be shared, except a user, which can be a header.
 */
function sharedOf(suite: Endpoint, steps: readonly Step[]): Shared {
  const access: Access = { ...steps[0]?.access };
  let isPaused = false;
  const differ = (setting: string) => {
    suite.omit(
      `client.${setting}`,
      "it differs between the endpoints, and all steps have the same: the monitor is paused",
    );
    isPaused = true;
  };
  for (const field of ["clientCertificate", "oauth2", "proxy"] as const) {
    if (isShared(steps, field)) continue;
    delete access[field];
    differ(SETTINGS[field]);
  }
  const verifying = steps.filter(({ request }) => request.url.startsWith("https://"));
  const verifyTls = verifying.every((step) => step.verifyTls);
  if (!verifyTls && verifying.some((step) => step.verifyTls)) differ("insecure");
  const hasUser = isShared(steps, "basicAuth");
  if (!hasUser) delete access.basicAuth;
  const days = expiryOf(suite, steps);
  const config = {
    ...writtenAccess(access, suite),
    ...(!verifyTls && verifying.every((step) => !step.verifyTls) && { verifyTls }),
    ...(days !== undefined && { expiryWarning: days }),
  };
  const ofStep = (at: number) => (hasUser ? {} : userHeader(suite, steps[at], at));
  return { config, ofStep, isPaused };
}

function isShared(steps: readonly Step[], field: keyof Access): boolean {
  const [first] = steps;
  const origin = originOf(first);
  return steps.every((step) => {
    const isFor = field === "proxy" || originOf(step) === origin;
    return isSameJson(step.access[field] ?? null, (isFor && first?.access[field]) || null);
  });
}

/** The origin of a URL that may have variables. */
function originOf(step: Step | undefined): string | undefined {
  return /^https?:\/\/[^/?#]*/i.exec(step?.request.url ?? "")?.[0].toLowerCase();
}

function userHeader({ ref, secrets, omit }: Endpoint, step: Step | undefined, at: number) {
  const { basicAuth } = step?.access ?? {};
  if (!step || !basicAuth) return {};
  if (hasVariable(basicAuth.user + basicAuth.password)) {
    omit(
      "user and password",
      "they differ between the endpoints and have a variable: write a header for each step",
    );
    return {};
  }
  const credentials = resolved(`${basicAuth.user}:${basicAuth.password}`, {});
  const value = literal(`Basic ${Buffer.from(credentials).toString("base64")}`);
  const headers = recordOf(step.request.headers);
  const Authorization = secretText(value, secrets, ref, `step-${at + 1}`, "Authorization");
  return { headers: { ...headers, Authorization } };
}

/** A certificate belongs to a monitor, whose URLs are then all of https. */
function expiryOf({ omit }: Endpoint, steps: readonly Step[]): number | undefined {
  const days = steps.flatMap(({ conditions }) => conditions.expiryWarning ?? []);
  if (days.length === 0) return undefined;
  if (steps.every(({ request }) => request.url.startsWith("https://"))) return Math.max(...days);
  omit("conditions for [CERTIFICATE_EXPIRATION]", "all steps must have URLs of https");
  return undefined;
}

interface Carried {
  fields: Fields;
  take: Record<string, string>;
}

const CONTEXT = /\[CONTEXT\]\.([\w.-]+)/g;

/** A value of the context: a text that is known, or the name under which a step takes it. */
type Value = { text: string } | { name: string } | { why: string };

/** The endpoints with the values of the context, and what they take for later ones. */
function carry(all: readonly Fields[], suite: Endpoint): Carried[] | Refusal {
  const known = new Map<string, Value>(initialValues(suite.fields.context, ""));
  const names = new Set<string>();
  const carried: Carried[] = [];
  for (const [at, fields] of all.entries()) {
    const wrong = usedIn(fields).find((path) => !known.has(path) || "why" in (known.get(path) as Value));
    if (wrong !== undefined) {
      const value = known.get(wrong);
      const why = value && "why" in value ? value.why : "no endpoint before stores it";
      return { refusal: `${nameOf(fields)} uses [CONTEXT].${wrong}: ${why}` };
    }
    const filled = withValues(fields, known);
    const later = new Set(all.slice(at + 1).flatMap(usedIn));
    carried.push({ fields: filled, take: takenBy(fields, { known, names, later, suite }) });
  }
  return carried;
}

/** The values that a suite begins with, by path. */
function initialValues(context: unknown, prefix: string): [string, Value][] {
  return Object.entries(recordOf(context)).flatMap(([key, value]): [string, Value][] => {
    const path = `${prefix}${key}`;
    if (typeof value === "number")
      return [[path, { text: integerOf(value, -1e15, 1e15) === undefined ? goText(value) : String(value) }]];
    const text = value === "" ? "" : textOf(value);
    return text === undefined ? initialValues(value, `${path}.`) : [[path, { text }]];
  });
}

/** The paths of the context that a request sends. */
function usedIn({ url, body, headers }: Fields): string[] {
  const texts = [url, body, ...Object.values(recordOf(headers))].map((text) => textOf(text) ?? "");
  return texts.flatMap((text) => [...text.matchAll(CONTEXT)].map(([, path = ""]) => path));
}

function withValues(fields: Fields, known: ReadonlyMap<string, Value>): Fields {
  const fill = (value: unknown) =>
    typeof value === "string"
      ? value.replaceAll(CONTEXT, (whole, path: string) => writtenOf(known.get(path)) ?? whole)
      : value;
  const { headers, conditions } = fields;
  return {
    ...fields,
    ...{ url: fill(fields.url), body: fill(fields.body) },
    ...(headers !== undefined && {
      headers: Object.fromEntries(
        Object.entries(recordOf(headers)).map(([name, value]) => [name, fill(value)]),
      ),
    }),
    conditions: listOf(conditions).map((one) => inCondition(one, known)),
  };
}

function writtenOf(value: Value | undefined): string | undefined {
  if (value && "text" in value) return value.text;
  return value && "name" in value ? `{{${value.name}}}` : undefined;
}

/** An expectation has known values only, as a whole side of a condition that can't mean anything else. */
function inCondition(condition: unknown, known: ReadonlyMap<string, Value>): unknown {
  if (typeof condition !== "string") return condition;
  return condition.replace(
    /(?<= )\[CONTEXT\]\.([\w.-]+)\s*$|^\s*\[CONTEXT\]\.([\w.-]+)(?= )/i,
    (whole, last, first) => {
      const value = known.get(last ?? first);
      return value && "text" in value && /^[\w.:/@-]+$/.test(value.text) ? value.text : whole;
    },
  );
}

interface Taking {
  known: Map<string, Value>;
  names: Set<string>;
  /** The paths that later endpoints use. */
  later: ReadonlySet<string>;
  suite: Endpoint;
}

/** The values that a step takes from its answer, of which later endpoints use each one. */
function takenBy(fields: Fields, { known, names, later, suite }: Taking): Record<string, string> {
  const take: Record<string, string> = {};
  for (const [path, given] of Object.entries(recordOf(fields.store))) {
    const source = textOf(given) ?? "";
    const [, inner] = /^\s*\[BODY\]([.[].*?)\s*$/is.exec(source) ?? [];
    const query = inner === undefined ? undefined : jsonPathOf(inner);
    if (!later.has(path)) {
      suite.omit(`${textOf(fields.name) ?? "unnamed"}, store.${path}`, "no later endpoint sends it");
      known.delete(path);
    } else if (query === undefined) {
      known.set(path, { why: `it is ${source.slice(0, 60)}, and a step takes values of a JSON body` });
    } else {
      const name = freeName(path, names);
      known.set(path, { name });
      take[name] = query;
    }
  }
  return take;
}

/** A name as a step can have it. */
function freeName(path: string, names: Set<string>): string {
  const base = path.replaceAll(/[^A-Za-z0-9_]/g, "_").replace(/^(?=\d)/, "_");
  let name = base;
  for (let number = 2; names.has(name); number++) name = `${base}_${number}`;
  names.add(name);
  return name;
}
