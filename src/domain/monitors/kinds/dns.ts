import { Type } from "@sinclair/typebox";
import type { Plan } from "../../accounts/organization.ts";
import { RECORD_TYPES, RecordType } from "../../checks/observation.ts";
import { Host } from "../../schemas/format.ts";
import { named } from "../../schemas/schema.ts";
import { defaultInterval, type Entry, Interval, valuesAsLabels } from "./fields.ts";

const Record = Type.String({ minLength: 1, maxLength: 4096 });
const Expected = Type.Array(Record, {
  minItems: 1,
  maxItems: 100,
  description: "The records of the expected answer, in any order.",
});
const ExpectedSome = Type.Array(Record, { minItems: 1, maxItems: 100 });
const Servers = Type.Array(
  Type.String({ format: "dns-server", maxLength: 100, examples: ["192.0.2.53", "[2001:db8::53]:5353"] }),
  {
    minItems: 1,
    maxItems: 4,
    description: "The DNS servers to ask, in this order. Default: those of stillup.",
  },
);

export const config = Type.Object(
  {
    hostname: Host,
    interval: Type.Optional(Interval),
    recordType: Type.Optional(RecordType),
    expected: Type.Optional(Expected),
    expectedAny: Type.Optional(ExpectedSome),
    expectedContains: Type.Optional(ExpectedSome),
    servers: Type.Optional(Servers),
  },
  named("DnsConfig"),
);

export function defaults(given: { interval?: number }, plan: Plan) {
  return { interval: given.interval ?? defaultInterval(plan) };
}

export const forms = {
  DNS: [
    { name: "hostname", label: "Host name", example: "example.com" },
    {
      name: "recordType",
      label: "Record",
      kind: "choice",
      choices: [{ label: "A and AAAA (addresses)" }, ...valuesAsLabels(RECORD_TYPES)],
    },
    {
      summary: "Expected records",
      entries: [
        {
          name: "expected",
          label: "Expected records",
          kind: "lines",
          hint: "One on each line. If empty, a record that was not seen for 7 days counts as a change.",
        },
        {
          name: "servers",
          label: "DNS servers",
          kind: "words",
          example: "192.0.2.53, [2001:db8::53]:5353",
          hint: "Up to four, asked in this order until one gives a clear answer. If empty: the servers of stillup.",
        },
      ],
    },
  ],
} satisfies Record<string, readonly Entry[]>;
