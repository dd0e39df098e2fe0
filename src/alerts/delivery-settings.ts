import type { Clock } from "../clock.ts";

/** Milliseconds for one attempt (behavior 5.14). */
export const TIMEOUT = 10_000;

/** How to connect to receivers. */
export interface Transport {
  clock: Clock;
  /** Finds the allowed addresses of a host. @param timeout milliseconds */
  resolve: (host: string, timeout: number) => string[] | Promise<string[]>;
  /** The trusted certificate authorities, in PEM. Default: the authorities of the system. */
  ca?: string;
  /** Milliseconds for one attempt. Default: `TIMEOUT`. */
  timeout?: number;
}

/** The mail server of the operator. @property url may contain a password */
export interface SmtpConfig {
  url: URL;
  from: string;
}

/** The settings of the operator for alerts. */
export interface DeliverySettings extends Transport {
  /** The URL of this server for users, without a trailing slash. It is known only after the server listens. */
  baseUrl: () => string;
  smtp?: SmtpConfig | undefined;
  /** Writes the header `Authorization` of a request to a push service (RFC 8292). */
  authorizePush?: (endpoint: string) => Promise<string>;
  /** Like `resolve`, for a host from the settings of the operator: private addresses are allowed (behavior 1.22). */
  resolveOwn?: Transport["resolve"];
}
