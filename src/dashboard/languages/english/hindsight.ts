/** The view that replays the last days with other settings. */
export const hindsight = {
  title: "What would have been",
  lead: "Replays the results of the last days with other settings. It changes nothing and notifies nobody.",
  /** How many days are replayed. */
  range: "Range",
  days: { one: "{count} day", other: "{count} days" },
  /** A button, and the status while it runs. */
  replay: "Replay",
  replaying: "Replaying…",
  /** The option of a field that changes nothing. */
  same: "As it was",
  sections: {
    confirmation: "Confirmation",
    notifications: "Notifications",
    checks: "Checks",
    maintenance: "Maintenance",
  },
  fields: {
    after: "When to notify",
    every: "Reminders",
    hours: "Hours",
    /** For screen readers: the hours in which channels are notified. */
    hoursOfAll: "Hours for all channels",
    notifyOnHint: "Without a choice: as it was.",
    downWhen: "Trouble counts if it is seen by",
    /** The reader enters the number that the dots represent. */
    within: "Degraded above … ms",
    warnDays: "Expires soon: … days before the end",
    cron: "Cron expression of the starts",
    cronHint: "A maintenance of these monitors, beside those that exist.",
    timezone: "Time zone",
    duration: "Duration",
  },
  outcome: {
    /** `{days}` is a number of days. */
    title: { one: "{count} monitor, {days}", other: "{count} monitors, {days}" },
    nothingChanged: "Nothing is changed.",
    /** Columns of a table. The first is for screen readers. */
    columns: { figure: "Figure", before: "As it was", after: "With the changes" },
    /** Rows of the table. */
    rows: { outages: "Outages", notifications: "Messages", downSeconds: "Time down" },
    /** How much later the first message of an outage comes. */
    medianDelay: "First message, median",
    longestDelay: "First message, longest",
    /** In place of a delay. */
    noDelay: "as it was",
    notExact: "Some checks were never made: the truth lies between both figures.",
  },
  /** A chart of both lists of outages by day. */
  byDay: {
    title: "By day",
    /** For screen readers. */
    chart: "Outages gone: {gone}, above the line. Outages without a message: {missed}, below it.",
    hint: "Above the line: outages gone. Below it: outages without a message.",
  },
  /** Lists without an outage. */
  noneGone: "Each outage would still have been.",
  noneMissed: "Each outage would have had a message.",
  /** The list is cut. */
  further: "Further ones are not listed.",
} as const;
