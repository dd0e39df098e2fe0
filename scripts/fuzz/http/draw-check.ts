import type { Expectations } from "../../../src/domain/checks/expectation-rules.ts";
import type { Draw } from "../../simulator/truth/draw.ts";
import { type HttpRecording, httpRecordings } from "../recordings/recording.ts";
import { type Answer, drawAnswer, type Redirect } from "./draw-answer.ts";
import { JSON_EXPECTATIONS, WORDS } from "./draw-body.ts";
import { SERVER_TEXT } from "./draw-head.ts";
import { drawSent } from "./draw-sent.ts";
import type { CheckInput, Exchange } from "./input.ts";
import { KNOWN_HOST } from "./scripted-network.ts";

type Config = CheckInput["config"];

/** Values of a config that no other host, and nobody who reads a result, may see. */
export const SECRETS = ["s3cret-header-value", "s3cret-password"] as const;

// prettier-ignore
const LOCATIONS = [
  "/",
  "../up?a=b#c",
  `http://${KNOWN_HOST}/next`,
  `//${KNOWN_HOST}:8080/`,
  "http://127.0.0.1:81/",
  "/caf\xc3\xa9",
  "?q",
  `HTTP://${KNOWN_HOST}`,
] as const; // prettier-ignore

/** Locations that no check follows (behavior 10.8), and hosts that have no address. */
const BAD_LOCATIONS = [
  undefined,
  "",
  "ftp://127.0.0.1/",
  "http://",
  "http://127.0.0.1:0/",
  "http://[::",
  "mailto:a@b.test",
  "javascript:1",
  `http://${SERVER_TEXT}.test/`,
  "http://a/",
  "http://b\xc3\xbccher.test./",
  "https://h.test/",
] as const; // prettier-ignore

const REDIRECTS = [301, 302, 303, 307, 308] as const;

export function drawCheck(draw: Draw): CheckInput {
  const method = draw.pick(["GET", "GET", "GET", "GET", "HEAD", "POST"] as const);
  const redirects = draw.chance(0.15) ? draw.whole(1, 3) : 0;
  const hops = redirects > 0 ? draw.whole(0, redirects + 1) : 0;
  const hasBody = method !== "HEAD";
  const answers = Array.from({ length: hops }, () =>
    drawAnswer(draw, { hasBody, codes: 0.02, redirect: drawRedirect(draw) }),
  );
  const final = drawFinal(draw, hasBody);
  const exchanges = [...answers, final].map((answer) => drawExchange(draw, answer));
  const config = drawConfig(draw, { method, redirects, final });
  // The sample of an answer that does not end waits for a second.
  if (exchanges.every(({ end }) => end !== "open") && draw.chance(0.05)) config.isSampled = true;
  return { config, exchanges };
}

/** Some are answers of real servers. */
function drawFinal(draw: Draw, hasBody: boolean): Answer {
  if (draw.chance(0.9)) return drawAnswer(draw, { hasBody, codes: 0.04 });
  const { bytes, truth } = draw.pick(
    httpRecordings.filter((one) => one.hasBody === hasBody) as [HttpRecording],
  );
  return { bytes, truth, isStrict: true, isJson: false };
}

function drawRedirect(draw: Draw): Redirect {
  return {
    statusCode: draw.pick(REDIRECTS),
    location: draw.chance(0.85) ? draw.pick(LOCATIONS) : draw.pick(BAD_LOCATIONS),
  };
}

function drawExchange(draw: Draw, answer: Answer): Exchange {
  const arrival = draw.pick(["as read", "as read", "late", "before"] as const);
  const end = draw.pick(["close", "close", "close", "reset", "open"] as const);
  return { ...drawSent(draw, answer), arrival, end };
}

interface Asked {
  method: "GET" | "HEAD" | "POST";
  redirects: number;
  final: Answer;
}

function drawConfig(draw: Draw, { method, redirects, final }: Asked): Config {
  const config: Config = {
    url: draw.pick([`http://${KNOWN_HOST}/`, "http://127.0.0.1:8080/a?b=c"]),
    interval: 60,
  };
  if (method !== "GET") config.method = method;
  if (method === "POST") config.body = draw.pick(['{"a":1}', "text"]);
  if (redirects > 0) config.redirects = redirects;
  if (draw.chance(0.05)) config.headers = { "X-Token": SECRETS[0] };
  if (draw.chance(0.05)) config.basicAuth = { user: "user", password: SECRETS[1] };
  if (draw.chance(0.8)) config.expect = drawExpectations(draw, method !== "HEAD", final);
  return config;
}

/** Most of them hold, so that the whole answer must be read. */
function drawExpectations(draw: Draw, hasBody: boolean, { truth, isJson }: Answer): Expectations {
  const expect: Expectations = {};
  if (draw.chance(0.5))
    expect.status = draw.chance(0.9) ? [Math.max(100, truth.statusCode % 600), "2xx"] : ["300-399"];
  if (draw.chance(0.15))
    expect.headers = { [draw.pick(["server", "ETag", "x-a"])]: draw.pick(["nginx", "a:", "5d8"]) };
  if (!hasBody) return expect;
  if (draw.chance(0.4))
    expect.contains = utf8(
      draw.pick(WORDS.filter((word) => truth.body.includes(word)).concat("Basket") as [string]),
    );
  if (draw.chance(0.3)) expect.complete = draw.chance(0.9);
  if (draw.chance(0.3))
    expect.lacks = draw.chance(0.8) ? "never there" : [utf8(draw.pick(WORDS)), "never there"];
  if (isJson || draw.chance(0.02))
    expect.json = JSON_EXPECTATIONS[draw.whole(0, JSON_EXPECTATIONS.length - 1)]?.[0] ?? {};
  return expect;
}

function utf8(bytes: string): string {
  return Buffer.from(bytes, "latin1").toString();
}
