import type { WebhookConfig, WebhookFormat } from "../../domain/alerts/webhook-format.ts";
import type { Notification } from "../alert-message.ts";
import type { DeliverySettings } from "../delivery-settings.ts";
import type { OutgoingRequest, SealedRequest } from "../http-request.ts";
import type { Refusal } from "../post.ts";

/** The answer to a request that failed. @property body the parsed JSON; an empty object for anything else */
export type FailureAnswer = Omit<Refusal, "text"> & { body: Record<string, unknown> };

/** Whether a failed delivery is retried. */
type Meaning = "final" | "temporary";

/** The meaning of failures that differs from behavior 5.16. */
export interface Failures {
  statuses?: Partial<Record<number, Meaning>>;
  /** Statuses with which the receiver says that it will never exist again (behavior 21.56). */
  gone?: readonly number[];
  /** Reads the service's own form of an answer. */
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
  /** Pure; headers of the channel replace the headers of the request. @param baseUrl of the page, without a trailing slash */
  request(config: WebhookConfig<F>, notification: Notification, baseUrl: string): OutgoingRequest;
  /** Encrypts and signs a request, if the service wants that. */
  seal?(
    request: OutgoingRequest,
    config: WebhookConfig<F>,
    settings: DeliverySettings,
  ): Promise<SealedRequest>;
  failures?: Failures;
  /** The config for one more request at once, if the service says that the receiver has another address now. */
  moved?(config: WebhookConfig<F>, answer: FailureAnswer): WebhookConfig<F> | undefined;
}
