import type { Draw } from "../../simulator/truth/draw.ts";
import { drawChunks, drawCoding, drawText } from "./draw-body.ts";
import { drawHeaders, drawStatusLine, eol, type Headers, headerLine, INTERIM } from "./draw-head.ts";
import type { Truth } from "./input.ts";

/** A valid answer. @property isStrict whether it is as RFC 9112 demands @property isJson whether its body is a JSON document */
export interface Answer {
  bytes: string;
  truth: Truth;
  isStrict: boolean;
  isJson: boolean;
}

const CODES = [200, 200, 200, 200, 201, 204, 299, 304, 400, 404, 500, 503, 599, 302, 999, 0] as const;

/** @property hasBody false for HEAD @property codes the share of bodies that have a content coding, which takes long */
interface Asked {
  hasBody: boolean;
  codes: number;
  redirect?: Redirect;
}

export function drawAnswer(draw: Draw, asked: Asked): Answer {
  const isStrict = draw.chance(0.5);
  const statusCode = asked.redirect?.statusCode ?? draw.pick(CODES);
  const { text, headers } = drawHeaders(draw, isStrict);
  const { text: body, isJson } = drawText(draw);
  const isSent = asked.hasBody && statusCode !== 204 && statusCode !== 304;
  const coded = body !== "" && draw.chance(asked.codes) ? drawCoding(draw, body) : plain(draw, body);
  const framed = drawFraming(draw, coded.bytes, { isStrict, isSent });
  const more = [...framed.headers];
  if (coded.codings !== undefined) more.push(["Content-Encoding", coded.codings]);
  const { location } = asked.redirect ?? {};
  if (location !== undefined) more.push([draw.pick(["Location", "location"]), location]);
  const lines = more.map((header) => headerLine(draw, header, true));
  const before = draw.chance(0.05)
    ? draw.pick(INTERIM) + (isStrict || draw.chance(0.8) ? "" : eol(draw, isStrict))
    : "";
  const status = before + drawStatusLine(draw, statusCode, isStrict);
  const head = status + text + lines.join("") + eol(draw, isStrict);
  const bytes = head + framed.bytes;
  const truth: Truth = {
    statusCode,
    headers: [...headers, ...more],
    sent: isSent ? coded.bytes : "",
    body: isSent ? body : "",
    isCoded: isSent && coded.codings !== undefined && coded.codings !== "identity",
    isUnframed: framed.isUnframed,
    ends: { status: status.length, head: head.length, body: bytes.length },
  };
  const rest = framed.isUnframed || draw.chance(0.95) ? "" : "more of the server";
  return { bytes: bytes + rest, truth, isStrict, isJson: isJson && isSent };
}

function plain(draw: Draw, bytes: string) {
  return { bytes, codings: draw.chance(0.02) ? "identity" : undefined };
}

/** @property location without it, the redirect has none */
export interface Redirect {
  statusCode: number;
  location: string | undefined;
}

interface Framed {
  headers: Headers;
  bytes: string;
  isUnframed: boolean;
}

function drawFraming(
  draw: Draw,
  bytes: string,
  { isStrict, isSent }: { isStrict: boolean; isSent: boolean },
): Framed {
  const length = String(bytes.length);
  if (!isSent)
    return { headers: draw.chance(0.5) ? [["Content-Length", length]] : [], bytes: "", isUnframed: false };
  const kind = draw.whole(0, 9);
  if (kind < 4) return { headers: [["Content-Length", length]], bytes, isUnframed: false };
  if (kind < 8) {
    const coding = draw.chance(0.1) ? "Chunked" : "chunked";
    const headers: Headers = [["Transfer-Encoding", coding]];
    // The chunks count, not the length (RFC 9112, 6.3).
    if (!isStrict && draw.chance(0.1)) headers.push(["Content-Length", "3"]);
    return { headers, bytes: drawChunks(draw, bytes, isStrict), isUnframed: false };
  }
  if (kind === 8 && !isStrict) {
    return {
      headers: [
        ["Content-Length", `0${length}`],
        ["content-length", length],
      ],
      bytes,
      isUnframed: false,
    };
  }
  return { headers: [], bytes, isUnframed: true };
}
