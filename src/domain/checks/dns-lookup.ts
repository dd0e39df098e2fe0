import type { RecordType } from "./dns-record.ts";

/** Why a query found no record (behavior 4.4). The first two are answers; with the others there is no answer. */
export type LookupFailure =
  | "nxdomain"
  | "no_data"
  | "servfail"
  | "refused"
  | "error"
  | "malformed"
  | "timeout";

/** The result of the query for one record type. */
export type Lookup =
  | { recordType: RecordType; values: string[]; failure: null }
  | { recordType: RecordType; values: []; failure: LookupFailure };

export interface DnsAnswer {
  hostname: string;
  lookups: Lookup[];
}
