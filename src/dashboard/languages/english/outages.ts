/** Outages: the list, the view of one, and causes that several outages share. */
export const outages = {
  title: "Outages",
  /** How long an outage or an incident has lasted so far, and how long it lasted. After a status. */
  lasting: "for {duration}",
  lasted: "after {duration}",
  filters: {
    /** A button of a phone that closes the filters. */
    done: "Show outages",
    /** For screen readers: the name of the search field. */
    search: "Search for outages",
    /** In the empty search field. */
    placeholder: "Name, target or tag of the monitor",
    clear: "Clear filters",
    monitor: "Monitor",
    anyMonitor: "All monitors",
    /** A monitor that was deleted. */
    unknownMonitor: "Unknown monitor",
    /** The search for a monitor, if there are too many for a list. */
    monitorSearch: "Search for a monitor",
    monitorPlaceholder: "Search by name, target or tag",
    /** For screen readers. */
    monitorsFound: "Monitors found",
    noMonitor: "No monitor matches.",
  },
  /** Outages that continue. */
  open: {
    /** A heading; adjective, of outages. */
    title: "Open",
    none: "No open outages.",
    noMatch: "No open outage matches.",
    /** A button. */
    older: "Older open outages",
  },
  /** Outages that are over. */
  ended: {
    /** A heading; adjective, of outages. */
    title: "Ended",
    none: "No ended outages.",
    noMatch: "No ended outage matches.",
    /** A button. */
    older: "Older ended outages",
    /** For screen readers. */
    table: "Table of ended outages",
    /** A button. Only screen readers have the text in `<hidden>`. */
    export: "Export <hidden>outages</hidden> as CSV",
    /** Above the outages that are older. */
    newSince: "New since your last visit, {time}",
    columns: {
      start: "Start",
      duration: "Duration",
      monitor: "Monitor",
      status: "Status",
      reason: "Reason",
      acknowledgedBy: "Acknowledged by",
    },
  },
  /** Buttons, and their names for screen readers. To acknowledge is to say that one knows of the outage. */
  acknowledge: {
    button: "Acknowledge",
    name: "Acknowledge the outage of {monitor}",
    /** Takes back the acknowledgement. */
    takeBack: "Take back",
    takeBackName: "Take back the acknowledgement of {monitor}",
  },
  /** The view of one outage. */
  one: {
    /** Until it is loaded. */
    title: "Outage",
    titleOf: "Outage of {monitor}",
    allOfMonitor: "All outages of this monitor",
    /** In place of the status; adjective, of the outage. */
    ended: "Ended",
  },
  /** Facts of an outage: the name of each, and some values. */
  facts: {
    /** For screen readers. */
    label: "Facts",
    monitor: "Monitor",
    worstStatus: "Worst status",
    cause: "Cause",
    started: "Started",
    ended: "Ended",
    /** In place of the end. */
    stillOpen: "Still open",
    /** How long the monitor was down. */
    down: "Down",
    downValue: "{duration} in all, first at {time}",
    maintenance: "Maintenance",
    /** The outage began in the window of a planned maintenance. */
    inWindow: "Began in a window",
  },
  /** Checks before, in and after an outage. */
  checks: {
    title: "Checks",
    /** A button that leads to the results of the checks around the outage. */
    results: "Results of this time",
    lastGood: "Last good check",
    firstFailing: "First failing check",
    lastFailing: "Last failing check",
    timeWithLatency: "{time}, {latency}",
    timeWithCause: "{time}: {cause}",
    meanLatency: "Latency on average",
    /** Items of a list, such as "50 ms before, none at its beginning, 80 ms after": before, in and after the outage. */
    mean: {
      before: "{latency} before",
      beginning: "{latency} at its beginning",
      after: "{latency} after",
    },
    /** Items of the same list: no check had a latency. */
    noMean: { before: "none before", beginning: "none at its beginning", after: "none after" },
    /** For screen readers: the name of the chart. `{latencies}` is that list. */
    chart: "Latency on average: {latencies}",
    /** The key of the chart. */
    key: { latency: "latency", failing: "failing check" },
    /** A point of the chart: a check that failed. */
    failing: "failing, {latency}",
    failingWithoutAnswer: "failing, without an answer",
  },
  acknowledgement: {
    title: "Acknowledgement",
    none: "Not acknowledged. An acknowledgement stops reminders, and notifications that have not been sent yet.",
    by: "Acknowledged by {name} at {time}.",
    note: "Note (optional)",
    /** A button. */
    save: "Save note",
  },
  /** Events of an outage. `{status}` is the label of a status, `{channel}` and `{monitor}` are names. */
  timeline: {
    title: "Timeline",
    seen: "A check first saw {status}",
    confirmed: "Confirmed: {status}",
    worsened: "Got worse: {status}",
    recovered: "Recovered: {status}",
    ended: "Ended without a recovery: the monitor was paused, or no location could check it",
    notified: "Notified {channel} of {status}",
    reminded: "Reminded {channel} of {status}",
    failed: "Could not notify {channel} of {status}",
    muted: "Did not notify {channel} of {status} because {monitor} was down",
    mutedByDeleted: "Did not notify {channel} of {status} because a monitor that it depends on was down",
    /** A notification that was not sent. */
    withdrawn: "Did not notify {channel} of {status}",
    /** The same with the reason. */
    withdrawnWhy: {
      ended: "Did not notify {channel} of {status} because the outage ended first",
      acknowledged: "Did not notify {channel} of {status} because the outage was acknowledged",
      superseded: "Did not notify {channel} of {status} because a newer notification replaced it",
      paused: "Did not notify {channel} of {status} because the monitor was paused",
      hours: "Did not notify {channel} of {status} because it was outside the hours of the channel",
    },
    acknowledged: "Acknowledged by {name}",
    acknowledgedByDeleted: "Acknowledged by a deleted key",
    /** In place of `{channel}`. */
    deletedChannel: "a deleted channel",
  },
  /** A cause that several outages share. */
  causes: {
    /** A heading: these outages have one cause. */
    title: "One cause",
    /** `{cause}` is a text as below. */
    ofOutage: "One cause: {cause}",
    lasting: "for {duration}",
    since: "Since {start}",
    sinceUntil: "Since {start} until {end}",
    /** The thing that the monitors share, in a few words. `{value}` is an address, a name, a network, a domain, a location or a tag. */
    shared: {
      address: "Monitors at {value}",
      host: "Monitors at {value}",
      network: "Monitors in {value}",
      domain: "Monitors in {value}",
      certificate: "Monitors with the same certificate",
      tag: "Monitors tagged {value}",
      location: "Monitors checked from {value}",
    },
    /** The last item of a list of monitors. */
    more: { one: "and {count} more", other: "and {count} more" },
    /** A button that opens a dialog, and the title of the dialog: the monitors shall depend on one of them. */
    depend: "Make them depend on…",
    dialog: "Make them depend on",
    hint: "While this monitor is down, the notifications of the others are muted.",
    /** For screen readers: the list of monitors. */
    monitor: "Monitor",
    plan: {
      one: "{count} monitor will depend on it.",
      other: "{count} monitors will depend on it.",
    },
    /** `{names}` are monitors: with them, the dependencies would be a circle. */
    circle: "Not changed, because this one depends on them: {names}.",
    save: "Save",
    /** Beside a button "Undo". */
    changed: { one: "{count} monitor changed.", other: "{count} monitors changed." },
    /** A second sentence. */
    refused: "Not {name}: {error}",
    /** `{count}` monitors of `{total}`. */
    undone: {
      one: "Undone for {count} monitor of {total}.",
      other: "Undone for {count} monitors of {total}.",
    },
  },
} as const;
