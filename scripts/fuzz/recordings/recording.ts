import type { Question } from "../../../src/probes/dns/dns-packet.ts";
import type { Message } from "../dns/input.ts";
import type { Truth } from "../http/input.ts";

/** An answer of a real server, with one character for each byte. */
export interface HttpRecording {
  from: string;
  hasBody: boolean;
  bytes: string;
  truth: Truth;
}

export interface DnsRecording {
  from: string;
  question: Question;
  hasEdns: boolean;
  message: Message;
}

/** The first bytes that a TLS server sent to somebody else, or a certificate that a program created. */
export interface TlsRecording {
  from: string;
  bytes: string;
}
