import type { Sample } from "../../domain/checks/observation.ts";
import { type ProbeContext, since } from "../observe.ts";
import type { AnswerReader } from "./answer-reader.ts";
import { decodeBody } from "./content-coding.ts";
import type { HttpConfig } from "./request.ts";
import type { Head } from "./response-head.ts";

/** The length of the body in a sample, in bytes. */
const SAMPLE = 2048;

/** Enough that no secret crosses the end of the sample. */
const READ = SAMPLE + 16 * 1024;

/** How long a sample waits for headers and a body that no expectation needs, in milliseconds. */
const PATIENCE = 1000;

/** Shorter values, such as `1`, are no secrets, and would hide other texts. */
const SHORTEST_SECRET = 4;

/** Headers with well-known values, which an answer often repeats. */
const PUBLIC = new Set([
  "accept",
  "accept-encoding",
  "accept-language",
  "content-type",
  "host",
  "user-agent",
]);

/**
 * Reads what a person who tests a config sees of the answer, without the secrets of the config. A head or a body that can't
 * be read is no reason for another result.
 *
 * @returns undefined if the head has not arrived
 */
export async function readSample(
  reader: AnswerReader,
  { config, context, isPrivate }: { config: HttpConfig; context: ProbeContext; isPrivate: boolean },
): Promise<Sample | undefined> {
  const arrived: { head?: Head } = {};
  const reading = reader.head().then((head) => {
    arrived.head = head;
    return reader.start(READ);
  });
  const { start, timeout } = context;
  const rest = start + timeout - performance.now();
  await Promise.race([reading.catch(() => {}), Bun.sleep(Math.min(PATIENCE, rest / 2))]);
  const durationMs = since(start);
  const { head } = arrived;
  if (!head) return undefined;
  const text = (bytes: Uint8Array) => withoutSecrets(new TextDecoder().decode(bytes), config);
  const { bytes, isCut } = await decodeBody(head, reader.soFar(), context, { isPart: true }).catch(() => ({
    bytes: undefined,
    isCut: false,
  }));
  const body = bytes === undefined ? null : text(bytes.subarray(0, READ));
  return {
    statusCode: head.statusCode,
    headers: head.headers.map(([name, value]) => ({ name, value: text(Buffer.from(value, "latin1")) })),
    durationMs,
    body: body?.slice(0, SAMPLE) ?? null,
    isBodyCut: isCut || (body?.length ?? 0) > SAMPLE,
    isPrivate,
  };
}

/** A server may repeat what was sent to it. */
function withoutSecrets(text: string, config: HttpConfig): string {
  return secretsOf(config).reduce((shown, secret) => shown.replaceAll(secret, "•••"), text);
}

function secretsOf({ headers = {}, basicAuth }: HttpConfig): string[] {
  const values = Object.entries(headers).flatMap(([name, value]) =>
    PUBLIC.has(name.toLowerCase()) ? [] : [value],
  );
  const credentials = basicAuth && `${basicAuth.user}:${basicAuth.password}`;
  const encoded = credentials ? [Buffer.from(credentials).toString("base64"), basicAuth.password] : [];
  const plain = [...values, ...encoded];
  // In JSON, some characters are escaped.
  const escaped = plain.map((value) => JSON.stringify(value).slice(1, -1));
  return [...plain, ...escaped]
    .filter((value) => value.length >= SHORTEST_SECRET)
    .sort((a, b) => b.length - a.length);
}
