import { literal } from "../domain/configuration/placeholder.ts";
import { parseConfig } from "../domain/monitors/monitor.ts";
import { timeoutField } from "./check-fields.ts";
import { faultIn } from "./checked.ts";
import { addressOf, bodyField, headersOf, MAX_REDIRECTS, METHODS } from "./http-fields.ts";
import type { ReportOmission } from "./imported.ts";
import { type Secrets, writeMonitorConfig } from "./output-config.ts";

/** A request of another product, and what its answer must be. Nothing in it is a placeholder yet. */
export interface GivenRequest {
  url: string;
  method: string;
  headers: (readonly [name: string, value: string])[];
  body: string;
  /** For Basic authentication. @property password undefined if the product does not say it */
  user?: { name: string; password: string | undefined } | undefined;
  /** Whether the user signs in by Digest. */
  isDigest?: boolean | undefined;
  /** Seconds, as they are here. */
  interval: number;
  timeout: number;
  followsRedirects: boolean;
  verifiesTls: boolean;
  /** Days before the end of the certificate. */
  expiryWarning?: number | undefined;
  ipFamily?: 4 | 6 | undefined;
  expect: Record<string, unknown>;
}

export interface Surroundings {
  /** The ref of the monitor. */
  ref: string;
  secrets: Secrets;
  omit: ReportOmission;
}

/** Why a monitor is left out. @property type if stillup has no monitors of that type */
export interface Refusal {
  refusal: string;
  type?: string;
}

/** The config of an HTTP monitor as it is written in a document. */
export function requestConfig(
  given: GivenRequest,
  { ref, secrets, omit }: Surroundings,
): Record<string, unknown> | Refusal {
  const { interval, timeout } = given;
  const method = given.method.toUpperCase();
  if (!METHODS.includes(method)) return { refusal: `stillup does not send ${method.slice(0, 40)}` };
  const { url, user = given.user } = addressOf(given.url);
  const signIn = given.isDigest ? "digestAuth" : "basicAuth";
  const isSecure = /^https:/i.test(url);
  const headers = headersOf(given.headers, {
    ...{ hasBasicAuth: user !== undefined, omit },
    write: (value) => value,
  });
  const config: Record<string, unknown> = {
    ...{ url, interval },
    ...(method !== "GET" && { method }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...bodyField(given.body, method, omit),
    ...(user && { [signIn]: { user: user.name, password: user.password ?? "" } }),
    ...timeoutField({ timeout, interval }),
    ...(given.followsRedirects && { redirects: MAX_REDIRECTS }),
    ...(isSecure && !given.verifiesTls && { verifyTls: false }),
    ...(isSecure && given.expiryWarning !== undefined && { expiryWarning: given.expiryWarning }),
    ...(given.ipFamily && { ipFamily: given.ipFamily }),
    expect: given.expect,
  };
  if (user?.password !== undefined || !user)
    return writeMonitorConfig(config, { type: "HTTP", ref, secrets });
  // An entry with a placeholder is not judged later.
  const fault = faultIn(() => parseConfig("HTTP", config, "enterprise"));
  if (fault !== undefined) return { refusal: fault };
  const { [signIn]: _, ...others } = config;
  return {
    ...writeMonitorConfig(others, { type: "HTTP", ref, secrets }),
    [signIn]: { user: literal(user.name), password: secrets.unknown("HTTP", ref, "password") },
  };
}
