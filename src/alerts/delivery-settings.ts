/** Milliseconds for one attempt (decisions 3). */
export const TIMEOUT = 10_000;

/** How receivers are reached. */
export interface Transport {
  /** The addresses of a name that may be connected to. @param timeout milliseconds */
  resolve: (host: string, timeout: number) => Promise<string[]>;
  /** The certificate authorities that are trusted, in PEM; else the system's. */
  ca?: string;
  /** Milliseconds for one attempt, if not `TIMEOUT`. */
  timeout?: number;
}

/** How e-mails are sent. @property url may hold a password */
export interface SmtpConfig {
  url: URL;
  from: string;
}

/** What the operator has set for the alerts. */
export interface DeliverySettings extends Transport {
  /** Where users reach this server, without a slash at its end; known once it listens. */
  baseUrl: () => string;
  smtp?: SmtpConfig | undefined;
  /** The addresses of a host that the operator has set: private ones are never refused. */
  resolveOwn?: Transport["resolve"];
}
