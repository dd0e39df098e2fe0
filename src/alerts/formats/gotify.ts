import { truncate } from "../../domain/truncate.ts";
import { mainLink } from "../alert-message.ts";
import { describeNotification } from "../message.ts";
import type { Format } from "./format.ts";
import { linesOf } from "./plain-text.ts";
import { jsonRequest, priorityOf, serviceUrl } from "./service-request.ts";

/** Gotify has no limits of its own. */
const LIMITS = { title: 250, message: 8000 };

/** From 4 on, the app makes a sound; from 8 on, it also vibrates and shows the message on the screen. */
const PRIORITIES = { down: 8, warning: 5, healthy: 3 };

/** https://gotify.net/docs/pushmsg, https://gotify.net/docs/msgextras */
export const gotify: Format<"gotify"> = {
  request({ url, options }, notification, baseUrl) {
    const message = describeNotification(notification, baseUrl);
    const link = mainLink(message).url;
    return jsonRequest(
      serviceUrl(url, "/message"),
      {
        title: truncate(message.title, LIMITS.title),
        message: `${linesOf(message, LIMITS.message)}\n${link}`,
        priority: priorityOf(options, message.group, PRIORITIES),
        extras: {
          "client::display": { contentType: "text/plain" },
          "client::notification": { click: { url: link } },
        },
      },
      // In a header: a token in the URL would be in the logs of proxies.
      { headers: { "x-gotify-key": options.token } },
    );
  },
};
