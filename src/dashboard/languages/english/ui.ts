/** Parts of all views: times, lists, dialogs, filters. */
export const ui = {
  duration: { belowSecond: "less than a second" },
  /** The expiry of a certificate or a domain. `duration` is such as "5 h" or "less than a second". */
  expiry: {
    daysLeft: { one: "{count} day left", other: "{count} days left" },
    daysAgo: { one: "Expired {count} day ago", other: "Expired {count} days ago" },
    left: "{duration} left",
    ago: "Expired {duration} ago",
  },
  /** The time that a view is about. */
  range: {
    /** For screen readers: the name of the buttons below. */
    legend: "Range",
    /** Buttons, as short as can be: h for hours, d for days. */
    short: { "1h": "1h", "6h": "6h", "1d": "1d", "7d": "7d", "30d": "30d", "90d": "90d" },
    names: {
      "1h": "1 hour",
      "6h": "6 hours",
      "1d": "24 hours",
      "7d": "7 days",
      "30d": "30 days",
      "90d": "90 days",
    },
  },
  calendar: {
    /** For screen readers: buttons, and the name of the table of days. */
    previousMonth: "Previous month",
    nextMonth: "Next month",
    days: "First and last day",
    /** Labels of the fields with the time of day at which the stretch begins and ends. */
    from: "From",
    until: "Until",
    /** A button: shows what happened in the chosen stretch. */
    show: "Show",
  },
  /** `reference` is the name of a thing in the configuration file. */
  managedBy:
    "Managed by a configuration file (ref {reference}). The next apply of the file replaces what is changed here.",
  /** The button with a cross at the title of a dialog, for screen readers. */
  closeDialog: "Close",
  /** A link to the page of the guide about a view. */
  guide: "Guide",
  /** Links from a view that could not be shown. */
  backTo: {
    overview: "Back to the overview",
    schedules: "Back to the schedules",
    publicPages: "Back to the public pages",
    incidents: "Back to the incidents",
    settings: "Back to the settings",
    maintenances: "Back to the maintenances",
    reportMails: "Back to the reports by mail",
    channels: "Back to the channels",
    outages: "Back to the outages",
  },
  errors: {
    signedOut: "You are signed out. Reload this page to sign in: what you have entered is kept.",
    unreachable: "Cannot reach the server.",
  },
  /** The message at the bottom of the page after a change. */
  lastChange: {
    /** For screen readers: the name of the message, and the button with a cross that hides it. */
    label: "Last change",
    dismiss: "Dismiss",
    /** A button. */
    undo: "Undo",
    changed: { one: "{count} monitor changed.", other: "{count} monitors changed." },
    undoing: "Undoing…",
    undone: "Undone.",
    /** `refused` is the number of the other monitors. */
    undoneInPart: {
      one: "Undone for {count} monitor, not for {refused}: {error}.",
      other: "Undone for {count} monitors, not for {refused}: {error}.",
    },
    notUndone: "It could not be undone: {error}",
    /** `failed` is such as "The channel “Night” could not be deleted". */
    failed: "{failed}: {error}",
  },
} as const;
