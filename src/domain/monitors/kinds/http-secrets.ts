import type { AppError } from "../../../errors.ts";
import { fault } from "../../faults/fault.ts";
import { fieldOf } from "../../schemas/field-name.ts";
import { MASK } from "../../schemas/mask.ts";
import { changesHost } from "../../schemas/request-headers.ts";
import { carriedOrigins, namesInRequest } from "./carried-origins.ts";
import * as fields from "./fields.ts";
import type { HttpConfig } from "./http.ts";
import type { Step } from "./http-steps.ts";
import { isHttpConfig } from "./http-target.ts";

/** Why a secret may not be kept: the error about its field. */
type Why = (field: string) => AppError;

/**
 * A secret of a config.
 *
 * @property field its place, such as `config.basicAuth.password`
 * @property stored the secret in the stored config; undefined if it has none
 * @property why a stored secret may not be kept; undefined if it may
 */
interface Secret {
  field: string;
  stored: string | undefined;
  why: Why | undefined;
}

/** A config that is not validated yet, or a part of it. */
type Given = Record<string, unknown>;

/** A config for a response: each secret is `•••` (behavior 10.27). A config without secrets is returned itself. */
export function maskHttpSecrets(config: HttpConfig): HttpConfig {
  return hasSecretFields(config) ? (mapSecrets(config, undefined, () => MASK) as HttpConfig) : config;
}

/**
 * Replaces each `•••` in a submitted config of an HTTP monitor by the stored secret (behavior 10.28, 26.2). The config is not
 * validated yet.
 *
 * @param stored nothing if the monitor does not exist yet
 * @throws AppError `invalid` if a secret is not stored, or if it would be sent to another recipient
 */
export function restore(config: unknown, stored: object | undefined): unknown {
  if (!fields.isObject(config)) return config;
  const known = stored && isHttpConfig(stored) ? stored : undefined;
  let kept: string | undefined;
  const restored = mapSecrets(config, known, (value, { field, stored: secret, why }) => {
    if (value !== MASK) return value;
    if (secret === undefined) throw fault("secretNotStored", { field });
    if (why !== undefined) throw why(field);
    kept ??= field;
    return secret;
  });
  const carried = kept === undefined ? undefined : whyCarriedAway(restored, known);
  if (kept !== undefined && carried !== undefined) throw carried(kept);
  return restored;
}

function hasSecretFields({
  headers,
  basicAuth,
  digestAuth,
  clientCertificate,
  oauth2,
  proxy,
  steps,
}: HttpConfig) {
  return [headers, basicAuth, digestAuth, clientCertificate, oauth2, proxy, steps].some(
    (part) => part !== undefined,
  );
}

/** The same config with each secret changed. */
function mapSecrets(
  config: Given,
  stored: HttpConfig | undefined,
  change: (value: unknown, secret: Secret) => unknown,
): Given {
  const first = firstRequestOf(config);
  const target =
    whyMoved(first, stored && firstRequestOf(stored), "steps" in config ? "config.steps.0" : "config") ??
    whyReadByProxy(config, stored, first.url);
  const one = (part: string, name: string, why: Why | undefined) =>
    mapSecret(config, stored, { part, name, why, change });
  return {
    ...config,
    ...mapHeaders(config, stored, { at: "config", why: target, change }),
    ...one("basicAuth", "password", target),
    ...one("digestAuth", "password", target),
    ...one("clientCertificate", "key", target),
    // The target gets the token that the secret is worth.
    ...one(
      "oauth2",
      "clientSecret",
      whyOtherOrigin(config, stored, "oauth2", "tokenUrl") ??
        whyReadByProxy(config, stored, partOf(config, "oauth2")?.tokenUrl) ??
        target,
    ),
    ...one("proxy", "password", whyOtherOrigin(config, stored, "proxy", "url")),
    ...(Array.isArray(config.steps) && { steps: mapSteps(config, stored, change) }),
  };
}

function mapSteps(
  config: Given,
  stored: HttpConfig | undefined,
  change: (value: unknown, secret: Secret) => unknown,
): unknown[] {
  return (config.steps as unknown[]).map((step, at) => {
    if (!fields.isObject(step)) return step;
    const known = storedStep(stored?.steps ?? [], step, at);
    const why = whyMoved(step, known, `config.steps.${at}`) ?? whyReadByProxy(config, stored, step.url);
    return { ...step, ...mapHeaders(step, known, { at: `config.steps.${at}`, why, change }) };
  });
}

/** The stored step that a step replaces: one with its name, or its URL, or at its place. */
function storedStep(stored: readonly Step[], { name, url }: Given, at: number): Step | undefined {
  const own = stored[at];
  const named = name === undefined ? undefined : stored.find((one) => one.name === name);
  return named ?? (own?.url === url ? own : (stored.find((one) => one.url === url) ?? own));
}

/**
 * Why no secret may be kept: a step could send what an answer to a secret has to another recipient, who then has as much as the secret
 * (behavior 26.88). What the stored steps carry is known.
 */
function whyCarriedAway(config: Given, stored: HttpConfig | undefined): Why | undefined {
  if (!stored || !Array.isArray(config.steps)) return undefined;
  const known = carriedOrigins(stored.steps ?? []);
  for (const [way, at] of carriedOrigins(config.steps))
    if (!known.has(way)) return (field) => fault("secretCarried", { field, other: `config.steps.${at}` });
  const carriers = config.steps.filter((step) => fields.isObject(step) && namesInRequest(step).length > 0);
  return carriers.map(({ url }) => whyReadByProxy(config, stored, url)).find((why) => why !== undefined);
}

interface Change {
  why: Why | undefined;
  change: (value: unknown, secret: Secret) => unknown;
}

function mapHeaders(
  { headers }: Given,
  stored: { headers?: Record<string, string> } | undefined,
  { at, why, change }: Change & { at: string },
): Given {
  if (!fields.isObject(headers)) return {};
  const changed = fields.mapFields(headers, (value, name) =>
    change(value, { field: fieldOf(`${at}.headers`, name), stored: headerOf(stored?.headers, name), why }),
  );
  return { headers: changed };
}

function mapSecret(
  config: Given,
  stored: HttpConfig | undefined,
  { part, name, why, change }: Change & { part: string; name: string },
): Given {
  const given = config[part];
  if (!fields.isObject(given) || given[name] === undefined) return {};
  const known = partOf(stored, part)?.[name];
  const secret = typeof known === "string" ? known : undefined;
  return {
    [part]: {
      ...given,
      [name]: change(given[name], { field: `config.${part}.${name}`, stored: secret, why }),
    },
  };
}

function partOf(config: object | undefined, part: string): Given | undefined {
  const value = (config as Given | undefined)?.[part];
  return fields.isObject(value) ? value : undefined;
}

function firstRequestOf(config: object): Given {
  const { steps } = config as Given;
  const [first] = Array.isArray(steps) ? steps : [];
  return fields.isObject(first) ? first : (config as Given);
}

/** @param other the URL whose origin changes */
function ofOrigin(other: string): Why {
  return (field) => fault("secretOfOrigin", { field, other });
}

/** Why a request would go to another recipient than the stored one. @param at where it is in the config */
function whyMoved(request: Given, stored: object | undefined, at: string): Why | undefined {
  const { url, headers } = (stored ?? {}) as { url?: string; headers?: Record<string, string> };
  if (isOtherOrigin(request.url, url)) return ofOrigin(`${at}.url`);
  return stored && changesHost(request.headers, headers)
    ? (field) => fault("secretOfHost", { field })
    : undefined;
}

function whyOtherOrigin(
  config: Given,
  stored: HttpConfig | undefined,
  part: string,
  name: string,
): Why | undefined {
  const known = partOf(stored, part)?.[name];
  const isMoved = isOtherOrigin(partOf(config, part)?.[name], typeof known === "string" ? known : undefined);
  return isMoved ? ofOrigin(`config.${part}.${name}`) : undefined;
}

/** A proxy could newly read what is sent to a URL without TLS, or with a certificate that nobody verifies. */
function whyReadByProxy(config: Given, stored: HttpConfig | undefined, url: unknown): Why | undefined {
  const proxy = partOf(config, "proxy")?.url;
  if (!stored || typeof proxy !== "string") return undefined;
  const isNew = stored.proxy === undefined || isOtherOrigin(proxy, stored.proxy.url);
  const isUnencrypted = typeof url === "string" && /^http:/i.test(url);
  const isUnverified = config.verifyTls === false;
  if (isNew) return isUnencrypted || isUnverified ? (field) => fault("secretOfProxy", { field }) : undefined;
  const isNewlyUnverified = isUnverified && stored.verifyTls !== false && !isUnencrypted;
  return isNewlyUnverified ? (field) => fault("secretUnverified", { field }) : undefined;
}

/** An invalid URL is no other origin: its own error is reported later. */
function isOtherOrigin(url: unknown, stored: string | undefined): boolean {
  const parsed = typeof url === "string" ? URL.parse(url) : null;
  const known = stored === undefined ? null : URL.parse(stored);
  return parsed !== null && known !== null && addressOf(parsed) !== addressOf(known);
}

/** `origin` is `null` for a scheme such as `socks5`. */
function addressOf({ protocol, host }: URL): string {
  return `${protocol}//${host}`;
}

/** The value of a header, whose name ignores case. */
function headerOf(headers: Record<string, string> | undefined, name: string): string | undefined {
  return Object.entries(headers ?? {}).find(([one]) => one.toLowerCase() === name.toLowerCase())?.[1];
}
