import type { HttpConfig } from "../monitors/kinds/http.ts";
import { clientCredentials, isHttpConfig } from "../monitors/kinds/http-target.ts";
import type { MonitorConfig } from "../monitors/monitor.ts";
import { oneLine } from "../truncate.ts";

/** In place of a secret. */
const HIDDEN = "•••";

/** Shorter values, such as `1`, are no secrets, and would hide other texts. */
const SHORTEST = 4;

/** The same for a value within a body, of which most are no secrets. */
const SHORTEST_IN_BODY = 6;

/** Headers with well-known values, which an answer often repeats. */
const PUBLIC = new Set([
  "accept",
  "accept-encoding",
  "accept-language",
  "content-type",
  "host",
  "user-agent",
]);

/**
 * Replaces the secrets of a config in a text of a server, which may repeat what was sent to it: also as they are sent, in Base64.
 *
 * @param isCut whether the text may end within a secret
 */
export function withoutSecrets(text: string, config: MonitorConfig, { isCut = false } = {}): string {
  return secretHider(config)(text, { isCut });
}

/** `withoutSecrets` for many texts of one config. */
export function secretHider(config: MonitorConfig): (text: string, options?: { isCut?: boolean }) => string {
  const secrets = secretsOf(config);
  if (secrets.length === 0) return (text) => text;
  return (text, { isCut = false } = {}) => {
    const shown = secrets.reduce((hidden, secret) => hidden.replaceAll(secret, HIDDEN), text);
    return isCut ? secrets.reduce(withoutBeginning, shown) : shown;
  };
}

/** Replaces values, which no config has, in a text. */
export function withoutValues(text: string, values: readonly string[]): string {
  return sentForms(values).reduce((hidden, secret) => hidden.replaceAll(secret, HIDDEN), text);
}

/** Replaces the beginning of a secret at the end of a text. */
function withoutBeginning(text: string, secret: string): string {
  const beginning = secret.slice(0, SHORTEST);
  let at = text.indexOf(beginning, Math.max(0, text.length - secret.length));
  while (at >= 0 && !secret.startsWith(text.slice(at))) at = text.indexOf(beginning, at + 1);
  return at < 0 ? text : text.slice(0, at) + HIDDEN;
}

/** The secrets of each config that is in use, because many texts are searched for the same secrets. */
const known = new WeakMap<MonitorConfig, string[]>();

function secretsOf(config: MonitorConfig): string[] {
  let secrets = known.get(config);
  if (!secrets) {
    secrets = findSecrets(config);
    known.set(config, secrets);
  }
  return secrets;
}

/** Hides more values in texts about one check, which are not in its config, such as a token. */
export function addSecrets(config: MonitorConfig, values: readonly string[]): void {
  known.set(config, inOrder([...secretsOf(config), ...sentForms(values)]));
}

/** @property taken values of answers that a check has sent again, such as a cookie */
type Hiding = MonitorConfig & { taken?: readonly string[] };

function findSecrets(config: Hiding): string[] {
  if (!isHttpConfig(config)) return [];
  const { basicAuth, digestAuth, clientCertificate, proxy, oauth2, steps = [], taken = [] } = config;
  const ofRequests = [config, ...steps].flatMap(secretsOfRequest);
  const ofSignIns = [basicAuth, digestAuth, proxy].flatMap((signIn) => (signIn ? ofSignIn(signIn) : []));
  const plain = [
    ...taken,
    ...ofRequests,
    ...ofSignIns,
    ...(oauth2
      ? [
          ...ofSignIn({ user: oauth2.clientId, password: oauth2.clientSecret }),
          base64(clientCredentials(oauth2)),
        ]
      : []),
    ...(clientCertificate ? [clientCertificate.key] : []),
  ];
  return inOrder(sentForms(plain));
}

function secretsOfRequest({
  url,
  headers = {},
  body,
}: Pick<HttpConfig, "url" | "headers" | "body">): string[] {
  const values = Object.entries(headers).flatMap(([name, value]) =>
    PUBLIC.has(name.toLowerCase()) ? [] : [value, ...partsOf(value)],
  );
  const ofUrl = url === undefined ? "" : new URL(url).password;
  return [...values, ofUrl, ...(body === undefined ? [] : [body, ...valuesIn(body)])];
}

function ofSignIn({ user = "", password = "" }: { user?: string; password?: string }): string[] {
  const credentials = `${user}:${password}`;
  return [credentials, base64(credentials), password];
}

function sentForms(values: readonly string[]): string[] {
  return values.filter(isLong).flatMap(formsOf).filter(isLong);
}

function inOrder(secrets: string[]): string[] {
  return [...new Set(secrets)].sort((one, other) => other.length - one.length);
}

function isLong(text: string): boolean {
  return text.length >= SHORTEST;
}

/** The words of a header, and the values of its pairs, for example in a cookie. */
function partsOf(value: string): string[] {
  return value.split(/[\s;,]+/).flatMap((part) => {
    const at = part.indexOf("=");
    return at < 0 ? [part] : [part, part.slice(at + 1).replace(/^"(.*)"$/, "$1")];
  });
}

/** The values of a body of JSON or of a form: a server may repeat one without the others. */
function valuesIn(body: string): string[] {
  return (textsIn(body) ?? [...new URLSearchParams(body).values()]).filter(
    (value) => value.length >= SHORTEST_IN_BODY,
  );
}

/** @returns undefined if the body is no JSON */
function textsIn(body: string): string[] | undefined {
  const texts: string[] = [];
  try {
    JSON.parse(body, (_, value) => {
      if (typeof value === "string") texts.push(value);
      return value;
    });
    return texts;
  } catch {
    return undefined;
  }
}

/** A secret as servers write it: in Base64, in a URL, in JSON, in HTML, and on one line. */
function formsOf(secret: string): string[] {
  const encoded = base64(secret);
  const json = JSON.stringify(secret).slice(1, -1);
  const ascii = json.replaceAll(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  const plain = oneLine(secret);
  return [
    secret,
    plain,
    encoded,
    encoded.replace(/=+$/, ""),
    encoded.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, ""),
    escaped(secret),
    escaped(plain),
    json,
    ascii,
    ...inMarkup(plain),
  ];
}

/** In a URL. Half of a surrogate pair has no form there. */
function escaped(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

function inMarkup(text: string): string[] {
  const basic = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const quoted = basic.replaceAll('"', "&quot;");
  return [basic, quoted, quoted.replaceAll("'", "&#39;"), quoted.replaceAll("'", "&#x27;")];
}

function base64(text: string): string {
  return new TextEncoder().encode(text).toBase64();
}
