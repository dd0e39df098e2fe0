/** Who is notified of a monitor, and when: the fields of a monitor, and the sentences about them. */
export const bindings = {
  fields: {
    legend: "Channels to notify",
    /** Beside the name of a channel: its service, such as Slack. */
    disabled: "{service}, disabled",
    /** Beside the name of a schedule. */
    schedule: "Whoever is on call",
    none: "No channels yet.",
    /** A button. */
    newChannel: "New channel",
    /** For screen readers; `name` is a channel or a schedule. */
    after: "When to notify {name}",
    every: "Reminders for {name}",
  },
  /** When a channel is notified. `duration` is such as 5 min. */
  after: { atOnce: "At once", later: "After {duration}" },
  /** How often a channel is reminded. */
  every: { never: "No reminder", often: "Remind every {duration}" },
  /** The hours of the week in which a channel is notified. `name` is whose hours they are. */
  hours: {
    label: "Hours for {name}",
    always: "At all times",
    /** Outside the hours, a message waits, or is never sent. */
    hold: "Hold outside hours",
    drop: "Drop outside hours",
    timezone: "Time zone",
    /** A button that adds a row with days and times. */
    add: "Add hours",
    /** For screen readers; `number` is the number of a row. The first and the last time of the hours. */
    from: "From {number}",
    to: "To {number}",
    /** A button; the hidden part is for screen readers. */
    remove: "Remove<hidden> hours {number}</hidden>",
    /** From one day or time to another. */
    range: "{from}–{to}",
    /** Days, then times. */
    window: "{days} {times}",
  },
  /** The heading of what happens with trouble, and the names in it. */
  preview: {
    title: "Who is notified, when",
    nobody: "Nobody, because no channel is selected.",
    onCall: "On call: {name}",
  },
  nobody: {
    title: "Nobody is notified.",
    schedules: "Its schedules reach nobody, and no default channel is enabled.",
    disabled: "Each channel of this monitor is disabled.",
    choose: "Choose channels",
    /** Before a list of channels; `name` is a monitor. */
    forMonitor: "For {name}:",
  },
  /** How many further checks, runs or failures of a job change the status. `atOnce` and `further` are also choices of `recovery`. */
  confirmation: {
    label: "Confirm before notifying",
    hint: "The further checks come at most 20 s apart. Until they agree, the status stays and nobody is notified. More of them help if a site is often Degraded for a moment.",
    atOnce: "Immediately, after one check",
    atOnceOfJob: "Immediately, after one failure or missed run",
    further: { one: "After {count} further check", other: "After {count} further checks" },
    furtherOfJob: {
      one: "After {count} further failure or missed run",
      other: "After {count} further failures or missed runs",
    },
    recovery: "Confirm a recovery",
    recoveryOfJob: "Immediately, after one success",
    recoveryFurtherOfJob: { one: "After {count} further success", other: "After {count} further successes" },
  },
  /** From where a monitor is checked, and how many of these places must see trouble. */
  locations: {
    legend: "Check from",
    none: "Select at least one location.",
    votes: "Trouble counts if it is seen by",
    votesHint: "A location has no vote while it is silent or its own network is at fault.",
    majority: "More than half of the locations",
    any: "Any location",
    all: "All locations",
    atLeast: { one: "At least {count} location", other: "At least {count} locations" },
  },
  /** A way out for a monitor in trouble. `link` leads to its form. */
  followRedirects: "The server redirects to another address. <link>Follow redirects</link>",
  acceptChange: "Is the change meant? Acknowledge the outage: the content then counts as usual.",
} as const;
