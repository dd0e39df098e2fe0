import type { AnswerBody } from "../../domain/checks/expectations.ts";
import type { Connection } from "../connections/connection.ts";
import type { ProbeContext } from "../observe.ts";
import type { CheckConfig } from "../probe-thread.ts";
import { Turns } from "../turns.ts";
import { AnswerReader } from "./answer-reader.ts";
import type { Cookies } from "./cookies.ts";
import { readHttpEvidence } from "./http-evidence.ts";
import { openTo, requestOn, statusOn } from "./open.ts";
import { type Request, requestText } from "./request.ts";

type Config = CheckConfig<"HTTP">;

/** The checks that read a large answer: each holds up to some MiB. */
const largeAnswers = new Turns(16);

/** The answer to one request, of which only the status line was read. */
export interface Answered {
  /** The config, with the values that no text may show. */
  config: Config;
  url: URL;
  statusCode: number;
  /** When the status line was read, in milliseconds of `performance.now()`. */
  at: number;
  connection: Connection;
  /** Reads the rest. The message of a timeout names the body from then on. */
  reader: () => AnswerReader;
  /** Why the server may have refused the request; a message ends with it. */
  remark?: string;
  /** The decoded body, once it was read. */
  body?: AnswerBody;
}

/** @property cookies of the check so far, if another request may follow @property address where an earlier request of the check was answered */
export interface Sending {
  config: Config;
  context: ProbeContext;
  cookies?: Cookies | undefined;
  address?: string;
}

/** Sends a request, signs in if the config asks for it, and reads the status line of the answer. @throws ProbeError */
export function send(request: Request, sending: Sending): Promise<Answered> {
  const { digestAuth, oauth2 } = sending.config;
  if (!digestAuth && !oauth2) return sendOnce(request, sending);
  // Few monitors need this code.
  return import("../sign-in/sign-in.ts").then(({ sendSignedIn }) =>
    sendSignedIn(request, { ...sending, send: sendOnce }),
  );
}

/** Sends one request on a new connection. */
async function sendOnce(request: Request, { config, context, address }: Sending): Promise<Answered> {
  const { url } = request;
  const connection = await openTo(url, config, context, address);
  const connected = performance.now();
  context.waitingFor = "answer";
  context.conversation = connection;
  const text = requestText(request, config);
  connection.write(bytesOf(config.proxy ? await requestOn(url, config, text) : text, request));
  const isQuoted = () => isPlain(config);
  const onLarge = () => largeAnswers.take(context);
  const reader = new AnswerReader(connection, { hasBody: request.method !== "HEAD", isQuoted, onLarge });
  // A check that is not recorded needs no evidence, and its sample may still be read.
  if (!config.isSampled) {
    const { address } = connection;
    context.readAnswer = (patience) => readHttpEvidence(reader, { config, context, address, patience });
  }
  const statusCode = await (config.proxy ? statusOn(url, config, reader) : reader.statusCode());
  const at = performance.now();
  context.phases.firstByte = rounded(at - connected);
  const readerOfRest = () => {
    context.waitingFor = "end of the body";
    return reader;
  };
  return { config, url: request.url, statusCode, at, connection, reader: readerOfRest };
}

/** A server may name itself in bytes that are not UTF-8, and wants them back. */
function bytesOf(text: string, { authorization }: Request): string | Buffer {
  if (authorization === undefined || /^[ -~]*$/.test(authorization)) return text;
  const body = text.indexOf("\r\n\r\n");
  return Buffer.concat([Buffer.from(text.slice(0, body), "latin1"), Buffer.from(text.slice(body))]);
}

const PLAIN = new Set(["url", "interval", "protocol", "timeout", "expiryWarning", "everyAddress"]);

/** Whether a config asks for nothing that an answer could repeat, so that a message may quote the answer. */
function isPlain(config: Config): boolean {
  return Object.keys(config).every((field) => PLAIN.has(field));
}

/** To microseconds. */
export function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000;
}
