import type { CheckConfig } from "../../../src/probes/probe-thread.ts";
import type { Cuts } from "../bytes/pieces.ts";

/** An answer that the parser reads alone, a coded body, or a whole check. */
export type HttpInput =
  | ({ kind: "answer" } & AnswerInput)
  | ({ kind: "body" } & BodyInput)
  | ({ kind: "check" } & CheckInput);

/** A body without its framing. @property codings as in `Content-Encoding` */
export interface BodyInput {
  bytes: string;
  codings: string;
  cuts: Cuts;
}

/** @property hasBody false for the answer to HEAD */
export interface AnswerInput {
  hasBody: boolean;
  sent: Sent;
}

/** One HTTP check: what it asks for, and what the server answers on each of its connections. */
export interface CheckInput {
  config: CheckConfig<"HTTP">;
  exchanges: Exchange[];
}

/** Bytes that a server sends, with one character for each byte. */
export interface Sent {
  bytes: string;
  cuts: Cuts;
  /** Null if the bytes were changed at random. */
  truth: Truth | null;
}

export interface Exchange extends Sent {
  /** Whether a piece arrives when the check reads, when it already waits, or before it reads. */
  arrival: "as read" | "late" | "before";
  /** The event after the bytes: an end, a reset, or silence. */
  end: "close" | "reset" | "open";
}

/** The meaning of a valid answer, known because it was composed from it. */
export interface Truth {
  statusCode: number;
  headers: [name: string, value: string][];
  /** The body without its framing, and without its content coding too. */
  sent: string;
  body: string;
  /** Whether a part of the body can't be decoded. */
  isCoded: boolean;
  /** Whether the body ends with the connection. */
  isUnframed: boolean;
  /** Where the final status line, the head and the body end. `bytes` may be cut before. */
  ends: { status: number; head: number; body: number };
}
