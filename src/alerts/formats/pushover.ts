import { truncate } from "../../domain/truncate.ts";
import { mainLink } from "../alert-message.ts";
import { describeNotification } from "../message.ts";
import type { FailureAnswer, Format } from "./format.ts";
import { linesOf } from "./plain-text.ts";
import { jsonRequest, priorityOf, serviceUrl } from "./service-request.ts";

/** Characters (https://pushover.net/api#limits). */
const LIMITS = { title: 250, message: 1024, url: 512 };

/** 1 bypasses the quiet hours of the user. */
const PRIORITIES = { down: 1, warning: 0, healthy: 0 };

/** Fields that an answer can name as invalid. */
const FIELDS = ["token", "user", "device", "message", "priority"];

/** https://pushover.net/api */
export const pushover: Format<"pushover"> = {
  request({ url, options }, notification, baseUrl) {
    const message = describeNotification(notification, baseUrl);
    const { title, group, at } = message;
    const { token, user, device } = options;
    const link = mainLink(message);
    return jsonRequest(serviceUrl(url, "/1/messages.json"), {
      token,
      user,
      ...(device !== undefined && { device }),
      title: truncate(title, LIMITS.title),
      message: linesOf(message, LIMITS.message),
      priority: priorityOf(options, group, PRIORITIES),
      timestamp: Math.floor(at / 1000),
      ...(link.url.length <= LIMITS.url && { url: link.url, url_title: link.label }),
    });
  },
  failures: {
    explain: (answer) => ({ word: invalidField(answer), retryAfterMs: untilReset(answer) }),
  },
};

function invalidField({ body }: FailureAnswer): string | undefined {
  const field = FIELDS.find((name) => body[name] === "invalid");
  return field && `${field}_invalid`;
}

/** 429: the messages of the month are used up, and a header has the time, in seconds, from which on there are new ones. */
function untilReset({ status, headers, now }: FailureAnswer): number | undefined {
  const reset = Number(headers["x-limit-app-reset"]);
  return status === 429 && reset > 0 ? Math.max(0, reset * 1000 - now) : undefined;
}
