import type { Expectations, JsonExpectation } from "../../../src/domain/checks/expectation-rules.ts";
import type { Reason } from "../../../src/domain/checks/observation.ts";
import { JSON_EXPECTATIONS } from "./draw-body.ts";
import type { CheckInput, Exchange, Truth } from "./input.ts";
import { KNOWN_HOST } from "./scripted-network.ts";

/** How a check must end. `waits`: the server is silent before the answer is complete. */
export type Expected = "reached" | "waits" | { reasons: Reason[] };

/** The result that the truth demands; undefined if a part of the input was changed at random. It uses no rule of the product. */
export function expectedOf({ config, exchanges }: CheckInput): Expected | undefined {
  if (exchanges.some(({ truth }) => truth === null)) return undefined;
  const most = config.redirects ?? 0;
  let url = config.url ?? "";
  for (let followed = 0; ; followed++) {
    const [exchange] = exchanges.slice(followed);
    if (!exchange?.truth) return { reasons: ["refused"] };
    const { truth } = exchange;
    const isFollowed = most > 0 && [301, 302, 303, 307, 308].includes(truth.statusCode);
    if (!isFollowed) return judged(exchange, truth, config.expect);
    const missing = missingOf(exchange, truth, "head");
    if (missing) return missing;
    const next = targetOf(truth, url);
    if (next === undefined) return { reasons: ["bad_redirect"] };
    if (followed === most) return { reasons: ["too_many_redirects"] };
    if (![KNOWN_HOST, "127.0.0.1"].includes(next.hostname)) return { reasons: ["dns_not_found"] };
    url = next.href;
  }
}

function targetOf({ headers }: Truth, from: string): URL | undefined {
  const locations = headers.filter(([name]) => name.toLowerCase() === "location").map(([, value]) => value);
  const [location = ""] = locations;
  if (location === "" || locations.some((other) => other !== location)) return undefined;
  const next = URL.parse(Buffer.from(location, "latin1").toString(), from) ?? undefined;
  return next && ["http:", "https:"].includes(next.protocol) && next.port !== "0" ? next : undefined;
}

/** Why a part of an answer is not there; undefined if it is. */
function missingOf(
  { bytes, end }: Exchange,
  { ends }: Truth,
  part: keyof Truth["ends"],
): Expected | undefined {
  if (bytes.length >= ends[part]) return undefined;
  if (end === "open") return "waits";
  if (part === "body" && bytes.length >= ends.head) return { reasons: ["bad_body"] };
  return { reasons: end === "reset" ? ["reset"] : ["closed", "not_http"] };
}

function judged(exchange: Exchange, truth: Truth, expect: Expectations | undefined): Expected {
  const missing = missingOf(exchange, truth, "status");
  if (missing || !expect) return missing ?? "reached";
  if (!isStatusExpected(expect, truth.statusCode)) return { reasons: ["unexpected"] };
  const { headers, contains, lacks, json, complete } = expect;
  const needsBody = contains !== undefined || lacks !== undefined || json !== undefined || complete;
  if (!headers && !needsBody) return "reached";
  const missingHead = missingOf(exchange, truth, "head");
  if (missingHead) return missingHead;
  if (headers && !areHeadersExpected(headers, truth)) return { reasons: ["unexpected"] };
  return needsBody ? judgedBody(exchange, truth, expect) : "reached";
}

function judgedBody(exchange: Exchange, truth: Truth, expect: Expectations): Expected {
  const { bytes, end } = exchange;
  if (truth.isUnframed && end !== "close") return end === "open" ? "waits" : { reasons: ["bad_body"] };
  const isCut = bytes.length < truth.ends.body;
  if (!truth.isUnframed && isCut) return missingOf(exchange, truth, "body") ?? "waits";
  const received = bytes.slice(truth.ends.head);
  // Nothing is a body too, unless it must be whole (behavior 10.96).
  if (isCut && truth.isCoded && (received !== "" || expect.complete)) return { reasons: ["bad_body"] };
  const body = isCut ? received : truth.body;
  return isBodyExpected(expect, body) ? "reached" : { reasons: ["unexpected"] };
}

function isStatusExpected({ status = ["2xx"] }: Expectations, code: number): boolean {
  return status.some((one) => {
    if (typeof one === "number") return one === code;
    const [first, last] = one.endsWith("xx")
      ? [Number(one[0]) * 100, Number(one[0]) * 100 + 99]
      : one.split("-").map(Number);
    return code >= (first ?? 0) && code <= (last ?? 0);
  });
}

function areHeadersExpected(expected: NonNullable<Expectations["headers"]>, { headers }: Truth): boolean {
  return Object.entries(expected).every(([name, text]) => {
    const values = headers
      .filter(([other]) => other.toLowerCase() === name.toLowerCase())
      .map(([, value]) => value);
    return values.join(", ").includes(text);
  });
}

function isBodyExpected({ contains = [], lacks = [], json }: Expectations, body: string): boolean {
  const has = (text: string) => body.includes(Buffer.from(text).toString("latin1"));
  if (![contains].flat().every(has) || [lacks].flat().some(has)) return false;
  return json === undefined || isJsonExpected(json, body);
}

function isJsonExpected(json: Record<string, JsonExpectation>, body: string): boolean {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(body, "latin1"));
    return JSON_EXPECTATIONS.some(([one, holds]) => Bun.deepEquals(one, json) && holds(JSON.parse(text)));
  } catch {
    return false;
  }
}
