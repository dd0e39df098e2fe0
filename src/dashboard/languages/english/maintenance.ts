import type { MaintenanceState } from "../../../domain/maintenance/maintenance.ts";

/**
 * Maintenances: planned work on monitors, in which nobody is notified. A window is the time of one such work, from its start to its
 * end; a maintenance that is repeated has many.
 */
export const maintenance = {
  list: {
    title: "Maintenance",
    lead: "In maintenance, checks go on, but do not count for the uptime, and nobody is notified of trouble.",
    /** For screen readers: the name of the list. */
    label: "Maintenances",
    none: "No maintenances yet.",
    /** A button. */
    create: "New maintenance",
  },
  /** Beside a maintenance. */
  state: {
    /** A window is open now. */
    active: "In progress",
    scheduled: "Scheduled",
    ended: "Ended",
  } satisfies Record<MaintenanceState, string>,
  /** Below the state: the end of the open window, or the start of the next one. */
  window: { until: "until {time}", next: "next {time}" },
  /** `reference` is the name of the maintenance in that file. */
  managedBy: "Managed by a configuration file (ref {reference})",
  /** Buttons beside a maintenance, and their names for screen readers, which begin with what the button says. */
  actions: {
    end: "End now",
    endLabel: "End now: {title}",
    edit: "Edit",
    editLabel: "Edit {title}",
    deleteLabel: "Delete {title}",
  },
  end: {
    question: "End “{name}”?",
    /** Below the question. Trouble: monitors that are down, for example. */
    text: "Trouble that lasts, and was not notified before, is notified now. Later windows stay.",
  },
  remove: {
    /** Below the question whether the maintenance is to be deleted. It: the maintenance. */
    text: "It has no further windows. You can undo this for ten seconds.",
    /** The same while a window is open. */
    textInProgress: "It ends. It has no further windows. You can undo this for ten seconds.",
    pending: "The maintenance “{title}” will be deleted.",
    /** A reason follows, after a colon. */
    failed: "The maintenance “{title}” could not be deleted",
  },
  /** Which monitors a maintenance is about: a list of one or more of these, and of names of monitors, with commas between them. */
  monitors: {
    all: "All monitors",
    /** The first item. `tags` is such as "web or db": a monitor needs one of them. */
    tagged: "Monitors with the tag {tags}",
    /** The last item, without names before it. */
    count: { one: "{count} monitor", other: "{count} monitors" },
    /** The last item, after names of monitors. */
    more: { one: "{count} more", other: "{count} more" },
  },
  /** When a maintenance is. */
  times: {
    /** `span` is from a date and time to another one. `length` is a duration, such as "1 h 30 min". */
    once: "{span} ({length})",
    /** `cron` is a cron expression, such as "0 2 * * 0", `length` the duration of each window. */
    repeated: "{cron} ({zone}), {length} each",
    repeatedUntil: "{cron} ({zone}), {length} each, until {end}",
  },
  /** A month with its windows. */
  calendar: {
    /** Buttons. */
    previous: "Previous<hidden> month</hidden>",
    thisMonth: "This month",
    next: "Next<hidden> month</hidden>",
    /** For screen readers: the name of the table. `month` is such as "November 2026". */
    caption: "Maintenances in {month}",
    /** Which part of a day a window covers, with times of day. Its title follows. */
    span: "{start} – {end}",
    from: "from {start}",
    until: "until {end}",
    allDay: "all day",
    /** In place of the windows of a day for which there is no room. */
    more: { one: "and {count} more", other: "and {count} more" },
    manyMore: "and more",
  },
  form: {
    /** The title of the view while it loads, or if it cannot. */
    title: "Maintenance",
    name: "Title",
    message: "Message",
    messageHint: "Optional. It is part of the notifications about this maintenance.",
    /** A list of channels: chats and addresses that get notifications. */
    notify: "Notify of start and end",
    publicPages: "Public pages",
    /** A checkbox. */
    notifySubscribers: "Notify subscribers when this maintenance is planned, moved or canceled",
    /** A choice of one of the next two. */
    when: "When",
    kinds: { once: "Once", repeated: "Repeated, by a cron expression" },
    start: "Start",
    end: "End",
    cron: "Cron expression of the starts",
    /** `expression` is "0 2 * * 0". */
    cronHint: "Minute, hour, day, month, weekday. {expression} is each Sunday at 02:00.",
    duration: "Duration",
    /** For screen readers: the choice of one of the next four. */
    unit: "Unit of the duration",
    /** Behind a number in another field. */
    units: { minutes: "minutes", hours: "hours", days: "days", seconds: "seconds" },
    until: "No start after",
    /** It: the maintenance. */
    untilHint: "In your time zone. If empty: it has no end.",
  },
  /** The windows by the times in the form. */
  preview: {
    /** Headings. */
    title: { once: "The window", repeated: "The next windows" },
    incomplete: "Complete the times to see when this maintenance is.",
    none: "No window is left.",
    /** Behind a window, after a dot: how far away it is. `duration` is such as "2 h 5 min". */
    over: "over",
    open: "open now, ends in {duration}",
    ahead: "in {duration}",
    /** The window in the time zone of the reader, after a window in another zone. */
    yourTime: "your time: {span}",
    affected: { one: "{count} monitor is affected now.", other: "{count} monitors are affected now." },
  },
  /** The choice of monitors, which other forms have too. */
  selector: {
    legend: "Monitors",
    /** A checkbox. */
    all: "All monitors",
    tags: "Monitors with one of these tags",
    single: "Single monitors",
  },
} as const;
