import type { IncomingHttpHeaders } from "node:http";
import type { WebhookConfig, WebhookFormat } from "../../domain/alerts/webhook-format.ts";
import type { Notification } from "../notification.ts";

/** What one message is for a service. @property headers besides those of the channel, which replace them */
export interface ServiceRequest {
  method: "POST" | "PUT" | "GET";
  url: string;
  headers: Record<string, string>;
  body?: string;
}

/** The answer to a request that failed. @property body the parsed JSON; an empty object for anything else */
export interface FailureAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
  /** Time of the answer, milliseconds since 1970. */
  now: number;
}

/** Whether a failed delivery is retried. */
type Meaning = "final" | "temporary";

/** What the failures of a service mean, if not what behavior 5.16 says. */
export interface Failures {
  statuses?: Partial<Record<number, Meaning>>;
  /** What the service says in its own way. */
  explain?: (answer: FailureAnswer) => Explanation;
}

/**
 * @property word our own word, or a word of the service from a fixed list: an outcome contains nothing else of an answer
 * @property retryAfterMs the delay that the service asked for
 */
export interface Explanation {
  word?: string | undefined;
  meaning?: Meaning | undefined;
  retryAfterMs?: number | undefined;
}

/** How one service gets notifications (behavior 16.145). */
export interface Format<F extends WebhookFormat> {
  /** Pure. @param baseUrl of the page, without a trailing slash */
  request(config: WebhookConfig<F>, notification: Notification, baseUrl: string): ServiceRequest;
  failures?: Failures;
  /** The config for one more request at once, if the service says that the receiver has another address now. */
  moved?(config: WebhookConfig<F>, answer: FailureAnswer): WebhookConfig<F> | undefined;
}
