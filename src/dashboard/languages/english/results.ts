/** Lists of results of checks: the view “Events”, and the results of a monitor. Filters by time, which other lists have as well. */
export const results = {
  /** The title of the view with the results of all monitors. */
  title: "Events",
  /** The title of the card with the results of one monitor. */
  ofMonitor: "Results",
  /** A link that downloads the results. */
  export: "Export <hidden>results</hidden> as CSV",
  /** Column heads. */
  columns: {
    time: "Time",
    monitor: "Monitor",
    location: "Location",
    status: "Status",
    latency: "Latency",
    detail: "Detail",
    /** Whether people were notified. */
    alert: "Alert",
  },
  /** The view lists only the results that changed the status of their monitor, or all results. */
  lists: {
    changes: {
      /** The choice of this list. */
      option: "Changes",
      /** For screen readers. */
      label: "Changes",
      table: "Table of changes",
      /** Buttons: load more below the list; close the filters on a phone. */
      older: "Older changes",
      show: "Show changes",
      none: "No changes yet.",
      noneMatches: "No change matches.",
    },
    all: {
      option: "All results",
      label: "Results",
      table: "Table of results",
      older: "Older results",
      show: "Show results",
      none: "No results yet.",
      noneMatches: "No result matches.",
    },
  },
  filters: {
    /** For screen readers: the choice between the two lists. */
    shown: "Shown",
    /** For screen readers: the names of drop-down lists. Each begins with the option that filters nothing. */
    type: "Type",
    anyType: "All types",
    status: "Status",
    anyStatus: "Any status",
    tag: "Tag",
    anyTag: "Any tag",
    /** A check box. */
    problems: "Only problems",
    /** A button that removes both of these filters. */
    clear: "Clear these filters",
  },
  time: {
    /** For screen readers: the name of the filter. */
    label: "Time",
    /** The option that filters nothing. */
    any: "Any time",
    stretches: {
      day: "Last 24 h",
      /** From the evening to the morning, in the zone of the reader. */
      night: "This night",
      week: "Last 7 days",
      month: "Last 30 days",
    },
    /** A chosen time in place of the name of the filter. The places have a day, or a day with a time of day. */
    since: "Since {from}",
    until: "Until {to}",
    between: "{from} to {to}",
  },
  row: {
    /** Behind a status: the one before. A label such as “Down”. */
    before: "from {status}",
    /** A mark at results in a planned maintenance. */
    maintenance: "Maintenance",
    /** Opens the recorded data, if no reason is known. */
    details: "Details",
  },
  /** Whether an alert reached the people. Adjectives, of a notification. */
  outcome: {
    /** It waits for its time, or is tried again. */
    pending: "Pending",
    delivered: "Delivered",
    failed: "Failed",
    /** By some of the channels. */
    partial: "Partly delivered",
    /** Not sent, because a monitor is down on which this one depends. */
    muted: "Muted",
    /** Not sent, because it is no longer true. */
    withdrawn: "Withdrawn",
  },
  /** The outcome of one channel, in a list. `attempts` is a number. */
  channel: {
    /** `channel` is the name of a service such as Slack, `outcome` one of the texts below. */
    line: "{channel}: {outcome}",
    /** In place of the name of a service: whoever is on call gets the notification. */
    onCall: "On call",
    /** `error` is the answer of the service, in English. */
    withError: "{outcome} – {error}",
    notSentYet: "not sent yet",
    notDeliveredYet: "not delivered yet ({attempts}×)",
    delivered: "delivered ({attempts}×)",
    partial: "partly delivered ({attempts}×)",
    failed: "failed ({attempts}×)",
    withdrawn: "not sent, because the trouble was over, acknowledged or different before that",
    /** `monitor` is a name. */
    muted: "not sent, because {monitor} is down",
    mutedByDeleted: "not sent, because a monitor that this one depends on is down",
    /** A link behind the outcome. */
    showOutage: "Show the outage",
  },
} as const;
