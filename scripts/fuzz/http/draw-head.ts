import type { Draw } from "../../simulator/truth/draw.ts";

/** Text of a server, which no result may contain (behavior 10.21). */
export const SERVER_TEXT = "c4naryText";

export type Headers = [name: string, value: string][];

/** Lines of a head, and the headers that they mean. */
export interface Lines {
  text: string;
  headers: Headers;
}

export const INTERIM = [
  "HTTP/1.1 100 Continue\r\n\r\n",
  "HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\nContent-Length: 3\r\n\r\n",
  "HTTP/1.0 102 Processing\n\n",
] as const;

const NAMES = [
  "Server",
  "X-Powered-By",
  "content-type",
  "ETag",
  "X-a",
  "VARY",
  "Set-Cookie",
  "x_y.z!",
] as const;
const VALUES = [
  "nginx",
  SERVER_TEXT,
  "text/html; charset=utf-8",
  "text/html; charset=koi8-r",
  'text/html;Charset="utf-16"; a=b',
  "a:b:c",
  "",
  '"5d8c72a5edda8d6a"',
  "caf\xe9 \xff",
  "a\tb",
  "HTTP/1.1 200 OK",
] as const;

/** Lines that are no headers, which the check ignores as other clients do. */
const IGNORED = ["no colon", "bad name: x", "=?", ": no name"] as const;

/** A status line and its end. @param isStrict as RFC 9112 demands */
export function drawStatusLine(draw: Draw, statusCode: number, isStrict: boolean): string {
  const version = isStrict ? "HTTP/1.1" : draw.pick(["HTTP/1.1", "HTTP/1.1", "HTTP/1.0", "HTTP/3.7"]);
  const reasons = isStrict
    ? (["OK", "", SERVER_TEXT, "Not \xe9"] as const)
    : (["OK\tx", "  ", "-", "O\rK"] as const);
  const reason = draw.chance(0.05) && !isStrict ? "" : ` ${draw.pick(reasons)}`;
  return `${version} ${String(statusCode).padStart(3, "0")}${reason}${eol(draw, isStrict)}`;
}

export function drawHeaders(draw: Draw, isStrict: boolean): Lines {
  const headers: Headers = [];
  let text = "";
  for (let left = draw.whole(0, 4); left > 0; left--) {
    const line = drawHeader(draw, isStrict);
    headers.push(line.header);
    text += line.text;
    if (!isStrict && draw.chance(0.1)) text += `${draw.pick(IGNORED)}${eol(draw, isStrict)}`;
  }
  return { text, headers };
}

function drawHeader(draw: Draw, isStrict: boolean): { text: string; header: [string, string] } {
  const [name, value] = [draw.pick(NAMES), draw.pick(VALUES)];
  return { text: headerLine(draw, [name, value], isStrict), header: [name, value] };
}

export function headerLine(draw: Draw, [name, value]: [string, string], isStrict: boolean): string {
  const [before, after] = [draw.pick([" ", " ", "", " \t"]), draw.pick(["", "", " ", "\t "])];
  return `${name}:${before}${foldedAt(draw, value, isStrict)}${after}${eol(draw, isStrict)}`;
}

/** A value that continues on the next line means one space there (RFC 9112, 5.2). */
function foldedAt(draw: Draw, value: string, isStrict: boolean): string {
  const space = value.indexOf(" ");
  if (isStrict || space < 0 || draw.chance(0.8)) return value;
  return `${value.slice(0, space)}${eol(draw, isStrict)}${draw.pick([" ", "\t", " \t "])}${value.slice(space + 1)}`;
}

/** Many servers end a line without CR. */
export function eol(draw: Draw, isStrict: boolean): string {
  return isStrict || draw.chance(0.8) ? "\r\n" : "\n";
}
