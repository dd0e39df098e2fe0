import type { Draw } from "../../simulator/truth/draw.ts";
import { mutated, shorter } from "../bytes/mutate.ts";
import { drawCuts, simplerCuts } from "../bytes/pieces.ts";
import type { Protocol } from "../protocol.ts";
import { type HttpRecording, httpRecordings } from "../recordings/recording.ts";
import { drawAnswer } from "./draw-answer.ts";
import { drawCoding, drawText } from "./draw-body.ts";
import { drawCheck } from "./draw-check.ts";
import { drawSent } from "./draw-sent.ts";
import type { BodyInput, CheckInput, HttpInput, Sent } from "./input.ts";
import { judgeAnswer } from "./judge-answer.ts";
import { judgeBody } from "./judge-body.ts";
import { judgeCheck } from "./judge-check.ts";

/** A whole check and a coded body take several times as long as the parser alone. */
const SHARE_OF_CHECKS = 0.15;
const SHARE_OF_BODIES = 0.01;

/** Share of the answers that are read alone. */
const SHARE_OF_RECORDINGS = 0.1;

/** Checks over HTTP, from the request to the observation, without sockets. */
export const http: Protocol<HttpInput> = {
  outcomes: [
    ...["read", "read until closed", "read until not_http", "read until bad_body", "reached", "waits"],
    "decodes",
    "does not decode",
    ...[
      "closed",
      "reset",
      "not_http",
      "bad_body",
      "unexpected",
      "too_many_redirects",
      "bad_redirect",
      "dns_not_found",
    ].map((reason) => `failed ${reason}`),
  ],
  draw(draw) {
    const kind = draw.fraction();
    if (kind < SHARE_OF_CHECKS) return { kind: "check", ...drawCheck(draw) };
    if (kind < SHARE_OF_CHECKS + SHARE_OF_BODIES) return { kind: "body", ...drawBody(draw) };
    return { kind: "answer", ...drawAlone(draw) };
  },
  async judge(input) {
    if (input.kind === "answer") return judgeAnswer(input);
    return input.kind === "check" ? judgeCheck(input) : judgeBody(input);
  },
  *simpler(input) {
    if (input.kind === "check") {
      for (const check of simplerChecks(input)) yield { kind: "check", ...check };
    } else if (input.kind === "body") {
      for (const cuts of simplerCuts(input.cuts)) yield { ...input, cuts };
      for (const bytes of shorter(input.bytes)) yield { ...input, bytes };
    } else for (const sent of simplerSent(input.sent)) yield { ...input, sent };
  },
};

function drawBody(draw: Draw): BodyInput {
  const { bytes, codings } = drawCoding(draw, drawText(draw).text);
  const sent = draw.chance(0.6) ? mutated(bytes, draw, BODY_TOKENS) : bytes;
  return { bytes: sent, codings, cuts: drawCuts(draw, sent.length) };
}

const BODY_TOKENS = [
  "\0",
  "\xff",
  "\x1f\x8b\x08\0\0\0\0\0\0\x03",
  "\x03\0\0\0\0\0\0\0\0\0",
  "\x78\x9c",
] as const;

function drawAlone(draw: Draw) {
  if (draw.chance(SHARE_OF_RECORDINGS)) {
    const { hasBody, ...recording } = draw.pick(httpRecordings as [HttpRecording]);
    return { hasBody, sent: drawSent(draw, recording) };
  }
  const hasBody = draw.chance(0.9);
  return { hasBody, sent: drawSent(draw, drawAnswer(draw, { hasBody, codes: 0 })) };
}

function* simplerChecks(input: CheckInput): Iterable<CheckInput> {
  for (const config of simplerConfigs(input.config)) yield { ...input, config };
  for (const [at, exchange] of input.exchanges.entries()) {
    yield { ...input, exchanges: input.exchanges.toSpliced(at, 1) };
    const changes: Partial<typeof exchange>[] = [...simplerSent(exchange)];
    if (exchange.arrival !== "as read") changes.unshift({ arrival: "as read" });
    if (exchange.end !== "close") changes.unshift({ end: "close" });
    for (const change of changes)
      yield { ...input, exchanges: input.exchanges.with(at, { ...exchange, ...change }) };
  }
}

function* simplerSent(sent: Sent): Iterable<Sent> {
  for (const cuts of simplerCuts(sent.cuts)) yield { ...sent, cuts };
  // Shorter bytes would mean something else than their truth.
  if (sent.truth === null) for (const bytes of shorter(sent.bytes)) yield { ...sent, bytes };
}

function* simplerConfigs(config: CheckInput["config"]): Iterable<CheckInput["config"]> {
  for (const field of Object.keys(config)) {
    if (field === "url" || field === "interval") continue;
    yield without(config, field) as CheckInput["config"];
  }
  for (const field of Object.keys(config.expect ?? {})) {
    yield { ...config, expect: without(config.expect ?? {}, field) };
  }
}

function without<T extends object>(object: T, field: string): Partial<T> {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== field)) as Partial<T>;
}
