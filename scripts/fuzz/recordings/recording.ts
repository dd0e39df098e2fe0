import type { Question } from "../../../src/probes/dns/dns-packet.ts";
import type { Message } from "../dns/input.ts";
import type { Truth } from "../http/input.ts";
import certificates from "./certificates.json";
import dns from "./dns.json";
import flights from "./flights.json";
import http from "./http.json";

/** An answer of a real server, with one character for each byte. */
export interface HttpRecording {
  from: string;
  hasBody: boolean;
  bytes: string;
  truth: Truth;
}

export const httpRecordings = http as HttpRecording[];

export interface DnsRecording {
  from: string;
  question: Question;
  hasEdns: boolean;
  message: Message;
}

export const dnsRecordings = dns as DnsRecording[];

/** The first bytes that a TLS server sent to somebody else, or a certificate that a program created. */
export interface TlsRecording {
  from: string;
  bytes: string;
}

export const flightRecordings: TlsRecording[] = flights;
export const certificateRecordings: TlsRecording[] = certificates;
