import type { HttpEvidence } from "../../domain/evidence/evidence.ts";
import { withoutSecrets } from "../../domain/evidence/secrets.ts";
import { oneLine, truncate } from "../../domain/truncate.ts";
import type { ProbeContext } from "../observe.ts";
import { type AnswerReader, READ, SAMPLE } from "./answer-reader.ts";
import { shownText } from "./character-set.ts";
import { decodeBody } from "./content-coding.ts";
import type { HttpConfig } from "./request.ts";
import type { Head, Headers } from "./response-parser.ts";
import { withoutTakes } from "./taken-texts.ts";

/** The headers whose values are shown: none is about a person. */
const SHOWN = new Set(["server", "content-type", "content-length", "date", "retry-after", "via", "location"]);

const MAX_VALUE = 200;
const MAX_NAME = 100;
const MAX_NAMES = 60;

/** Another protocol follows this status, and no body. */
const SWITCHING_PROTOCOLS = 101;

/** How long the decoding of a body may take, in milliseconds: others may be decoded before. */
const DECODING_PATIENCE = 200;

/** @property address of the server @property patience milliseconds to wait for more that has been announced */
interface Evident {
  config: HttpConfig;
  context: ProbeContext;
  address: string;
  patience: number;
}

/**
 * Reads the answer of a failed check, as far as it has come (behavior 22.13). The secrets of the config are hidden before
 * anything is cut.
 *
 * @returns null if no status has arrived
 */
export async function readHttpEvidence(reader: AnswerReader, evident: Evident): Promise<HttpEvidence | null> {
  const { statusCode } = reader.arrived;
  if (statusCode === undefined) return null;
  const { patience } = evident;
  const reading = async () => {
    await reader.head();
    if (statusCode !== SWITCHING_PROTOCOLS) await reader.start(READ);
  };
  if (patience > 0) await within(patience, reading());
  const { head } = reader.arrived;
  if (!head) return { statusCode, headers: {}, headerNames: [], size: null, body: null };
  // The head is shown without what the body has.
  const body = await bodyOf(reader, head, evident);
  return { ...headEvidence(head, evident.config), size: reader.size(), body };
}

/** The head of an answer, whose values have one character for each byte. */
export function headEvidence(
  { statusCode, headers }: Head,
  config: HttpConfig,
): Pick<HttpEvidence, "statusCode" | "headers" | "headerNames"> {
  const values = shownValues(headers).map(([name, value]) => [name, hidden(value, MAX_VALUE, config)]);
  return { statusCode, headers: Object.fromEntries(values), headerNames: namesOf(headers, config) };
}

/** The names of headers in lower case, each once. */
export function namesOf(headers: Headers, config: HttpConfig): string[] {
  const names = new Set(headers.map(([name]) => hidden(name.toLowerCase(), MAX_NAME, config)));
  return [...names].slice(0, MAX_NAMES);
}

function hidden(text: string, most: number, config: HttpConfig): string {
  return truncate(withoutSecrets(oneLine(text), config), most);
}

/** Several headers of one name are one list (RFC 9110, 5.3). */
function shownValues(headers: Headers): [name: string, value: string][] {
  const shown = new Map<string, string>();
  for (const [sent, value] of headers) {
    const name = sent.toLowerCase();
    if (!SHOWN.has(name)) continue;
    const text = Buffer.from(value, "latin1").toString();
    const one = name === "location" ? withoutQuery(text) : text;
    const before = shown.get(name);
    shown.set(name, before === undefined ? one : `${before}, ${one}`);
  }
  return [...shown];
}

/** A reference without user information, query and fragment (RFC 3986, 4.1). */
function withoutQuery(location: string): string {
  const [path = ""] = location.split(/[?#]/);
  return path.replace(/^([^/\\]*[/\\]{2})[^/\\]*@/, "$1");
}

/** A text of a server, as evidence shows it. @param isCut whether it may end within a secret */
export function bodyEvidence(
  text: string,
  { config, context, address }: Omit<Evident, "patience">,
  isCut: boolean,
): string | null {
  if (!context.network.isAllowed(address)) return null;
  const shown = withoutSecrets(oneLine(text), config, { isCut }).toWellFormed();
  // No character is split.
  return shown.slice(0, new TextEncoder().encodeInto(shown, new Uint8Array(SAMPLE)).read);
}

/** @returns null if it does not decode, or nothing of it was read */
async function bodyOf(reader: AnswerReader, head: Head, evident: Evident): Promise<string | null> {
  const sent = reader.soFar();
  withoutTakes(evident.config, head.headers);
  if (sent.bytes.length === 0) return null;
  const start = { bytes: sent.bytes.subarray(0, READ), isCut: sent.isCut || sent.bytes.length > READ };
  const body = await within(DECODING_PATIENCE, decodeBody(head, start, evident.context, { isPart: true }));
  if (!body) return null;
  const isCut = body.isCut || body.bytes.length > READ;
  const text = shownText(head, { bytes: body.bytes.subarray(0, READ), isCut }, evident.config);
  return bodyEvidence(withoutTakes(evident.config, head.headers, text) ?? text, evident, isCut);
}

/** @returns undefined if it takes longer, or fails */
async function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(resolve, ms);
  return Promise.race([work.catch(() => undefined), promise]).finally(() => clearTimeout(timer));
}
