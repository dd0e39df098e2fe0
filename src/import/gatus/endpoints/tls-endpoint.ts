import { INVERTED, isAboutFailure, readConditions, warnDaysOf } from "../conditions/conditions.ts";
import { isUnreachable } from "./client-settings.ts";
import { type Endpoint, hostAndPort, type Mapped, type Refusal } from "./endpoint.ts";

/** A TLS monitor (behavior 16.113). */
export function mapTls(endpoint: Endpoint): Mapped | Refusal {
  const { url, env, interval, leave } = endpoint;
  const target = hostAndPort(url.replace(/^tls:\/\//, ""), env);
  if (!target) return { refusal: "its URL is not of the form tls://HOST:PORT" };
  let isInverted = false;
  let warnDays: number | undefined;
  const left = readConditions(endpoint.conditions, (condition) => {
    const { name } = condition.operand;
    if (name === "CONNECTED") {
      isInverted ||= isAboutFailure(condition, env);
      return undefined;
    }
    const days = name === "CERTIFICATE_EXPIRATION" ? warnDaysOf(condition, env) : undefined;
    warnDays = days ?? warnDays;
    return days === undefined
      ? "a TLS monitor expects only a shortest lifetime of the certificate"
      : undefined;
  });
  if (isInverted) return { refusal: INVERTED };
  for (const { condition, why } of left) leave(`condition ${condition}`, why);
  if (endpoint.body !== "") leave("body", "a TLS monitor sends nothing after the handshake");
  const config = { ...target, interval, ...(warnDays !== undefined && { warnDays }) };
  return { type: "TLS", config, isPaused: isUnreachable(endpoint) };
}
