import type { HttpConfig } from "../../domain/monitors/kinds/http.ts";
import type { Connection } from "../connections/connection.ts";
import { dial, dialTls, type Target } from "../connections/dial.ts";
import type { ClientCertificate } from "../connections/handshake.ts";
import type { ProxyServer } from "../connections/proxy.ts";
import type { IpFamily } from "../dns/resolve.ts";
import type { ProbeContext } from "../observe.ts";
import type { AnswerReader } from "./answer-reader.ts";
import { isTrustedUrl, targetOf } from "./request.ts";

/** The fields of a config that say how its servers are connected to. */
export type Access = Pick<
  HttpConfig,
  "url" | "steps" | "ipFamily" | "verifyTls" | "redirects" | "clientCertificate" | "proxy"
>;

/**
 * Opens a connection to the server of a URL, as the config says: through its proxy, and with its client certificate if the URL
 * has the origin that gets it. A request on it is written as `requestOn` says.
 *
 * @param address at which an earlier request of the check was answered: of the proxy, if there is one
 * @throws AccessError `proxy_failed`; otherwise like `dial`
 */
export function openTo(
  url: URL,
  config: Access,
  context: ProbeContext,
  address?: string,
): Promise<Connection> {
  const { ipFamily: family, redirects = 0, verifyTls: verify = true, proxy, clientCertificate } = config;
  const { target, secure } = targetOf(url);
  const client = clientCertificate && isTrustedUrl(url, config) ? clientCertificate : undefined;
  const tls = secure ? { verify, client } : undefined;
  if (proxy) return openThrough({ proxy, family, address }, { url, target, tls }, context);
  const isOneOfSeveral = redirects > 0 || config.steps !== undefined;
  const dialed = { ...target, address, family, isOneOfSeveral };
  return tls ? dialTls(dialed, context, tls) : dial(dialed, context);
}

interface Asked {
  url: URL;
  target: Target;
  tls: { verify: boolean; client: ClientCertificate | undefined } | undefined;
}

/** The code of proxies is loaded at the first use, because most servers use none. */
async function openThrough(
  through: { proxy: ProxyServer; family: IpFamily | undefined; address: string | undefined },
  { url, target, tls }: Asked,
  context: ProbeContext,
): Promise<Connection> {
  const { dialProxy, dialThrough } = await import("../connections/proxy.ts");
  if (isForwarded(url, through)) return await dialProxy(through, context);
  return await dialThrough(through, target, context, tls);
}

/** Whether a proxy reads the request itself, and forwards it: over HTTP, and without TLS. */
function isForwarded({ protocol }: URL, { proxy }: Pick<Access, "proxy">): boolean {
  return protocol === "http:" && proxy?.url.startsWith("http:") === true;
}

/** A request as the connection of `openTo` takes it. @param text with its path in the first line */
export function requestOn(url: URL, config: Access, text: string): string | Promise<string> {
  if (!config.proxy || !isForwarded(url, config)) return text;
  const { proxy } = config;
  return import("./forwarded.ts").then(({ forwardedText }) => forwardedText(text, url, proxy));
}

/**
 * The status of an answer on the connection of `openTo`.
 *
 * @throws AccessError `proxy_failed` if a proxy answered in place of the server
 */
export function statusOn(
  url: URL,
  config: Access & { expect?: object | undefined },
  reader: AnswerReader,
): Promise<number> {
  if (!config.proxy || !isForwarded(url, config)) return reader.statusCode();
  const { proxy, expect } = config;
  const isJudged = expect !== undefined;
  return import("./forwarded.ts").then(({ forwardedStatus }) => forwardedStatus(reader, proxy, isJudged));
}
