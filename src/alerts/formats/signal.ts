import { truncate } from "../../domain/truncate.ts";
import { mainLink } from "../alert-message.ts";
import { describeNotification } from "../message.ts";
import type { FailureAnswer, Format } from "./format.ts";
import { linesOf } from "./plain-text.ts";
import { jsonRequest, serviceUrl } from "./service-request.ts";

/** UTF-16 units. Signal sends a text of more than 2000 characters as an attachment. */
const LIMITS = { title: 200, text: 1500 };

/** https://bbernhard.github.io/signal-cli-rest-api/#/Messages/post_v2_send */
export const signal: Format<"signal"> = {
  request({ url, options: { number, recipients } }, notification, baseUrl) {
    const message = describeNotification(notification, baseUrl);
    const title = truncate(message.title, LIMITS.title);
    const text = [title, linesOf(message, LIMITS.text), mainLink(message).url].join("\n");
    return jsonRequest(serviceUrl(url, "/v2/send"), {
      message: text,
      number,
      recipients,
      text_mode: "normal",
    });
  },
  failures: {
    // The service also answers 400 if its network fails.
    statuses: { 400: "temporary" },
    explain,
  },
};

/** Errors that a repetition does not change, and our word for them. */
const FINAL: [RegExp, string][] = [
  [/unregistered|not registered/i, "not_registered"],
  [/account does not exist|please provide a valid number/i, "no_such_number"],
  [/invalid|cannot be (sent|specified)|at least one recipient|couldn't process/i, "invalid_request"],
  [/untrusted/i, "untrusted_identity"],
];

function explain({ status, body: { error } }: FailureAnswer) {
  if (status === 429) return { word: "rate_limit" };
  if (status !== 400 || typeof error !== "string") return {};
  const word = FINAL.find(([pattern]) => pattern.test(error))?.[1];
  return word === undefined ? {} : ({ word, meaning: "final" } as const);
}
