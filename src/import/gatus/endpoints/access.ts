import { literal } from "../../../domain/configuration/placeholder.ts";
import { parseConfig } from "../../../domain/monitors/monitor.ts";
import { assertKeyPair } from "../../../key-pair.ts";
import { faultIn } from "../../checked.ts";
import { decoded, listOf, recordOf, textOf } from "../../imported.ts";
import { type Environment, hasVariable, resolved, resolvedValue, secretText } from "../../output-config.ts";
import { writtenValue } from "../variables.ts";
import type { Endpoint } from "./endpoint.ts";

/** The texts of the files that a configuration names, by path. @property why a file can't be read */
export type Files = ReadonlyMap<string, string | { why: string }>;

/** The paths of the certificates and keys that a configuration names, each once. @param value the YAML of its file */
export function namedFiles(value: unknown, env: Environment): string[] {
  const configuration = recordOf(writtenValue(value));
  const endpoints = [
    ...listOf(configuration.endpoints),
    ...listOf(configuration.suites).flatMap((suite) => listOf(recordOf(suite).endpoints)),
  ];
  return [...new Set(endpoints.flatMap((fields) => pathsOf(recordOf(recordOf(fields).client), env)))];
}

/** Gatus ignores a certificate without a key, and a key without a certificate. @returns none, or both */
function pathsOf(client: Record<string, unknown>, env: Environment): string[] {
  const tls = recordOf(client.tls);
  const paths = ["certificate-file", "private-key-file"].map((name) =>
    resolved(textOf(tls[name]) ?? "", env),
  );
  return paths.includes("") ? [] : paths;
}

/**
 * How a check gets to its server (behavior 16.106). Nothing is a placeholder for a secret yet: texts are as Gatus has them, with its
 * variables.
 */
export interface Access {
  clientCertificate?: { certificate: string; key: string };
  proxy?: { url: string; user?: string; password?: string };
  oauth2?: { tokenUrl: string; clientId: string; clientSecret: string; scope: string };
  basicAuth?: { user: string; password: string };
}

/** The parts of the client that stillup has. Each other part is reported. @returns whether a check could only fail without that */
export function accessOf(endpoint: Endpoint): { access: Access; isPaused: boolean } {
  const parts = [clientCertificateOf(endpoint), proxyOf(endpoint), oauth2Of(endpoint)];
  const access: Access = {};
  let isPaused = false;
  for (const part of parts) {
    const why = "why" in part ? part.why : faultOf(part.access, endpoint);
    if (why === undefined && "access" in part) Object.assign(access, part.access);
    if (why === undefined) continue;
    endpoint.omit(`client.${part.name}`, `${why}: the monitor is paused`);
    isPaused = true;
  }
  return { access, isPaused };
}

type Part = { name: string } & ({ access: Access } | { why: string });

/** Why a server would refuse it. One with a variable that is not set is not judged. */
function faultOf(access: Access, { env }: Endpoint): string | undefined {
  const known = resolvedValue(access, env);
  if (Object.values(known).some((part) => Object.values(part).some((text) => hasVariable(String(text)))))
    return undefined;
  const config = { url: "https://example.com/", interval: 60, ...known };
  return faultIn(() => parseConfig("HTTP", config, "enterprise"));
}

function clientCertificateOf({ client, files, env, omit }: Endpoint): Part {
  const paths = pathsOf(client, env);
  if (paths.length === 0) return { name: "tls", access: {} };
  const renegotiation = textOf(recordOf(client.tls).renegotiation) ?? "never";
  if (renegotiation !== "never")
    omit(
      "client.tls.renegotiation",
      "stillup sends the certificate in the first handshake, and does not repeat it",
    );
  const texts = paths.map((path) => files.get(path) ?? { why: "it was not read" });
  const at = texts.findIndex((text) => typeof text !== "string");
  const [certificate = "", key = ""] = texts.map((text) => (typeof text === "string" ? text : ""));
  const unread = texts[at];
  if (typeof unread === "object") return { name: "tls", why: `${paths[at]}: ${unread.why}` };
  const why = faultIn(() => assertKeyPair({ certificate, key }, "clientCertificate"));
  if (why !== undefined) return { name: "tls", why };
  return {
    name: "tls",
    access: { clientCertificate: { certificate: literal(certificate), key: literal(key) } },
  };
}

function proxyOf({ client, env }: Endpoint): Part {
  const name = "proxy-url";
  const given = textOf(client[name]);
  if (given === undefined) return { name, access: {} };
  const [, scheme, user, password = "", host, port] =
    /^(?:([a-z0-9]+):\/\/)?(?:([^:@/?#]*)(?::([^@/?#]*))?@)?(\[[^\]]+\]|[^:/?#@]+)(?::([^:/?#@]+))?\/?$/i.exec(
      hasVariable(given) && !/^[a-z0-9]+:\/\//i.test(given) ? resolved(given, env) : given,
    ) ?? [];
  const own = SCHEMES[scheme?.toLowerCase() ?? ""];
  if (own === undefined || host === undefined)
    return { name, why: "stillup has proxies of the form http://HOST:PORT and socks5://HOST:PORT" };
  const url = `${own}://${host}:${port ?? PORTS[own]}`;
  return {
    name,
    access: {
      proxy: {
        url,
        ...(user !== undefined && user !== "" && { user: decoded(user), password: decoded(password) }),
      },
    },
  };
}

/** By the scheme of a proxy in Gatus. In Go, a proxy of `socks5` resolves names too. */
const SCHEMES: Record<string, "http" | "socks5"> = { http: "http", socks5: "socks5", socks5h: "socks5" };
const PORTS = { http: 80, socks5: 1080 };

function oauth2Of({ client }: Endpoint): Part {
  const name = "oauth2";
  if (client[name] === undefined || client[name] === null) return { name, access: {} };
  const given = recordOf(client[name]);
  const [tokenUrl, clientId, clientSecret] = ["token-url", "client-id", "client-secret"].map((field) =>
    textOf(given[field]),
  );
  const scope = listOf(given.scopes)
    .map((one) => textOf(one) ?? "")
    .join(" ");
  if (tokenUrl === undefined || clientId === undefined || clientSecret === undefined || scope === "")
    return { name, why: "it needs token-url, client-id, client-secret and scopes" };
  return { name, access: { oauth2: { tokenUrl, clientId, clientSecret, scope } } };
}

/** The fields of a config, with placeholders for the secrets. */
export function writtenAccess(
  { clientCertificate, proxy, oauth2, basicAuth }: Access,
  { ref, secrets }: Endpoint,
): Record<string, unknown> {
  const secret = (text: string, ...parts: string[]) => secretText(text, secrets, ref, ...parts);
  return {
    ...(basicAuth && { basicAuth: { ...basicAuth, password: secret(basicAuth.password, "password") } }),
    ...(clientCertificate && {
      clientCertificate: { ...clientCertificate, key: secret(clientCertificate.key, "key") },
    }),
    ...(proxy && {
      proxy: {
        ...proxy,
        ...(proxy.password !== undefined && { password: secret(proxy.password, "proxy", "password") }),
      },
    }),
    ...(oauth2 && { oauth2: { ...oauth2, clientSecret: secret(oauth2.clientSecret, "clientSecret") } }),
  };
}
