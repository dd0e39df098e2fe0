import { isProtocolHeader } from "../../../domain/monitors/protocol-headers.ts";
import { recordOf, textOf } from "../../untyped.ts";
import { resolved } from "../../variables.ts";
import {
  type Comparison,
  type Healthy,
  readConditions,
  WITHOUT_BODY,
  WITHOUT_HTTP,
} from "../conditions/conditions.ts";
import { holds, INVALID } from "../conditions/evaluation.ts";
import { booleanIn } from "../numbers.ts";
import {
  type Endpoint,
  hostAndPort,
  isUnreachable,
  type Mapped,
  type Refusal,
  timeoutField,
} from "./endpoint.ts";
import { addressOf, headersField } from "./http-endpoint.ts";

/* Endpoints whose counterpart is a monitor with `protocol`, which proves more than a connection (behavior 16.113). */

/** A ping. */
export function mapPing(endpoint: Endpoint): Mapped | Refusal {
  const target = hostAndPort(endpoint.url.replace(/^icmp:\/\//, ""), endpoint.env);
  if (!target || target.port !== undefined) return { refusal: "its URL is not of the form icmp://HOST" };
  const refusal = refusalIn(endpoint, WITHOUT_BODY);
  if (refusal) return refusal;
  const network = resolved(textOf(endpoint.client.network) ?? "ip", endpoint.env);
  if (network !== "ip")
    endpoint.omit("client.network", `it is ${network}; stillup pings what the name resolves to`);
  const config = {
    host: target.host,
    interval: endpoint.interval,
    protocol: "icmp",
    // Gatus sends one ping. By default, one reply of several is enough here.
    count: 1,
    ...timeoutField(endpoint),
  };
  return { type: "TCP", config, isPaused: isUnreachable(endpoint) };
}

const SSH_PORT = 22;

/** Without a user, Gatus only waits for the first text of an SSH server. */
export function mapSsh(endpoint: Endpoint): Mapped | Refusal {
  const { url, env, interval, fields } = endpoint;
  if (Object.values(recordOf(fields.ssh)).some((value) => textOf(value) !== undefined))
    return { refusal: "stillup does not sign in by SSH" };
  const target = hostAndPort(url.replace(/^ssh:\/\//, ""), env);
  if (!target) return { refusal: "its URL is not of the form ssh://HOST:PORT" };
  const refusal = refusalIn(endpoint, WITHOUT_BODY);
  if (refusal) return refusal;
  const { host, port = SSH_PORT } = target;
  const config = { host, port, interval, protocol: "ssh", ...timeoutField(endpoint) };
  return { type: "TCP", config, isPaused: isUnreachable(endpoint) };
}

/** An HTTP monitor that opens a WebSocket. */
export function mapWebSocket(endpoint: Endpoint): Mapped | Refusal {
  if (!/^wss?:\/\//.test(endpoint.url))
    return { refusal: "its URL is a variable: write ws:// or wss:// in the file" };
  const refusal = refusalIn(endpoint, WITHOUT_HTTP);
  if (refusal) return refusal;
  if (endpoint.body !== "") endpoint.omit("body", "stillup sends a ping, and no text");
  const { url, basicAuth } = addressOf({ ...endpoint, url: endpoint.url.replace(/^ws/, "http") });
  const config = {
    ...{ url, interval: endpoint.interval, protocol: "websocket" },
    ...headersField(endpoint, basicAuth !== undefined, (name) => isProtocolHeader(name, "websocket")),
    ...(basicAuth && { basicAuth }),
    ...timeoutField(endpoint),
    ...verifyTlsField(endpoint),
  };
  return { type: "HTTP", config, isPaused: isUnreachable(endpoint) };
}

/** An HTTP monitor that asks for the health of a gRPC server. */
export function mapGrpc(endpoint: Endpoint): Mapped | Refusal {
  const [, secure, authority] = /^grpc(s?):\/\/([^/?#@]+)\/?$/.exec(endpoint.url) ?? [];
  if (authority === undefined) return { refusal: "its URL is not of the form grpc://HOST:PORT" };
  const refusal = refusalIn(endpoint, SERVING);
  if (refusal) return refusal;
  if (endpoint.body !== "") endpoint.omit("body", "stillup asks for the health of the whole server");
  const config = {
    ...{ url: `http${secure}://${authority}`, interval: endpoint.interval, protocol: "grpc" },
    ...headersField(endpoint, false, (name) => isProtocolHeader(name, "grpc")),
    ...timeoutField(endpoint),
    ...verifyTlsField(endpoint),
  };
  return { type: "HTTP", config, isPaused: isUnreachable(endpoint) };
}

/** Gatus writes the health as JSON, and shows it as a word in its documentation. */
const SERVING: Healthy = {
  ...{ ...WITHOUT_HTTP, BODY: (value) => value === "SERVING" || value === '{"status":"SERVING"}' },
  valueAt: (path) => (path === ".status" ? "SERVING" : INVALID),
};

/** The value of a placeholder in every answer of a healthy monitor. */
function onlyValue({ operand, operator }: Comparison, healthy: Healthy): string | undefined {
  const { name, path } = operand;
  if (path !== "") return healthy.valueAt?.(path);
  // An equality means one of the two forms, and is never met by the other form.
  if (name === "BODY" && healthy === SERVING) return operator === "==" ? "SERVING" : undefined;
  return ["true", "0"].find((value) => healthy[name]?.(value));
}

/** Reports the conditions that do not hold for every answer of a healthy monitor. */
function refusalIn({ conditions, env, omit }: Endpoint, healthy: Healthy): Refusal | undefined {
  const { omitted, refusal } = readConditions(conditions, {
    ...{ env, healthy },
    read: (condition) => {
      const value = onlyValue(condition, healthy);
      return value !== undefined && holds(condition, value, env)
        ? undefined
        : "stillup expects only that the server answers, in this protocol";
    },
  });
  if (refusal !== undefined) return { refusal };
  for (const { condition, why } of omitted) omit(`condition ${condition}`, why);
  return undefined;
}

function verifyTlsField({ client, env }: Endpoint): { verifyTls?: false } {
  return booleanIn(client.insecure, env) === true ? { verifyTls: false } : {};
}
