import type { Texts } from "./texts.ts";

export const texts: Texts<"one" | "other"> = {
  colon: ": ",
  comma: ", ",

  summary: {
    none: "All Systems Operational",
    minor: "Minor Service Outage",
    major: "Partial System Outage",
    critical: "Major Service Outage",
    maintenance: "Service Under Maintenance",
  },
  componentStatus: {
    operational: "Operational",
    under_maintenance: "Under maintenance",
    degraded_performance: "Degraded performance",
    major_outage: "Major outage",
  },
  incidentStatus: {
    investigating: "Investigating",
    identified: "Identified",
    monitoring: "Monitoring",
    resolved: "Resolved",
  },
  maintenanceState: { scheduled: "Scheduled", active: "In progress", ended: "Completed" },
  day: { good: "No problems", partial: "Problems", down: "Outage", none: "No data" },

  lastChange: "Last change {time}",
  since: "Since {time}",
  span: "{from} to {to}",
  edited: "edited {time}",
  affected: "Affected: {components}",
  lessThan: "less than {amount}",
  timeZone: "Time zone: {zone}",
  ownTimeZone: "Times are in your time zone, {zone}.",
  notRefreshed: "Could not refresh since {time}.",

  currentIncidents: "Current incidents",
  maintenanceInProgress: "Maintenance in progress",
  components: "Components",
  scheduledMaintenance: "Scheduled maintenance",
  past: "Past incidents and maintenance",
  noneInDays: { one: "None in the last {count} day.", other: "None in the last {count} days." },
  earlierUpdates: { one: "{count} earlier update", other: "{count} earlier updates" },
  endedMaintenance: "Maintenance, {span}",
  atomFeed: "Atom feed",

  colorsOfDays: "Colors of the days",
  utcDays: "Days are in UTC",
  history: { one: "History of {count} day: {problems}", other: "History of {count} days: {problems}" },
  noDaysWithProblems: "no days with problems",
  daysWithProblems: { one: "{count} day with problems", other: "{count} days with problems" },
  andEarlier: { one: "and {count} earlier", other: "and {count} earlier" },
  today: "Today",
  uptime: "{uptime} uptime",
  noDataYet: "No data yet",
  meanLatency: "Mean latency of the last 24 hours",

  outage: {
    several: {
      down: { one: "{count} component is down", other: "{count} components are down" },
      degraded: { one: "{count} component is degraded", other: "{count} components are degraded" },
    },
    title: { down: "{name} is down", degraded: "{name} is degraded" },
    start: { down: "It has been down since {time}.", degraded: "It has been degraded since {time}." },
    later: "It was down for {duration}, and is degraded now.",
    end: "It lasted {duration}.",
  },

  detected: "Detected",
  downtime: "Downtime: {duration}",
  repeats: {
    every: "Every day",
    on: ["Sundays", "Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays", "Saturdays"],
    other: "Repeats",
    next: "Next: {time}",
  },
  months: { link: "Earlier months", none: "No incidents and no maintenance in this month." },
  darkMode: "Dark mode",
  calendar: "Maintenance calendar",

  notFound: { heading: "Page not found", text: "There is no status page at this address." },
  noIncident: "This page does not show this incident.",
  unlock: { label: "Password", button: "Open the page", wrong: "The password is wrong." },
  subscribe: {
    heading: "Subscribe to updates",
    text: "Get an e-mail about incidents and maintenance. You confirm your address with the first message, and each message has a link that unsubscribes you.",
    address: "E-mail address",
    button: "Subscribe",
    invalid: "This is not a valid e-mail address.",
  },
  choose: {
    label: "Choose components",
    hint: "If you choose none, you get messages about all components.",
    save: "Save",
    saved: "Your choice is saved",
  },
  pending: {
    heading: "Check your inbox",
    text: "If the address is not subscribed yet, you get a message with a link. Open it to confirm your subscription.",
  },
  limited: {
    heading: "Too many requests",
    text: "You have sent too many requests. Try again in a few minutes.",
  },
  confirm: {
    heading: "Confirm your subscription",
    text: "You then get an e-mail about incidents and maintenance of {title}.",
    button: "Confirm",
  },
  confirmed: {
    heading: "You are subscribed",
    text: "You get an e-mail about incidents and maintenance of {title}. Each message has a link that unsubscribes you.",
  },
  unsubscribe: {
    heading: "Unsubscribe",
    text: "You then get no more messages about {title}.",
    button: "Unsubscribe",
  },
  unsubscribed: {
    heading: "You are unsubscribed",
    text: "You get no more messages about {title}.",
  },

  mail: {
    optIn: {
      subject: "Confirm your subscription to {title}",
      reason:
        "This address was entered to get messages about incidents, outages and maintenance of {title} ({url}).",
      confirm:
        "If it was you, confirm it within three days. If it was not you, ignore this message: without the confirmation, there are no others.",
      button: "Confirm the subscription",
    },
    newIncident: "New incident",
    maintenance: "Maintenance",
    maintenanceOver: "Maintenance is over",
    planned: "Planned maintenance",
    moved: "Maintenance was moved",
    canceled: "Maintenance was canceled",
    plannedFor: "It is planned from {start} to {end}.",
    began: "It began on {start}.",
    beganAndEnded: "It began on {start} and ended on {end}.",
    beganAndEnds: "It began on {start} and is expected to end on {end}.",
    changes: { one: "{count} change: {list}", other: "{count} changes: {list}" },
    changesOnPage: {
      one: "{count} thing changed on {title}:",
      other: "{count} things changed on {title} at the same time:",
    },
    andMore: { one: "and {count} more", other: "and {count} more" },
    last: "This is the last message of today, because a subscriber gets at most {count} in a day. The page shows the current state.",
    open: "Open the status page",
    reason: "You get these messages because you are subscribed to {title}.",
  },

  report: {
    uptime: "Uptime",
    before: "before: {uptime}",
    outages: "Outages",
    missed: "Missed runs",
    ends: "Ending within 30 days",
    certificate: "certificate",
    domain: "domain",
  },
};
