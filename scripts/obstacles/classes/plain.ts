import { ACTIVE, type Change, type Monitor, PRESENT, type Truth, UP } from "../scenario.ts";
import { all, resolvesTo, serves } from "../world/changes.ts";
import { http, OK } from "../world/http.ts";
import type { Spot } from "../world/spot.ts";
import { tls } from "../world/tls.ts";

/** Seconds. */
export const INTERVAL = 2;
/** The timeout of targets that do not answer, so that they are known within an interval and a second. */
export const TIMEOUT = 1;

type Fields = Record<string, unknown>;
interface More {
  confirmations?: number;
  recoveries?: number;
}
type Create = (spot: Spot) => Monitor;

/** An HTTP monitor of the address of the place. @param config further fields of it */
export function httpMonitor(config: Fields = {}, more: More = {}): Create {
  return (spot) => withHttp(`http://${spot.address()}:${spot.port}/`, config, more);
}

export function httpByName(config: Fields = {}, more: More = {}): Create {
  return ({ port, host }) => withHttp(`http://${host}:${port}/`, config, more);
}

/** By name, because a certificate has a name. */
export function httpsMonitor(config: Fields = {}, more: More = {}): Create {
  return ({ port, host }) => withHttp(`https://${host}:${port}/`, config, more);
}

function withHttp(url: string, config: Fields, more: More): Monitor {
  return { type: "HTTP", config: { url, interval: INTERVAL, timeout: TIMEOUT, ...config }, ...more };
}

export function tcpMonitor(config: Fields = {}, more: More = {}): Create {
  return (spot) => ({
    type: "TCP",
    config: { host: spot.address(), port: spot.port, interval: INTERVAL, timeout: TIMEOUT, ...config },
    ...more,
  });
}

/** A TLS or DNS monitor has no timeout of its own: it is the interval. */
export function tlsMonitor(config: Fields = {}, more: More = {}): Create {
  return ({ host, port }) => ({
    type: "TLS",
    config: { host, port, interval: TIMEOUT, ...config },
    ...more,
  });
}

export function dnsMonitor(config: Fields = {}, more: More = {}): Create {
  return ({ host }) => ({ type: "DNS", config: { hostname: host, interval: TIMEOUT, ...config }, ...more });
}

type State = readonly [Change, Truth];

export const GOOD_HTTP: State = [serves(http(OK)), UP];
export const GOOD_HTTPS: State = [all(resolvesTo(1), serves(tls("valid"))), UP];
export const GOOD_TLS: State = [GOOD_HTTPS[0], ACTIVE];
export const GOOD_TCP: State = [serves(() => () => {}), UP];
export const GOOD_DNS: State = [resolvesTo(1), PRESENT];
/** An HTTP server that is known by name. */
export const GOOD_NAME: State = [all(resolvesTo(1), serves(http(OK))), UP];
