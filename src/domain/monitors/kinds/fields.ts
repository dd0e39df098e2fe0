import { type TObject, Type } from "@sinclair/typebox";
import type { AppError } from "../../../errors.ts";
import { type Plan, planLimits } from "../../accounts/organization.ts";
import { fault } from "../../faults/fault.ts";
import type { ConfigField } from "../../schemas/schema.ts";

/*
 * The parts of a type of monitor. A file of this folder exports them, `../monitor.ts` lists the files, and `kinds.ts` has what
 * the page needs before any form.
 */

/** A type of monitor. @property forms the fields of each of its kinds; the first one is the target, if the kind has a target */
export interface Declaration {
  config: TObject;
  forms: Record<string, readonly Entry[]>;
  /** The fields that are stored in addition to the fields of the request (behavior 7.33, 7.34). */
  defaults?(given: never, plan: Plan): object;
  /** Judges what a schema cannot express. @throws AppError `invalid` that names the field */
  assertRules?(config: never): void;
  /** Replaces each `•••` in a config, which is not validated yet, by the stored secret. @throws AppError `invalid` without any */
  restore?(config: unknown, stored: object | undefined): unknown;
}

export const Interval = Type.Integer({
  minimum: 1,
  maximum: 86_400,
  description: "Seconds between two checks.",
});

export const Timeout = Type.Integer({
  minimum: 1,
  maximum: 60,
  description:
    "Seconds that a check may take, at most `interval`. Default: 10, or `interval` if that is less.",
});

export const VerifyTls = Type.Boolean({
  description: "Whether the certificate must be valid. Default: true.",
});

export const EveryAddress = Type.Boolean({
  description:
    "Whether each address of the host is checked, at most 6. If only some of them fail, the monitor is degraded " +
    "(TLS: as bad as the others are). Default: false, and the first address that answers counts.",
});

export const Port = Type.Integer({ minimum: 1, maximum: 65_535 });

/** The default interval, and the only one of SCHEDULED monitors (behavior 7.33, 7.34); seconds. */
export const DEFAULT_INTERVAL = 300;

export function defaultInterval(plan: Plan): number {
  return Math.max(DEFAULT_INTERVAL, planLimits[plan].minimumInterval);
}

/** Behavior 10.6. */
export function assertTimeout({ interval, timeout }: { interval: number; timeout?: number }): void {
  if (timeout === undefined || timeout <= interval) return;
  throw fault("overInterval", { field: "config.timeout", most: interval, got: timeout });
}

/** Refuses fields that mean nothing with the others. @param refusal the error about a field */
export function refuse<T extends object>(
  config: T,
  fields: readonly (keyof T & string)[],
  refusal: (field: string) => AppError,
): void {
  const given = fields.find((field) => config[field] !== undefined);
  if (given) throw refusal(`config.${given}`);
}

export function mapFields<From, To>(
  fields: Record<string, From>,
  change: (value: From, name: string) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, change(value, name)]));
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/* Parts of forms. */

/** The names under which the page has the words of the fields: of most, it is the name in the config. */
export type FieldName =
  | "host"
  | "port"
  | "timeout"
  | "httpTimeout"
  | "everyAddress"
  | "everyCertificate"
  | "ipFamily"
  | "servername"
  | "user"
  | "password"
  | "signInUser"
  | "signInPassword"
  | "redirects"
  | "expect.contains"
  | "expect.lacks"
  | "expect.matches"
  | "expect.complete"
  | "expect.within"
  | "method"
  | "body"
  | "name"
  | "oauth2.tokenUrl"
  | "oauth2.clientId"
  | "oauth2.clientSecret"
  | "oauth2.scope"
  | "oauth2.audience"
  | "clientCertificate.certificate"
  | "clientCertificate.key"
  | "proxy.url"
  | "proxy.user"
  | "proxy.password"
  | "service"
  | "protocol"
  | "starttls"
  | "tls"
  | "send"
  | "contains"
  | "count"
  | "size"
  | "maxLoss"
  | "warnDays"
  | "hostname"
  | "recordType"
  | "records"
  | "servers"
  | "period"
  | "cron"
  | "timezone"
  | "grace"
  | "maxRunTime"
  | "overlap";

/** A field of a form of monitors. @property words the name of its words, if that is not its own name */
export type Field = ConfigField & ({ name: FieldName; words?: FieldName } | { words: FieldName });

/** The sections of forms, each of one subject. */
export type SectionName =
  | "answer"
  | "expectedAnswer"
  | "request"
  | "takenValues"
  | "signIn"
  | "certificate"
  | "connection"
  | "conversation"
  | "pings"
  | "warnings"
  | "records"
  | "runs";

/** The values of radio buttons, each with fields of its own, by the name of the form value. */
export interface RadioValues {
  records: "seen" | "exactly" | "any" | "contains" | "none";
  signIn: "none" | "basic" | "digest" | "oauth2";
  schedule: "learned" | "period" | "cron";
}

/** A part of the form of a config. */
export type Entry =
  | Field
  /** A component for a part of the config. @property name its place in the config */
  | {
      widget:
        | "website"
        | "requests"
        | "statuses"
        | "same"
        | "take"
        | "expiry"
        | "registration"
        | "headers"
        | "expected-headers"
        | "json"
        | "any-certificate";
      name: string;
    }
  /** Fields side by side: one wide and one short, or both as wide. */
  | { beside: "pair" | "halves"; fields: readonly Field[] }
  | OptionsEntry
  /** A section of fields of one subject that most readers do not need. */
  | { section: SectionName; entries: readonly Entry[] };

/** Fields of one of several options. A stored field selects its option. @property radio name of the form value */
export type OptionsEntry = {
  [Radio in keyof RadioValues]: { radio: Radio; options: readonly Option<RadioValues[Radio]>[] };
}[keyof RadioValues];

/** @property sets what the config has if the option is chosen, besides the values of its fields */
export interface Option<Value extends string = string> {
  value: Value;
  sets?: Record<string, unknown>;
  entries: readonly Entry[];
}

export const timeout: Field = { name: "timeout", kind: "number" };

export const everyAddress: Field = { name: "everyAddress", kind: "switch" };

export const ipVersion: Field = {
  name: "ipFamily",
  kind: "choice",
  choices: [{}, { value: 4 }, { value: 6 }],
  isShort: true,
};

export const signIn: Entry = {
  beside: "halves",
  fields: [
    { name: "basicAuth.user", words: "signInUser", isExact: true },
    { name: "basicAuth.password", words: "signInPassword", kind: "secret", isExact: true },
  ],
};

export const anyCertificate: Entry = { widget: "any-certificate", name: "verifyTls" };

export const servername: Field = { name: "servername", example: "www.example.com" };

export function hostAndPort(port?: string): Entry {
  return {
    beside: "pair",
    fields: [
      { name: "host", example: "example.com" },
      { name: "port", kind: "number", ...(port && { initial: port }) },
    ],
  };
}

/** Choices with their values as labels. */
export function valuesAsLabels(values: readonly string[]): { value: string; label: string }[] {
  return values.map((value) => ({ value, label: value }));
}
