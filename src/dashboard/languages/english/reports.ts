/** Reports: the table of a month, and reports that are sent by mail. */
export const reports = {
  /** `{month}` is such as "October 2026". */
  title: "Report of {month}",
  titleWithTag: "Report of {month}, tag {tag}",
  /** Buttons. */
  actions: {
    /** Leads to the reports by mail. */
    mails: "By mail",
    outagesCsv: "Outages of the month as CSV",
    tableCsv: "Table as CSV",
    print: "Print",
  },
  filters: {
    /** A button of a phone that closes the filters. */
    done: "Show the report",
    month: "Month",
    tag: "Tag",
    anyTag: "All monitors",
    order: "Order",
    orders: {
      created: "In order of creation",
      uptime: "Lowest uptime first",
      outages: "Most outages first",
    },
    /** The uptime that monitors should have. */
    target: "Target in %",
  },
  total: {
    title: "All monitors of this report",
    uptime: "Uptime",
    /** How many monitors are below the target. `{target}` is a percentage such as "99.9%". */
    below: "Below {target}",
    belowValue: "{count} of {total}",
    outages: "Outages",
    /** How long the monitors were down. */
    down: "Down",
    recovery: "Mean time to recover",
    maintenance: "In maintenance",
    notChecked: "Not checked",
  },
  table: {
    title: "By monitor",
    /** For screen readers. */
    label: "Table of monitors",
    none: "No monitor has this tag.",
    columns: {
      monitor: "Monitor",
      uptime: "Uptime",
      outages: "Outages",
      /** How long the monitor was down. */
      down: "Down",
      recovery: "Time to recover",
      maintenance: "In maintenance",
      notChecked: "Not checked",
    },
    /** For screen readers: before an uptime. */
    below: "below the target:",
    hint: "Uptime is the share of time in which a monitor was not down. Time in maintenance, and time without checks, is left out. Months are in UTC.",
  },
  /** Reports by mail. */
  mails: {
    title: "Reports by mail",
    lead: "Each is about the day, week or month before: uptime, outages, missed runs, and certificates that end soon.",
    none: "No reports by mail yet.",
    create: "New report",
    /** The title of the view of one, until it is loaded. */
    one: "Report by mail",
    edit: "Edit {title}",
    /** When a report is sent: options of a list. */
    kinds: { day: "Each day", week: "Each Monday", month: "On the first of each month" },
    /** In a row: the same with the time of day, the time zone, and the time of the next report. */
    times: {
      day: "Each day at {at}, {timezone}, next {next}",
      week: "Each Monday at {at}, {timezone}, next {next}",
      month: "On the first of each month at {at}, {timezone}, next {next}",
    },
    /** In place of addresses. */
    channels: { one: "{count} channel", other: "{count} channels" },
    /** `{ref}` is a name in the file. */
    managed: "Managed by a configuration file (ref {ref})",
    /** A button, its name for screen readers, and how it goes. */
    send: "Send now",
    sendName: "Send now: {title}",
    sending: "Sending…",
    sent: "Sent",
    noRecipient: "It has no recipient",
    editButton: "Edit",
    /** For screen readers. */
    editName: "Edit {title}",
    deleteName: "Delete {title}",
    deleteHint: "Mails of it that wait are not sent. You can undo this for ten seconds.",
    /** Beside a button "Undo"; and before a colon and the reason. */
    deletePending: "The report “{title}” will be deleted.",
    deleteFailed: "The report “{title}” could not be deleted",
    fields: {
      title: "Title",
      /** How often it is sent. */
      kind: "When",
      /** At which time of day it is sent. */
      at: "At",
      language: "Language",
      addresses: "E-mail addresses",
      addressesHint: "One in each line.",
      addressesOrChannelsHint: "One in each line. Or choose channels below.",
      channels: "E-mail channels",
    },
  },
} as const;
