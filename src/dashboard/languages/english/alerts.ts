import type { DeliveryStatus } from "../../../domain/alerts/delivery.ts";
import type { NotifyOn } from "../../../domain/alerts/notify.ts";
import type { ServiceWords } from "../../../domain/alerts/services/registry.ts";
import type { FieldWords } from "../../../domain/schemas/schema.ts";

/** Labels that several services share. */
const webhookUrl = "Webhook URL";
const server = "Server";
const byStatus = "By the status of the monitor";

/** Channels: where notifications go, such as a chat, an address or a device. */
export const alerts = {
  /** The title of the view of a channel before its name is known, and the error if there is none. */
  title: "Channel",
  notFound: "Not found",
  /** A button that leads to the form of a new channel. */
  create: "New channel",
  /** Adjective, of a channel: nothing is sent to it. */
  disabled: "Disabled",
  /** How many monitors notify a channel, beside the channel or behind “Bound to”. */
  boundMonitors: { one: "{count} monitor", other: "{count} monitors" },
  /** The changes that a channel is notified of: behind its service, or behind “Notified of”. */
  changes: {
    every: "every change",
    /** `groups` is one of the words below, or two such as “down and healthy”. */
    only: "only {groups}",
    groups: { down: "down", warning: "warning", healthy: "healthy" } satisfies Record<
      NotifyOn[number],
      string
    >,
  },
  list: {
    title: "Channels",
    lead: "Channels get a message when a monitor changes its status.",
    none: "No channels yet. Nobody gets notifications.",
    /** Below the name of a channel. `service` is such as Slack, `changes` such as “every change” or “only down”. */
    details: "{service}, {changes}",
    detailsCannotMail: "{service}, {changes}. <warning>Server cannot send e-mail.</warning>",
  },
  /** The view of a channel: facts with their names, below the service. */
  facts: {
    /** A mark. */
    cannotMail: "Server cannot send e-mail",
    /** The headers of a request. */
    headers: "Request headers",
    /** Behind it: “every change”, or “only down”. */
    notifiedOf: "Notified of",
    /** Behind it: “2 monitors”, which notify the channel. */
    boundTo: "Bound to",
    /** The language of the notifications. */
    language: "Language",
  },
  /** Buttons of the view, and messages after them. */
  actions: {
    edit: "Edit",
    enable: "Enable",
    disable: "Disable",
    enabled: "The channel is enabled.",
    disabled: "The channel is disabled.",
    deletion: {
      /** Below the question whether the channel is deleted. `count` monitors notify it. */
      consequence: {
        one: "It is unbound from {count} monitor, and its pending notifications are not sent. You can undo this for ten seconds.",
        other:
          "It is unbound from {count} monitors, and its pending notifications are not sent. You can undo this for ten seconds.",
      },
      pending: "The channel “{name}” will be deleted.",
      /** A colon and the reason follow. */
      failed: "The channel “{name}” could not be deleted",
    },
  },
  /** A test notification. */
  test: {
    /** A button, and its label while the test is under way. */
    send: "Send a test",
    sending: "Sending…",
    /** The outcomes. `error` is what the service answered, in English. */
    delivered: "Delivered.",
    failed: "Failed: {error}",
    failedUnknown: "Failed: unknown error",
  },
  /** The monitors that notify a channel, in its view. */
  monitors: {
    title: "Monitors",
    none: "No monitor notifies this channel.",
    /** For screen readers: the search, and the list. */
    search: "Search for monitors of this channel",
    list: "Monitors of this channel",
    /** Below a list that is cut. */
    first: "The first {shown} of {count}. Search to find the others.",
    /** A row. Screen readers say the status, such as “Down”. */
    monitor: "<hidden>{status}: </hidden><link>{name}</link>",
    /** A button, and the title of the dialog that it opens. */
    addTitle: "Add monitors",
    /** The button below the form in the dialog. */
    add: "Add",
  },
  /** The notifications that a channel got, or will get: a table. */
  deliveries: {
    title: "Deliveries",
    /** For screen readers. */
    label: "Table of deliveries",
    /** A button below the table. */
    older: "Older deliveries",
    none: "No deliveries yet.",
    columns: {
      time: "Time",
      outcome: "Outcome",
      /** The subject: the name of a monitor, a location or a maintenance. */
      subject: "About",
      /** Such as “Up → Down”. */
      change: "Change",
      attempts: "Attempts",
      /** The answer of the service that got the notification. */
      answer: "Answer",
    },
    outcome: {
      pending: "Pending",
      delivered: "Delivered",
      failed: "Failed",
      /** It was not sent, because another monitor explains the outage. */
      muted: "Muted",
      /** It was not sent, because it did not apply any more. */
      withdrawn: "Withdrawn",
    } satisfies Record<DeliveryStatus, string>,
    /** In place of an answer. */
    queued: "queued behind earlier notifications",
    /** `answer` is an error, in English. */
    nextAttempt: "{answer}, next attempt at {time}",
    /** Statuses before and after a change. The arrow has the direction of your language. */
    fromTo: "{from} → {to}",
    changes: {
      /** A location: its probe sends no requests. */
      "location.silent": "Silent",
      "location.connected": "Connected again",
      /** A maintenance. */
      "maintenance.started": "Started",
      "maintenance.ended": "Ended",
      /** All monitors: the server cannot check. */
      "checks.blind": "Not checked",
      "checks.resumed": "Checked again",
    },
    subjects: { location: "Location {name}", maintenance: "Maintenance {title}", monitors: "Monitors" },
  },
  /** For which monitors a new channel is used: the title of two check boxes. */
  useFor: {
    title: "Use for",
    all: { one: "All {count} monitor", other: "All {count} monitors" },
    /** Monitors that are created later. */
    new: "New monitors",
  },
  /** The dialog after a channel is created in it. */
  created: {
    title: "Channel “{name}” is created",
    /** A button: closes the dialog. */
    done: "Done",
  },
  /** Monitors that notify nobody get channels. */
  choose: {
    title: "Choose channels",
    /** There is no such monitor, and a link. */
    nothing: "Each enabled monitor notifies somebody.",
    back: "Back to the overview",
    lead: {
      one: "If {count} monitor goes down, nobody is notified.",
      other: "If one of {count} monitors goes down, nobody is notified.",
    },
    /** The title of the check boxes for channels. */
    channels: "Channels to notify",
    noChannels: "No channels yet. Create one first.",
    /** The button below the form. */
    submit: "Notify these channels",
    /** For screen readers: the list of monitors, and its search. */
    monitors: "Monitors that notify nobody",
    search: "Search for monitors that notify nobody",
    selected: {
      one: "{selected} of {count} monitor selected",
      other: "{selected} of {count} monitors selected",
    },
    /** Buttons. */
    selectAll: "Select all",
    /** The monitors that a search found. */
    selectThese: { one: "Select these {count}", other: "Select these {count}" },
    selectNone: "Select none",
    /** Monitors with the same tag. */
    group: {
      /** The name of the last group. */
      noTag: "Without a tag",
      /** `selected` of `count` monitors are selected. */
      selected: "{selected} of {count}",
      /** For screen readers: the button that opens and closes the group. */
      toggle: "Monitors: {name}",
      /** A button that shows more monitors. */
      more: { one: "{count} other", other: "{count} others" },
    },
  },
  /** This browser as a channel: its device shows the notifications. */
  device: {
    /** Before the link to the channel of this browser. */
    notified: "This device is notified: <link>{channel}</link>",
    /** A button, and the title of the dialog that it opens. */
    notify: "Notify this device",
    /** The reader has closed the question of the browser. */
    allow: "Allow notifications when the browser asks.",
    /** Why a browser without an obstacle fails: it says only `AbortError` or the like. */
    refused:
      "This browser cannot notify this device: it must trust the certificate of stillup, load and store its files, and reach a push service.",
    /** Why it cannot be notified, and what the reader can do. */
    obstacle: {
      insecure: "To notify this device, open stillup by https://. Browsers allow it only there.",
      /** “Share” and “Add to Home Screen” are names in Safari: as it shows them in your language. */
      homeScreen:
        "To notify this device (iOS 16.4 or later), tap Share, then “Add to Home Screen”, and open stillup from there.",
      noPush:
        "This browser cannot notify this device, at least not in a private window: open stillup in another window or browser.",
      denied:
        "Notifications of stillup are blocked, as always in a private window. Allow them for this site in the settings of the browser or of iOS, and open stillup again.",
    },
  },
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
    /** The language of the notifications. The names of the languages follow the first choice. */
    language: { label: "Language", ofOrganization: "The language of the organization" },
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
