import type { RecordType } from "./dns-record.ts";

/** Why a look-up gave no record. The first two are answers; after the others there is none. */
export type LookupFailure =
  | "nxdomain"
  | "no_data"
  | "servfail"
  | "refused"
  | "error"
  | "malformed"
  | "timeout";

/** The answer for one type of record. */
export type Lookup =
  | { recordType: RecordType; values: string[]; failure: null }
  | { recordType: RecordType; values: []; failure: LookupFailure };

export interface DnsAnswer {
  hostname: string;
  lookups: Lookup[];
}
