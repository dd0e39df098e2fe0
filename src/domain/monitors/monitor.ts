import { type Static, Type } from "@sinclair/typebox";
import { type Plan, planLimits } from "../accounts/organization.ts";
import { fault } from "../faults/fault.ts";
import { MASK } from "../schemas/mask.ts";
import { oneOf } from "../schemas/schema.ts";
import { parse } from "../schemas/validation.ts";
import * as dns from "./kinds/dns.ts";
import type { Declaration, Entry } from "./kinds/fields.ts";
import * as http from "./kinds/http.ts";
import { forms as httpForms } from "./kinds/http-forms.ts";
import { maskHttpSecrets, restore } from "./kinds/http-secrets.ts";
import { isHttpConfig } from "./kinds/http-target.ts";
import { MONITOR_TYPES, type MonitorKind } from "./kinds/kinds.ts";
import * as scheduled from "./kinds/scheduled.ts";
import * as tcp from "./kinds/tcp.ts";
import * as tls from "./kinds/tls.ts";
import type { MonitorSettings } from "./monitor-update.ts";
import type { Status } from "./status.ts";

export const MonitorType = oneOf(MONITOR_TYPES);
export type MonitorType = Static<typeof MonitorType>;
export type { ProbedType } from "./kinds/kinds.ts";

const declarations = {
  HTTP: { ...http, forms: httpForms, restore },
  TCP: tcp,
  TLS: tls,
  DNS: dns,
  SCHEDULED: scheduled,
} satisfies Record<MonitorType, Declaration>;
type Declarations = typeof declarations;

/** The `config` of each type in a request (behavior 7.32). */
export const monitorConfigs = Object.fromEntries(
  MONITOR_TYPES.map((type) => [type, declarations[type].config]),
) as { [T in MonitorType]: Declarations[T]["config"] };

/** The fields of the form of each kind. */
export const monitorForms: Record<MonitorKind, readonly Entry[]> = {
  ...httpForms,
  ...tcp.forms,
  ...tls.forms,
  ...dns.forms,
  ...scheduled.forms,
};

/**
 * The `config` of any type. The schema only documents it: `parseConfig` validates it, because the type is in another
 * field.
 */
export const MonitorConfigSchema = Type.Object(
  {},
  { additionalProperties: true, anyOf: Object.values(monitorConfigs) },
);

/** A config as it is stored: with the defaults of the optional fields. */
export type MonitorConfig<T extends MonitorType = MonitorType> = {
  [One in T]: (One extends "TCP" ? tcp.TcpConfig : Static<Declarations[One]["config"]>) &
    Defaults<Declarations[One]>;
}[T];

type Defaults<D> = D extends { defaults: (...given: never) => infer Given } ? Given : unknown;

export interface Monitor extends MonitorSettings {
  id: string;
  name: string;
  type: MonitorType;
  config: MonitorConfig;
  status: Status;
  enabled: boolean;
  /** The name under which a configuration file knows it; null if none does. */
  ref: string | null;
  /** Until when it was checked, if it is blind: see `checks/blindness.ts`. Null if it is not. */
  blindSince: number | null;
  /** Milliseconds since 1970, like every time in the domain. */
  createdAt: number;
  updatedAt: number;
}

function declarationOf(type: MonitorType): Declaration {
  return declarations[type];
}

/**
 * Validates the config of a type, and completes it with the defaults that are stored.
 *
 * @param plan of the organization: the default interval depends on it
 * @param stored the config that it replaces, whose secrets it may keep (behavior 10.28)
 * @throws AppError `invalid` that names the field, for example `config.port`
 */
export function parseConfig<T extends MonitorType>(
  type: T,
  config: unknown,
  plan: Plan,
  stored?: MonitorConfig,
): MonitorConfig<T> {
  const declaration = declarationOf(type);
  const restored = declaration.restore ? declaration.restore(config, stored) : config;
  const parsed = parse(declaration.config, restored, "config");
  assertConfigRules(type, parsed);
  return { ...parsed, ...declaration.defaults?.(parsed as never, plan) } as MonitorConfig<T>;
}

/** @param config one that fits the schema of its type @throws AppError `invalid` that names the field */
export function assertConfigRules(type: MonitorType, config: object): void {
  declarationOf(type).assertRules?.(config as never);
}

/** The fields of a stored config that has none of its own. */
export function defaultConfig(type: MonitorType, plan: Plan): object {
  return declarationOf(type).defaults?.({} as never, plan) ?? {};
}

/**
 * Refuses an interval that is too short for the plan (behavior 7.10, 7.30). The other fields are not validated, so
 * that this check can run before `parseConfig`.
 *
 * @throws AppError `invalid`
 */
export function assertIntervalAllowed(plan: Plan, config: unknown): void {
  const interval = (config as { interval?: unknown } | null | undefined)?.interval;
  const { minimumInterval } = planLimits[plan];
  if (typeof interval !== "number" || interval >= minimumInterval) return;
  throw fault(
    "intervalTooShort",
    { field: "config.interval", got: interval, plan, least: minimumInterval },
    { errorCode: "interval_too_short" },
  );
}

/** A config for a response: each secret is `•••` (behavior 10.27). A config without secrets is returned itself. */
export function maskSecrets(config: MonitorConfig): MonitorConfig {
  if ("pushToken" in config) return { ...config, pushToken: MASK };
  return isHttpConfig(config) ? maskHttpSecrets(config) : config;
}

/** A config for a notification, which contains no body either (behavior 10.26). */
export function maskRequest(config: MonitorConfig): MonitorConfig {
  const masked = maskSecrets(config);
  return isHttpConfig(masked) ? maskBodies(masked) : masked;
}

function maskBodies<Request extends { body?: string; steps?: { body?: string }[] }>(
  request: Request,
): Request {
  const { body, steps } = request;
  if (body === undefined && !steps) return request;
  return {
    ...request,
    ...(body !== undefined && { body: MASK }),
    ...(steps && { steps: steps.map(maskBodies) }),
  };
}
