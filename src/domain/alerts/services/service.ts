import { type Static, type TObject, type TOptional, type TSchema, Type } from "@sinclair/typebox";
import type { ConfigField, FormatRule } from "../../schemas/schema.ts";
import type { AlertMessage, Notification } from "../alert-event.ts";

/*
 * The parts of a notification service. A file of this folder exports all of them, and `registry.ts` lists the files:
 *
 * - `declaration`: for the API, the form and the documentation
 * - `delivery`: the requests that it gets, and what its answers mean
 * - `importNames`: its names in other products
 *
 * The page loads only the declarations.
 */

/** A notification service. Each one is a format of WEBHOOK channels (behavior 16.140). */
export interface Declaration {
  /** The name of the product. A format of our own has none. */
  label?: string;
  /** Version of the database since which programs know it: `store/postgres/migrate.ts` adds a migration for each new one. */
  since: number;
  /** People get many notifications as one message (behavior 16.148). Programs get each event. */
  readBy: "people" | "programs";
  /** Whether people read a summary in what programs get: it is in the language of the channel, like what people get (behavior 27.45). */
  hasSummary?: true;
  /** Lines of our own in a square of 24: something that it is used for, never its logo. */
  icon: string;
  url: AddressField;
  options: Record<string, ServiceOption>;
  /** Whether a config has `options` even if none of them is required. */
  needsOptions?: true;
  /** Headers that it sends itself (behavior 16.143), in lower case. */
  ownHeaders?: readonly string[];
  /** The rules of the formats of its options, by their name. */
  rules?: Record<string, FormatRule>;
  /** Whether the receiver has an incident open until it is resolved (behavior 16.150). */
  tracksIncidents?: true;
  /** Judges what a schema cannot express. @throws AppError `invalid` */
  check?(config: CheckedConfig, hasHeader: (name: string) => boolean): void;
}

/** A config that fits the schema of its format. */
export interface CheckedConfig {
  url: string;
  options?: Record<string, unknown>;
}

/** How a form shows a field. @property kind default: by the schema */
export interface ShownField
  extends Partial<Pick<ConfigField, "example" | "choices" | "rows" | "initial" | "isRare">> {
  kind?: "lines" | "text-area";
}

/** The field `url`. @property usual the address that most channels have; absent if each user has another one */
export interface AddressField extends ShownField {
  usual?: string;
  /** Whether it is a whole address, which is all that one needs to send something (behavior 16.145). */
  isSecret?: true;
  /** Whether it always contains a token: then an export does not contain the address. */
  holdsToken?: true;
}

/** An option of a config. @property isHidden whether no form shows it */
export interface ServiceOption<Schema extends TSchema = TSchema> extends ShownField {
  isHidden?: true;
  schema: Schema;
}

/** The format of the schema of most options that are secrets (behavior 16.142). */
export const SECRET = "option-secret";

/** @param description of the API */
export function secretOption(description: string) {
  const schema = Type.String({
    format: SECRET,
    maxLength: 512,
    description: `${description} A response shows \`•••\`.`,
  });
  return { schema };
}

export function optional<Schema extends TSchema>({
  schema,
  ...shown
}: ServiceOption<Schema>): ServiceOption<TOptional<Schema>> {
  return { ...shown, schema: Type.Optional(schema) as TOptional<Schema> };
}

/** The priority of every message (behavior 16.147). @property isChoice whether its values have names, so that it is no number in a form */
export function priorityOption({
  range: [minimum, maximum],
  isChoice = false,
  description,
}: {
  range: [number, number];
  isChoice?: boolean;
  description: string;
}) {
  const values = Array.from({ length: maximum - minimum + 1 }, (_, at) => ({ value: minimum + at }));
  return {
    isRare: true as const,
    ...(isChoice && { choices: [{}, ...values] }),
    schema: Type.Optional(Type.Integer({ minimum, maximum, description })),
  };
}

/** The schema of the options of a service. */
export type OptionsSchema<D extends Declaration> = TObject<{
  [Name in keyof D["options"]]: D["options"][Name]["schema"];
}>;

/** The config of a channel of a service, without its format. */
export interface ServiceConfig<D extends Declaration> {
  url: string;
  options: Static<OptionsSchema<D>>;
  headers?: Record<string, string>;
}

/** A request to a receiver. @property headers their names are in lower case */
export interface OutgoingRequest {
  method: "POST" | "PUT" | "GET";
  url: string;
  headers: Record<string, string>;
  body?: string;
}

/**
 * A notification on its way to a channel.
 *
 * @property message for people about all events, for programs about `event`
 * @property english the same in English, for fields that programs read
 * @property baseUrl of the page, without a trailing slash
 */
export interface Sending extends Notification {
  message: AlertMessage;
  english: () => AlertMessage;
  baseUrl: string;
}

/** How a service gets notifications (behavior 16.145). */
export interface Delivery<D extends Declaration> {
  /** Pure; headers of the channel replace the headers of the request. */
  request(config: ServiceConfig<D>, sending: Sending): OutgoingRequest;
  failures?: Failures;
  /** The config for one more request at once, if the service says that the receiver has another address now. */
  moved?(config: ServiceConfig<D>, answer: FailureAnswer): ServiceConfig<D> | undefined;
}

/** The answer to a request that failed. @property body the parsed JSON; an empty object for anything else @property now its time */
export interface FailureAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Record<string, unknown>;
  now: number;
}

/** Whether a failed delivery is retried. */
type Meaning = "final" | "temporary";

/** The meaning of failures that differs from behavior 5.16. */
export interface Failures {
  statuses?: Partial<Record<number, Meaning>>;
  /** Statuses with which the receiver says that it will never exist again (behavior 21.56). */
  gone?: readonly number[];
  /** Reads the service's own form of an answer. */
  explain?: (answer: FailureAnswer) => Explanation;
}

/**
 * @property word our own word, or a word of the service from a fixed list: an outcome contains nothing else of an answer
 * @property retryAfterMs the delay that the service asked for
 */
export interface Explanation {
  word?: string | undefined;
  meaning?: Meaning | undefined;
  retryAfterMs?: number | undefined;
}

/** The names of a service and of its settings in other products. Absent: no such service there, or the import has code for it. */
export interface ImportNames {
  kuma?: KumaNames;
  gatus?: GatusNames;
  /** The kind of the integration. */
  healthchecks?: string;
}

/**
 * A notification of Uptime Kuma.
 *
 * @property url the setting with the address; the default is the usual one of the service
 * @property path of the address, which the service adds here
 * @property options the setting for each option; one with `nearest` becomes the nearest number that is possible here
 * @property template the setting that says that it writes the messages
 * @property ignored settings that change what is sent, and have no counterpart
 */
export interface KumaNames {
  type: string;
  url?: string;
  path?: string;
  options?: Record<string, string | { nearest: string }>;
  template?: string;
  ignored?: readonly string[];
}

/**
 * A provider of Gatus.
 *
 * @property url the setting with the address; the default is `usual`, or the usual one of the service
 * @property prefix of the address, if the setting is only its host
 * @property options the setting for each option
 * @property ignored settings of messages, which stillup writes
 */
export interface GatusNames {
  type: string;
  url?: string;
  prefix?: string;
  usual?: string;
  options?: Record<string, string>;
  ignored?: string[];
}
