/** Schedules: who is on call. */
export const onCall = {
  title: "On call",
  lead: "A monitor can notify a schedule in place of a channel: then its notifications go to whoever is on call.",
  create: "New schedule",
  none: "No schedules yet.",
  nobody: "Nobody",
  deleted: "A deleted person",
  week: {
    /** The first and the last day of a week. */
    range: "{from} – {to}",
    /** Buttons; the hidden part is for screen readers. */
    previous: "Previous<hidden> week</hidden>",
    present: "This week",
    next: "Next<hidden> week</hidden>",
    /** For screen readers; `name` is a schedule. */
    caption: "Who is on call in {name}",
  },
  zone: "Shown in your time zone; turns change by the clocks of {timezone}.",
  managed: "Managed by a configuration file (ref {ref}).",
  /** Who is on call now; `name` is a person. */
  now: {
    until: "{name} is on call until {time}.",
    alone: "{name} is on call, and nobody else in the next 92 days.",
    nobody: "Nobody is on call.",
    unreached:
      "{name} has no channel that is enabled. The notifications go to the <link>channels of new monitors</link>.",
    defaults: "The notifications go to the <link>channels of new monitors</link>.",
  },
  turn: {
    allDay: "all day",
    /** The first and the last time of a turn. */
    range: "{from}<rest> – {to}</rest>",
  },
  /** Buttons of a schedule, and their names for screen readers. */
  actions: {
    takeOver: "Take over",
    takeOverLabel: "Take over {name}",
    calendar: "Calendar",
    calendarLabel: "Calendar of {name}",
    edit: "Edit",
    editLabel: "Edit {name}",
    deleteLabel: "Delete {name}",
    deleteText: "Its overrides are deleted too, and the link of its calendar ends.",
  },
  calendar: {
    title: "Calendar of “{name}”",
    createdTitle: "The calendar of “{name}”",
    text: "Calendar programs can subscribe to a link that shows who is on call in the next 92 days. A new link ends the previous one.",
    submit: "Create a link",
    shownOnce:
      "<b>Copy it now.</b> This is the only time it is shown. Whoever has it can read who is on call.",
    copy: "Copy the link",
  },
  /** Somebody takes over for a time: an override of the schedule. */
  takeOver: {
    title: "Take over “{name}”",
    who: "Who",
    /** The reader in a list of people. */
    you: "{name} (you)",
    from: "From",
    until: "Until",
    submit: "Save",
  },
  overrides: {
    title: "Overrides",
    question: "Delete the override of “{name}”?",
    /** For screen readers; `span` is a stretch of time. */
    label: "Delete the override of {name}, {span}",
    text: "Then the schedule decides again who is on call.",
  },
  form: {
    title: "Schedule",
    newTitle: "New schedule",
    zoneHint: "Turns of days and weeks change by its clocks.",
  },
  /** The parts of a schedule, each with people who take turns. The first one that has somebody decides. */
  layers: {
    legend: "Layers",
    hint: "The first layer that has somebody decides. A layer with hours counts only in them; the next one fills the gaps.",
    add: "Add a layer",
    one: "Layer {number}",
    remove: "Remove layer {number}",
    every: "Turns change",
    everyDay: "Every day",
    everyWeek: "Every week",
    afterHours: "After some hours",
    hours: "Hours of a turn",
    startsAt: "First turn begins (time zone above)",
    /** For screen readers. */
    counts: "When layer {number} counts",
    countsAlways: "Counts at all times",
    countsInHours: "Counts only in hours",
    /** For screen readers: the hours in which a layer counts. */
    hoursOf: "Hours for layer {number}",
  },
  turns: {
    /** A person in a numbered list. */
    person: "{number}. {name}",
    /** A button that moves a person up; the hidden parts are for screen readers. */
    earlier: "Earlier<hidden>: {name}</hidden>",
    remove: "Remove<hidden> {name}</hidden>",
    choose: "Person to add to layer {number}",
    add: "Add<hidden> the person to layer {number}</hidden>",
    none: "Invite people first, in Set up → People.",
  },
} as const;
