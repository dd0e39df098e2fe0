import { truncate } from "../../truncate.ts";
import { mainLink } from "../alert-event.ts";
import { jsonRequest, linesOf, plainLinks, priorityOf, serviceUrl } from "./request.ts";
import {
  type Declaration,
  type Delivery,
  type ImportNames,
  priorityOption,
  secretOption,
} from "./service.ts";

export const declaration = {
  label: "Gotify",
  since: 6,
  readBy: "people",
  // A tray.
  icon: "M4 13.5V19h16v-5.5M4 13.5h4.5L10 16h4l1.5-2.5H20M12 4v7M8.8 8 12 11.2 15.2 8",
  url: { example: "https://gotify.example.com" },
  options: {
    token: secretOption("The token of an application."),
    priority: priorityOption({
      range: [0, 10],
      description: "Of every message. Default: 8 if a monitor is down, 5 for a warning, else 3.",
    }),
  },
  ownHeaders: ["x-gotify-key"],
} satisfies Declaration;

export const importNames: ImportNames = {
  kuma: {
    type: "gotify",
    url: "gotifyserverurl",
    options: { token: "gotifyapplicationToken", priority: { nearest: "gotifyPriority" } },
  },
  gatus: {
    type: "gotify",
    url: "server-url",
    options: { token: "token", priority: "priority" },
    ignored: ["title"],
  },
  healthchecks: "gotify",
};

/** Gotify has no limits of its own. */
const LIMITS = { title: 250, message: 8000 };

/** From 4 on, the app makes a sound; from 8 on, it also vibrates and shows the message on the screen. */
const PRIORITIES = { down: 8, warning: 5, healthy: 3 };

/** https://gotify.net/docs/pushmsg, https://gotify.net/docs/msgextras */
export const delivery: Delivery<typeof declaration> = {
  request({ url, options }, { message }) {
    const link = mainLink(message).url;
    return jsonRequest(
      serviceUrl(url, "/message"),
      {
        title: truncate(message.title, LIMITS.title),
        message: [linesOf(message, LIMITS.message), ...plainLinks(message)].join("\n"),
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
