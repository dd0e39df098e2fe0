import {
  answeredBy,
  asFaultOfProxy,
  credentialsOf,
  gatewayError,
  type ProxyServer,
} from "../connections/proxy.ts";
import type { AnswerReader } from "./answer-reader.ts";
import type { Headers } from "./response-parser.ts";

/** A request in the form for a proxy that forwards it (RFC 9112, 3.2.2), which must not answer from its cache. */
export function forwardedText(text: string, { origin }: URL, proxy: ProxyServer): string {
  const end = text.indexOf("\r\n");
  const line = text.slice(0, end).replace(" ", () => ` ${origin}`);
  const head = text.slice(end, text.indexOf("\r\n\r\n"));
  const fresh = /\r\ncache-control:/i.test(head) ? [] : ["Cache-Control: no-cache"];
  return [line, ...credentialsOf(proxy), ...fresh].join("\r\n") + text.slice(end);
}

/**
 * The status of a forwarded answer, if it is one of the server (behavior 26.24).
 *
 * @param isJudged whether the config says which status is expected: then a gateway error is judged like any other status
 * @throws AccessError `proxy_failed` @throws ProbeError `unreachable` or `timeout` if the proxy can't reach the server
 */
export async function forwardedStatus(
  reader: AnswerReader,
  proxy: ProxyServer,
  isJudged: boolean,
): Promise<number> {
  const statusCode = await reader.statusCode().catch(asFaultOfProxy("HTTP"));
  if (statusCode === 407) throw answeredBy(statusCode, proxy);
  const failure = isJudged ? undefined : gatewayError(statusCode);
  if (statusCode !== 403 && !failure) return statusCode;
  const { headers } = await reader.head();
  if (isOfServer(headers)) return statusCode;
  throw failure ?? answeredBy(statusCode, proxy);
}

/** A proxy that forwards an answer adds `Via` (RFC 9110, 7.6.3). Squid adds it to its own errors too, and marks these. */
function isOfServer(headers: Headers): boolean {
  const has = (wanted: string) => headers.some(([name]) => name.toLowerCase() === wanted);
  return has("via") && !has("x-squid-error") && !has("proxy-status");
}
