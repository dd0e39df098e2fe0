import type { MonitorConfig } from "../monitors/monitor.ts";

/** In place of a secret. */
const HIDDEN = "•••";

/** Shorter values, such as `1`, are no secrets, and would hide other texts. */
const SHORTEST = 4;

/** Headers with well-known values, which an answer often repeats. */
const PUBLIC = new Set([
  "accept",
  "accept-encoding",
  "accept-language",
  "content-type",
  "host",
  "user-agent",
]);

/** Replaces the secrets of a config in a text of a server, which may repeat what was sent to it: also as they are sent, in Base64. */
export function withoutSecrets(text: string, config: MonitorConfig): string {
  return secretsOf(config).reduce((shown, secret) => shown.replaceAll(secret, HIDDEN), text);
}

/** The longest first, because one secret may contain another. */
function secretsOf(config: MonitorConfig): string[] {
  if (!("url" in config)) return [];
  const { headers = {}, basicAuth, body } = config;
  const values = Object.entries(headers).flatMap(([name, value]) =>
    PUBLIC.has(name.toLowerCase()) ? [] : [value, ...value.split(/\s+/)],
  );
  const credentials = basicAuth && `${basicAuth.user}:${basicAuth.password}`;
  const ofSignIn = credentials && basicAuth ? [credentials, base64(credentials), basicAuth.password] : [];
  const ofUrl = new URL(config.url).password;
  const plain = [...values, ...ofSignIn, ofUrl, body ?? ""].filter((one) => one.length >= SHORTEST);
  const sent = plain.flatMap((one) => [
    one,
    base64(one),
    encodeURIComponent(one),
    JSON.stringify(one).slice(1, -1),
  ]);
  return [...new Set(sent)].sort((one, other) => other.length - one.length);
}

function base64(text: string): string {
  return new TextEncoder().encode(text).toBase64();
}
