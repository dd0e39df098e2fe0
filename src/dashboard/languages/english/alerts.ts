import type { ServiceWords } from "../../../domain/alerts/services/registry.ts";
import type { FieldWords } from "../../../domain/schemas/schema.ts";

/** Labels that several services share. */
const webhookUrl = "Webhook URL";
const server = "Server";
const byStatus = "By the status of the monitor";

/** Channels: where notifications go, such as a chat, an address or a device. */
export const alerts = {
  /** Services that are no names of products. */
  service: {
    EMAIL: "E-mail",
    /** A request to an address of the user's own. */
    standard: "Webhook",
    /** A phone or computer whose browser is notified. */
    webpush: "Device",
    /** A request in any form that the user wants. */
    custom: "Custom request",
  },
  /**
   * The fields of each service. Words in quotation marks, and the places where something is found, are names in the service: as it shows
   * them in your language, else in English.
   */
  fields: {
    SLACK: { webhookUrl: { label: webhookUrl, hint: "An incoming webhook: https://hooks.slack.com/…" } },
    DISCORD: {
      webhookUrl: {
        label: webhookUrl,
        hint: "From the settings of the channel: https://discord.com/api/webhooks/…",
      },
    },
    TEAMS: {
      webhookUrl: { label: webhookUrl, hint: "From a workflow “When a webhook request is received”." },
    },
    /** An address of e-mail. */
    EMAIL: { to: { label: "Address" } },
    telegram: {
      url: { label: server },
      "options.token": {
        label: "Token of the bot",
        hint: "Write /newbot to @BotFather, which then sends the token.",
      },
      "options.chatId": {
        label: "Chat",
        hint: "The ID of the chat, or the @name of a public channel. The bot must be a member. For the ID, write to the bot and see message.chat.id in the answer of the method getUpdates.",
      },
      /** A part of a group. */
      "options.threadId": {
        label: "Topic",
        hint: "The ID of a topic of the group. If empty, the general topic.",
      },
    },
    googlechat: {
      url: {
        label: webhookUrl,
        hint: "From “Apps & integrations” of the space: https://chat.googleapis.com/v1/spaces/…",
      },
    },
    matrix: {
      /** A term of Matrix. */
      url: { label: "Homeserver" },
      "options.token": {
        label: "Access token",
        hint: "Of the account that writes. In Element: Settings, Help & About, Access token.",
      },
      "options.roomId": {
        label: "Room ID",
        hint: "In Element: settings of the room, Advanced. Invite the account to the room, and accept.",
      },
    },
    signal: {
      url: { label: server, hint: "Your server of signal-cli-rest-api." },
      /** A phone number. */
      "options.number": {
        label: "Sender",
        hint: "The number that is registered there, with its country code.",
      },
      "options.recipients": {
        label: "Recipients",
        hint: "One on each line: numbers with their country codes or user names, or the ID of one group (group.…).",
      },
    },
    zulip: {
      url: { label: server },
      "options.email": {
        label: "E-mail of the bot",
        hint: "From “Bots” in the settings: a bot of the type “Incoming webhook”.",
      },
      "options.token": { label: "API key", hint: "Of the same bot." },
      "options.stream": { label: "Channel", hint: "Its name or its ID." },
      "options.topic": { label: "Topic", hint: "If empty, the name of the monitor." },
    },
    mattermost: {
      url: {
        label: webhookUrl,
        hint: "An incoming webhook, from “Integrations”: https://…/hooks/…",
      },
      "options.channel": {
        label: "Channel",
        hint: "The name in the address of the channel, or @user. If empty, the channel of the webhook.",
      },
      "options.username": { label: "User name", hint: "Shown as the author, if the server allows it." },
    },
    ntfy: {
      url: { label: server },
      "options.topic": {
        label: "Topic",
        hint: "Everybody who knows the name of an open topic can read it: choose a long random one.",
      },
      "options.token": {
        label: "Access token",
        hint: "Only if the topic is protected. From the account in ntfy: tk_…",
      },
      "options.priority": {
        label: "Priority",
        /** The number is the priority of ntfy. */
        choices: {
          default: byStatus,
          1: "1, lowest",
          2: "2, low",
          3: "3, default of ntfy",
          4: "4, high",
          5: "5, highest",
        },
      },
    },
    pushover: {
      url: { label: server },
      "options.token": {
        label: "API token",
        hint: "Of an application that you create on pushover.net.",
      },
      "options.user": {
        label: "User or group key",
        hint: "Of the person or the group that is notified.",
      },
      "options.device": {
        label: "Device",
        hint: "Names of devices, which commas separate. If empty, all devices of the user.",
      },
      "options.priority": {
        label: "Priority",
        /** The number is the priority of Pushover. */
        choices: {
          default: byStatus,
          "-2": "-2, no alert",
          "-1": "-1, without sound",
          0: "0, normal",
          1: "1, also in quiet hours",
        },
      },
    },
    gotify: {
      url: { label: server },
      "options.token": {
        label: "Token of the application",
        hint: "From “Apps” in the web page of Gotify.",
      },
      "options.priority": {
        label: "Priority",
        hint: "0 to 10. If empty: by the status of the monitor.",
      },
    },
    pagerduty: {
      url: { label: server, hint: "In the EU: https://events.eu.pagerduty.com" },
      "options.routingKey": {
        label: "Integration key",
        hint: "Of the integration “Events API V2” of a service in PagerDuty.",
      },
    },
    alertmanager: {
      url: {
        label: server,
        hint: "Alertmanager resolves an alert by itself 8 days after the latest message about it. For longer outages, let the monitors send reminders.",
      },
    },
    /** The service of the browser that brings the messages. */
    webpush: { url: { label: "Push service" } },
    standard: {
      url: { label: "URL" },
      /** Standard Webhooks is the name of a standard. */
      secret: { label: "Secret", hint: "Signs the messages (Standard Webhooks). Optional." },
    },
    custom: {
      url: { label: "URL", hint: "May contain placeholders after the host, as the body does." },
      /** The method of HTTP, such as POST. */
      "options.method": { label: "Method" },
      "options.contentType": { label: "Content type" },
      /** The body of an HTTP request. */
      "options.body": {
        label: "Body",
        /** Names in curly brackets. */
        hint: "Placeholders are replaced and escaped for their place: {placeholders}.",
      },
    },
  } satisfies ServiceWords & {
    SLACK: { webhookUrl: FieldWords };
    DISCORD: { webhookUrl: FieldWords };
    TEAMS: { webhookUrl: FieldWords };
    EMAIL: { to: FieldWords };
  },
  /** The form of a channel. */
  form: {
    /** Above the services, of which one is chosen. */
    service: "Service",
    /** Names of settings of the server, in code font. */
    cannotMail: "This server cannot send e-mail: set <code>--smtp-url</code> and <code>--smtp-from</code>.",
    /** The titles of a closed section with the rare fields of a service, or with headers alone. */
    moreSettings: "More settings",
    headers: "Request headers",
  },
  /** The changes of a monitor that a channel is notified of: check boxes that end a sentence. */
  notifyOn: {
    title: "Notify when a monitor …",
    values: {
      down: "Goes down",
      /** Degraded is a status. */
      warning: "Gets a warning, such as Degraded",
      healthy: "Is healthy again",
    },
    /** Nothing is checked that is needed. The quoted words are the check boxes. */
    none: "Select “Goes down” or “Gets a warning”.",
  },
} as const;
