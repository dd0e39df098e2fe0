import { hostAndPort, TIMEOUT, timeoutField } from "../../check-fields.ts";
import { type Environment, resolved } from "../../output-config.ts";
import {
  type Comparison,
  isOpenEnded,
  readConditions,
  textsBetweenStars,
  type Wanted,
  WITHOUT_BODY,
  WITHOUT_HTTP,
  warnDaysOf,
} from "../conditions/conditions.ts";
import { holds } from "../conditions/evaluation.ts";
import { booleanIn } from "../variables.ts";
import { type Endpoint, isUnreachable, type Mapped, type Refusal } from "./endpoint.ts";

/** A TCP monitor (behavior 16.113). */
export function mapTcp(endpoint: Endpoint): Mapped | Refusal {
  const target = hostAndPort(endpoint.url.replace(/^tcp:\/\//, ""), endpoint.env);
  if (target?.port === undefined) return { refusal: "its URL is not of the form tcp://HOST:PORT" };
  let contains: string | undefined;
  const { omitted, refusal } = readConditions(endpoint.conditions, {
    ...{ env: endpoint.env, healthy: WITHOUT_HTTP },
    read: (condition) => {
      const { operand, operator, wanted } = condition;
      if (isAlwaysTrue(condition, endpoint.env)) return undefined;
      if (operand.name !== "BODY" || operand.path !== "" || operand.wrapper || operator !== "==")
        return "a TCP monitor expects only a text that the server sends";
      const text = textIn(wanted);
      if (text === undefined || contains !== undefined)
        return "a TCP monitor expects one text that the server sends";
      contains = text;
      return wanted.kind === "pattern" && isOpenEnded(wanted.pattern)
        ? undefined
        : `stillup expects only that the server sends ${JSON.stringify(text)}`;
    },
  });
  if (refusal !== undefined) return { refusal };
  for (const { condition, why } of omitted) endpoint.omit(`condition ${condition}`, why);
  const exchange = { ...(endpoint.body !== "" && { send: endpoint.body }), ...(contains && { contains }) };
  const config = { ...target, interval: endpoint.interval, ...exchange, ...timeoutField(endpoint) };
  return { type: "TCP", config, isPaused: isUnreachable(endpoint) };
}

/** Every connection is one, without a status code. */
function isAlwaysTrue(condition: Comparison, env: Environment): boolean {
  const { name } = condition.operand;
  return (
    (name === "CONNECTED" && holds(condition, "true", env)) ||
    (name === "STATUS" && holds(condition, "0", env))
  );
}

function isPositive(value: string): boolean {
  return Number(value) > 0;
}

function textIn(wanted: Wanted): string | undefined {
  const texts =
    wanted.kind === "pattern"
      ? textsBetweenStars(wanted.pattern)
      : [wanted.kind === "text" ? wanted.text : ""];
  return texts?.length === 1 && texts[0] !== "" ? texts[0] : undefined;
}

/** A TLS monitor, for `tls` and `starttls` (behavior 16.113). */
export function mapTls(endpoint: Endpoint): Mapped | Refusal {
  const { url, env, interval, omit } = endpoint;
  const [scheme = ""] = /^[a-z]+/.exec(resolved(url, env)) ?? [];
  const isMail = scheme === "starttls";
  const target = hostAndPort(url.replace(/^(tls|starttls):\/\//, ""), env);
  if (!target || (isMail && target.port === undefined))
    return { refusal: `its URL is not of the form ${scheme}://HOST:PORT` };
  let warnDays: number | undefined;
  let registrationDays: number | undefined;
  const { omitted, refusal } = readConditions(endpoint.conditions, {
    ...{ env, healthy: { ...(isMail ? WITHOUT_BODY : WITHOUT_HTTP), CERTIFICATE_EXPIRATION: isPositive } },
    read: (condition) => {
      const { name } = condition.operand;
      if (isAlwaysTrue(condition, env)) return undefined;
      const isDomain = name === "DOMAIN_EXPIRATION";
      const warning = isDomain || name === "CERTIFICATE_EXPIRATION" ? warnDaysOf(condition, env) : undefined;
      if (!warning)
        return "a TLS monitor expects only a shortest time until the certificate or the domain expires";
      if (isDomain) registrationDays = Math.max(warning.days, registrationDays ?? 0);
      else warnDays = Math.max(warning.days, warnDays ?? 0);
      return warning.why;
    },
  });
  if (refusal !== undefined) return { refusal };
  for (const { condition, why } of omitted) omit(`condition ${condition}`, why);
  if (endpoint.body !== "") omit("body", "a TLS monitor sends nothing after the handshake");
  const { timeout } = timeoutField(endpoint);
  if (timeout !== undefined)
    omit(
      "client.timeout",
      `it is ${timeout} s; a TLS monitor has none of its own: it is ${Math.min(TIMEOUT, interval)} s here`,
    );
  if (booleanIn(endpoint.client.insecure, env) === true)
    omit("client.insecure", "a TLS monitor always verifies the certificate");
  const config = {
    ...{ ...target, interval },
    // Gatus speaks STARTTLS with mail servers only.
    ...(isMail && { protocol: "smtp" }),
    ...(warnDays !== undefined && { warnDays }),
    ...(registrationDays !== undefined && { registration: { warnDays: registrationDays } }),
  };
  return { type: "TLS", config, isPaused: isUnreachable(endpoint) };
}
