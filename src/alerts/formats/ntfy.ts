import { truncate } from "../../domain/truncate.ts";
import { mainLink } from "../alert-message.ts";
import { describeNotification } from "../message.ts";
import type { Format } from "./format.ts";
import { linesOf, truncateToBytes } from "./plain-text.ts";
import { jsonRequest, priorityOf, serviceUrl } from "./service-request.ts";

/** Bytes. A longer message becomes an attachment, which a server may not allow. */
const MAX_MESSAGE = 4000;
const MAX_TITLE = 250;

const PRIORITIES = { down: 4, warning: 3, healthy: 3 };

/** Names of emoji, which the apps show before the title. */
const TAGS = { down: "red_circle", warning: "warning", healthy: "white_check_mark" };

/** https://docs.ntfy.sh/publish/#publish-as-json */
export const ntfy: Format<"ntfy"> = {
  request({ url, options }, notification, baseUrl) {
    const message = describeNotification(notification, baseUrl);
    const { title, group } = message;
    const { topic, token } = options;
    const link = mainLink(message);
    return jsonRequest(
      serviceUrl(url, "/"),
      {
        topic,
        title: truncate(title, MAX_TITLE),
        message: truncateToBytes(linesOf(message, MAX_MESSAGE), MAX_MESSAGE),
        priority: priorityOf(options, group, PRIORITIES),
        tags: [TAGS[group]],
        click: link.url,
        actions: [{ action: "view", label: link.label, url: link.url }],
      },
      token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } },
    );
  },
  failures: {
    // The number has the status code and says which of the limits was reached, such as 42908 for the limit of a day. Another number may be
    // of another server.
    explain: ({ status, body: { code } }) =>
      Number.isInteger(code) && Math.floor(Number(code) / 100) === status ? { word: `code ${code}` } : {},
  },
};
