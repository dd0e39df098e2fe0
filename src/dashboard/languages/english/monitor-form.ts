/** The form of a monitor: the check before it is saved, and the preview of its notifications. */
export const monitorForm = {
  /** Checks the values of the form once. */
  checkNow: {
    button: "Check now",
    /** In its place until the check has ended. */
    checking: "Checking…",
    /** A button: the checks follow redirects of the server. */
    followRedirects: "Follow redirects",
    /** `expectation` is a sentence in English, about the field that the answer does not match. */
    failedExpectation: "Not as expected: {expectation}",
    /** The finding, behind the status. `day` is such as 2026-11-21. */
    validUntil: "valid until {day}",
    /** `code` is a status code of HTTP. */
    answeredWith: "answered with {code}",
  },
  /** The answer of the server to this check. */
  answer: {
    /** For screen readers. */
    label: "Answer",
    /** Names of facts. */
    status: "Status",
    duration: "Time to the end of the answer",
    isPrivate: "Headers and body are not shown, because the address is private.",
    notStored: "This answer is not stored.",
    /** HTTP headers. */
    headers: "Headers ({count})",
    body: "Body",
    bodyStart: "The first 2 KiB of the body",
    /** In place of the body. */
    bodyUnreadable: "The body could not be read.",
    bodyEmpty: "The body is empty.",
  },
  /** When a channel is notified: one sentence each, one after the other. */
  preview: {
    disabled: "Never: the channel is disabled.",
    /** `after` and `every` are durations, such as “1 h 30 min”. Down and warning are groups of statuses. */
    start: {
      down: {
        atOnce: "At once if the monitor goes down.",
        atOnceAndAgain:
          "At once if the monitor goes down, then every {every} until it is over or acknowledged.",
        late: "If the monitor goes down, and that lasts {after} without being acknowledged.",
        lateAndAgain:
          "If the monitor goes down, and that lasts {after} without being acknowledged, then every {every} until it is over or acknowledged.",
      },
      warning: {
        atOnce: "At once if the monitor gets a warning.",
        atOnceAndAgain:
          "At once if the monitor gets a warning, then every {every} until it is over or acknowledged.",
        late: "If the monitor gets a warning, and that lasts {after} without being acknowledged.",
        lateAndAgain:
          "If the monitor gets a warning, and that lasts {after} without being acknowledged, then every {every} until it is over or acknowledged.",
      },
      downOrWarning: {
        atOnce: "At once if the monitor goes down or gets a warning.",
        atOnceAndAgain:
          "At once if the monitor goes down or gets a warning, then every {every} until it is over or acknowledged.",
        late: "If the monitor goes down or gets a warning, and that lasts {after} without being acknowledged.",
        lateAndAgain:
          "If the monitor goes down or gets a warning, and that lasts {after} without being acknowledged, then every {every} until it is over or acknowledged.",
      },
    },
    /** The hours of a channel, such as “Mon–Fri 08:00–18:00, Europe/Berlin”. “It” is the notification. */
    outside: {
      drop: "Outside {hours} it is never sent.",
      hold: "Outside {hours} it waits until they open, and is sent if the trouble lasts.",
    },
    /** The notification at the end of the trouble. */
    recovery: {
      never: "Not when it is healthy again.",
      always: "Also when it is healthy again.",
      ifNotified: "Also when it is healthy again, if the trouble was notified.",
    },
    /** The trouble is confirmed first. */
    confirmed: {
      checks: {
        one: "{count} further check must agree before anybody is notified.",
        other: "{count} further checks must agree before anybody is notified.",
      },
      runs: {
        one: "{count} further failure or missed run must follow before anybody is notified.",
        other: "{count} further failures or missed runs must follow before anybody is notified.",
      },
    },
    /** `monitors` are names of which any may be down: “A, B or C”. */
    muted: "Trouble that begins while {monitors} is down is notified only if it lasts longer.",
    silent: "Nobody is notified if {monitors} itself is down: bind an enabled channel to it.",
  },
} as const;
