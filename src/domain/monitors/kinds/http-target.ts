import type { HttpConfig } from "./http.ts";

/* Parts of a config for code that loads no schemas, such as a probe thread. */

/** Whether a config is one of an HTTP monitor: it has a URL, or steps with URLs. */
export function isHttpConfig(config: object): config is HttpConfig {
  return "url" in config || "steps" in config;
}

/** The URL of the first request of a check. */
export function firstUrlOf({ url, steps }: Pick<HttpConfig, "url" | "steps">): string {
  return url ?? steps?.[0]?.url ?? "";
}

/** The credentials of a client as Basic authentication sends them: encoded as in a form before they are joined (RFC 6749, 2.3.1). */
export function clientCredentials({ clientId, clientSecret }: NonNullable<HttpConfig["oauth2"]>): string {
  const encoded = (text: string) => new URLSearchParams({ "": text }).toString().slice(1);
  return `${encoded(clientId)}:${encoded(clientSecret)}`;
}

/** How messages and results name a step. @param at its place, from 0 */
export function nameOfStep({ name }: { name?: string }, at: number): string {
  return name?.trim() ?? `step ${at + 1}`;
}
