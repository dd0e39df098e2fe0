import { recordOf, textOf } from "../../untyped.ts";
import {
  INVERTED,
  isAboutFailure,
  isOpenEnded,
  readConditions,
  textsBetweenStars,
  type Wanted,
  warnDaysOf,
} from "../conditions/conditions.ts";
import {
  type Endpoint,
  hostAndPort,
  isUnreachable,
  type Mapped,
  type Refusal,
  timeoutField,
} from "./endpoint.ts";

/** A TCP monitor (behavior 16.113). */
export function mapTcp(endpoint: Endpoint): Mapped | Refusal {
  const target = hostAndPort(endpoint.url.replace(/^tcp:\/\//, ""), endpoint.env);
  if (target?.port === undefined) return { refusal: "its URL is not of the form tcp://HOST:PORT" };
  let isInverted = false;
  let contains: string | undefined;
  const omitted = readConditions(endpoint.conditions, (condition) => {
    const { operand, operator, wanted } = condition;
    if (operand.name === "CONNECTED") {
      isInverted ||= isAboutFailure(condition, endpoint.env);
      return undefined;
    }
    if (operand.name !== "BODY" || operand.path !== "" || operand.wrapper || operator !== "==")
      return "a TCP monitor expects only a text that the server sends";
    const text = textIn(wanted);
    if (text === undefined || contains !== undefined)
      return "a TCP monitor expects one text that the server sends";
    contains = text;
    return wanted.kind === "pattern" && isOpenEnded(wanted.pattern)
      ? undefined
      : `stillup expects only that the server sends ${JSON.stringify(text)}`;
  });
  if (isInverted) return { refusal: INVERTED };
  for (const { condition, why } of omitted) endpoint.omit(`condition ${condition}`, why);
  const exchange = { ...(endpoint.body !== "" && { send: endpoint.body }), ...(contains && { contains }) };
  const config = { ...target, interval: endpoint.interval, ...exchange, ...timeoutField(endpoint) };
  return { type: "TCP", config, isPaused: isUnreachable(endpoint) };
}

function textIn(wanted: Wanted): string | undefined {
  const texts =
    wanted.kind === "pattern"
      ? textsBetweenStars(wanted.pattern)
      : [wanted.kind === "text" ? wanted.text : ""];
  return texts?.length === 1 && texts[0] !== "" ? texts[0] : undefined;
}

const SSH_PORT = 22;

/** Without a user, Gatus only waits for the first text of an SSH server. */
export function mapSsh(endpoint: Endpoint): Mapped | Refusal {
  const { url, env, interval, fields } = endpoint;
  if (Object.values(recordOf(fields.ssh)).some((value) => textOf(value) !== undefined))
    return { refusal: "stillup does not sign in by SSH" };
  const target = hostAndPort(url.replace(/^ssh:\/\//, ""), env);
  if (!target) return { refusal: "its URL is not of the form ssh://HOST:PORT" };
  const config = {
    host: target.host,
    port: target.port ?? SSH_PORT,
    interval,
    contains: "SSH-",
    ...timeoutField(endpoint),
  };
  const omitted = readConditions(endpoint.conditions, ({ operand: { name } }) =>
    name === "CONNECTED" || name === "STATUS" ? undefined : "stillup expects only that an SSH server answers",
  );
  for (const { condition, why } of omitted) endpoint.omit(`condition ${condition}`, why);
  return { type: "TCP", config, isPaused: isUnreachable(endpoint) };
}

/** A TLS monitor (behavior 16.113). */
export function mapTls(endpoint: Endpoint): Mapped | Refusal {
  const { url, env, interval, omit } = endpoint;
  const target = hostAndPort(url.replace(/^tls:\/\//, ""), env);
  if (!target) return { refusal: "its URL is not of the form tls://HOST:PORT" };
  let isInverted = false;
  let warnDays: number | undefined;
  const omitted = readConditions(endpoint.conditions, (condition) => {
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
  for (const { condition, why } of omitted) omit(`condition ${condition}`, why);
  if (endpoint.body !== "") omit("body", "a TLS monitor sends nothing after the handshake");
  const config = { ...target, interval, ...(warnDays !== undefined && { warnDays }) };
  return { type: "TLS", config, isPaused: isUnreachable(endpoint) };
}
