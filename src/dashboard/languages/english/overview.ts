/** The overview: the list of monitors, which is the first view. */
export const overview = {
  title: "Overview",
  /** A button for a new monitor. A phone shows "+" in its place. The text in `<long>` is left out where the screen is narrow. */
  create: "New<long> monitor</long>",
  /** The sentence at the top: the worst state of all monitors. */
  headline: {
    /** For screen readers: before the sentence. */
    before: "Overview:",
    /** `{count}` monitors of `{total}`. */
    down: { one: "{count} of {total} is down", other: "{count} of {total} are down" },
    warning: { one: "{count} of {total} has a warning", other: "{count} of {total} have a warning" },
    allHealthy: "All monitors are healthy",
    waiting: "Waiting for first results",
    /** Every monitor with a problem is in maintenance or acknowledged. */
    attended: "Nothing else needs you",
    allPaused: "All monitors are paused",
    /** How many monitors have this state, alone or in a list such as "7 healthy, 2 waiting". */
    counts: {
      healthy: { one: "{count} healthy", other: "{count} healthy" },
      /** Waiting for their first result. */
      waiting: { one: "{count} waiting", other: "{count} waiting" },
      maintenance: { one: "{count} in maintenance", other: "{count} in maintenance" },
      /** Somebody has acknowledged the outage of the monitor. */
      acknowledged: { one: "{count} acknowledged", other: "{count} acknowledged" },
    },
  },
  /** For screen readers: names of groups of buttons. */
  groups: { states: "Status", tags: "Tags", monitors: "Monitors" },
  /** Warnings that lead to the remedy. `{count}` monitors have no channel that is notified. */
  silent: {
    monitors: { one: "{count} notifies nobody", other: "{count} notify nobody" },
    /** `{schedule}` is the name of a schedule of people on call. */
    schedule: "{schedule} reaches nobody on call",
  },
  filters: {
    /** A button of a phone that shows the filters. */
    toggle: "Filter",
    /** In the empty search field. */
    search: "Search",
    /** For screen readers: the name of the search field. */
    searchName: "Search by name, target or tag",
    /** Types of monitors. */
    type: "Type",
    anyType: "All types",
    /** How the list is sorted. */
    order: "Order",
    orders: {
      trouble: "Problems first",
      name: "By name",
      uptime: "Lowest uptime first",
      latency: "Slowest first",
    },
    /** A button that shows `{count}` more tags. */
    moreTags: { one: "{count} more", other: "{count} more" },
    /** A button of a phone that closes the filters. */
    done: { one: "Show {count} monitor", other: "Show {count} monitors" },
  },
  /** For screen readers. */
  shown: { one: "{count} monitor shown", other: "{count} monitors shown" },
  none: "No monitor matches.",
  /** Buttons of the list. */
  actions: {
    /** Begins to select monitors. */
    select: "Select",
    pauseAll: "Pause all",
  },
  /** A monitor in the list. */
  row: {
    /** Below the status: how long it has lasted. A narrow screen leaves out the text in `<long>`. */
    since: "<long>for </long>{duration}",
    /** `{count}` of `{total}` locations see the monitor down. */
    downFrom: { one: "Down from {count} of {total}", other: "Down from {count} of {total}" },
    /** Below a figure, and its tooltip. */
    uptime: "uptime",
    uptimeHint: "Uptime over 90 days",
    latency: "latency",
    latencyHint: "Latest latency",
  },
} as const;
