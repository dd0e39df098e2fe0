import { type Static, Type } from "@sinclair/typebox";
import type { Plan } from "../../accounts/organization.ts";
import { RECORD_TYPES, RecordType } from "../../checks/observation.ts";
import { fault } from "../../faults/fault.ts";
import { Host } from "../../schemas/format.ts";
import { named } from "../../schemas/schema.ts";
import { defaultInterval, type Entry, type Field, Interval, valuesAsLabels } from "./fields.ts";

const MAX_RECORDS = 100;
const Record = Type.String({ minLength: 1, maxLength: 4096 });
const records = (minItems: number, description: string) =>
  Type.Optional(Type.Array(Record, { minItems, maxItems: MAX_RECORDS, description }));
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
    expected: records(
      0,
      "The records of the expected answer, in any order. With none, the name is to have no record.",
    ),
    expectedAny: records(
      1,
      "One of these records at least is in the answer, among any others. Without the other two.",
    ),
    expectedContains: records(
      1,
      "Each of these is a record of the answer, or a part of one, among any others. Without the other two.",
    ),
    servers: Type.Optional(Servers),
  },
  named("DnsConfig"),
);

const EXPECTATIONS = ["expected", "expectedAny", "expectedContains"] as const;

/** A config says in one way which records it expects (behavior 4.26). */
export function assertRules(given: Static<typeof config>): void {
  const [first, second] = EXPECTATIONS.filter((field) => given[field] !== undefined);
  if (second) throw fault("leaveOutWith", { field: `config.${second}`, other: `config.${first}` });
}

export function defaults(given: { interval?: number }, plan: Plan) {
  return { interval: given.interval ?? defaultInterval(plan) };
}

function recordField(name: string): Field {
  return { name, words: "records", kind: "lines", isRequired: true };
}

export const forms = {
  DNS: [
    { name: "hostname", example: "example.com" },
    { name: "recordType", kind: "choice", choices: [{}, ...valuesAsLabels(RECORD_TYPES)] },
    {
      section: "records",
      entries: [
        {
          radio: "records",
          options: [
            { value: "seen", entries: [] },
            { value: "exactly", entries: [recordField("expected")] },
            { value: "any", entries: [recordField("expectedAny")] },
            { value: "contains", entries: [recordField("expectedContains")] },
            { value: "none", sets: { expected: [] }, entries: [] },
          ],
        },
        { name: "servers", kind: "words", example: "192.0.2.53, [2001:db8::53]:5353" },
      ],
    },
  ],
} satisfies Record<string, readonly Entry[]>;
