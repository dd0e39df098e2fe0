import type { TlsAdvice } from "../../../src/domain/checks/observation.ts";
import type { Lie } from "./lies.ts";

/** A certificate that is read alone, or a handshake over a real connection. */
export type TlsInput =
  | ({ kind: "certificate" } & CertificateInput)
  | ({ kind: "handshake" } & HandshakeInput);

/** @property der one character for each byte @property truth null if it was changed at random */
export interface CertificateInput {
  der: string;
  truth: CertificateTruth | null;
}

/** The meaning of a valid certificate, known because it was composed from it. Times are ISO 8601. */
export interface CertificateTruth {
  validFrom: string;
  validTo: string;
  names: Name[];
  advice: TlsAdvice[];
}

/** @property isQuoted whether a result shows the name in quotation marks, because it has other characters */
export interface Name {
  text: string;
  isQuoted: boolean;
}

/** @property names in the certificate of the server, which this machine trusts @property left days until it ends */
export interface HandshakeInput {
  monitor: "HTTP" | "TLS";
  host: string;
  names: string[];
  left: number;
  version: "TLSv1.2" | "TLSv1.3";
  lie: Lie;
}
