import { AppError } from "../../errors.ts";
import { checkTimeout } from "../checks/check-slot.ts";
import { assertExpectations } from "../checks/expectation-rules.ts";
import { isIPv4, isIPv6 } from "../network/ip-address.ts";
import { assertRequestHeaders } from "./header-rules.ts";
import type { HttpConfig } from "./http-config.ts";

/* Rules of a config that concern several fields, or that a schema cannot express. */

/** Behavior 10.1 to 10.6. */
export function assertHttpConfig(config: HttpConfig): void {
  const { headers = {}, expect, method = "GET" } = config;
  assertUrl(config);
  assertTimeout(config);
  assertRequestHeaders(headers, "config.headers");
  assertNoSecondAuthorization(config);
  if (config.body !== undefined && (method === "GET" || method === "HEAD")) {
    throw new AppError(
      "invalid",
      `config.body must be left out with ${method}: set config.method, such as POST`,
    );
  }
  if (expect) assertExpectations(expect, { at: "config.expect", method, timeout: checkTimeout(config) });
}

/** Behavior 10.6. */
export function assertTimeout({ interval, timeout }: { interval: number; timeout?: number }): void {
  if (timeout === undefined || timeout <= interval) return;
  throw new AppError(
    "invalid",
    `config.timeout must be at most config.interval, ${interval} s, got ${timeout}`,
  );
}

/** A URL can have port 0, to which nothing can connect, and an IP address of the other family (behavior 10.10). */
function assertUrl({ url, ipFamily }: HttpConfig): void {
  const { hostname, port } = new URL(url);
  if (port === "0") throw new AppError("invalid", "config.url must have a port from 1 to 65535, got 0");
  const isOther = ipFamily === 4 ? isIPv6(hostname.replace(/^\[|\]$/g, "")) : isIPv4(hostname);
  if (ipFamily !== undefined && isOther) {
    const family = `an address of IPv${ipFamily}`;
    throw new AppError(
      "invalid",
      `config.ipFamily must fit the IP address in config.url, which is not ${family}`,
    );
  }
}

function assertNoSecondAuthorization({ headers = {}, basicAuth }: HttpConfig): void {
  if (basicAuth && Object.keys(headers).some((name) => name.toLowerCase() === "authorization")) {
    throw new AppError("invalid", "config.basicAuth must be left out if config.headers has Authorization");
  }
}
