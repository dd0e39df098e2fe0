/**
 * A replay: how other settings would have changed the last days. Sentences such as "With 2: 3 messages instead of 41 in 30 days; the 3
 * outages 38 s later". Messages are notifications.
 */
export const replay = {
  /** `{change}` is the new value or a text below, `{outcome}` is one outcome or several, with `separator` between them. */
  sentence: "With {change}: {outcome}",
  separator: "; ",
  change: {
    several: "these changes",
    /** A change without a short value. */
    other: "this change",
    milliseconds: "{count} ms",
    days: { one: "{count} day", other: "{count} days" },
  },
  /**
   * Outcomes. `{days}` is a number of days as below; `{messages}`, `{outages}` and `{before}` are figures, such as "3" or "3 to 5". The
   * plural form belongs to the messages or outages.
   */
  days: { one: "{count} day", other: "{count} days" },
  nothing: {
    one: "nothing would differ in {days}: {messages} message",
    other: "nothing would differ in {days}: {messages} messages",
  },
  sameMessages: {
    one: "{messages} message as before in {days}",
    other: "{messages} messages as before in {days}",
  },
  messages: {
    one: "{messages} message instead of {before} in {days}",
    other: "{messages} messages instead of {before} in {days}",
  },
  outages: {
    one: "{outages} outage instead of {before}",
    other: "{outages} outages instead of {before}",
  },
  /** `{delay}` is a delay as below. */
  delayed: { one: "the {outages} outage {delay}", other: "the {outages} outages {delay}" },
  missed: { one: "{count} outage without a message", other: "{count} outages without a message" },
  /** A figure that is not known exactly; also a duration. */
  range: "{from} to {to}",
  /** A message that comes later or earlier. `{duration}` is a duration or a range of durations. */
  delay: {
    later: "{duration} later",
    earlier: "{duration} earlier",
    earlierToLater: "{earlier} earlier to {later} later",
    /** `{most}` and `{median}` are delays. */
    atMost: "at most {most}",
    medianAtMost: "{median}, at most {most}",
    /** Below a second. */
    none: "0 s",
  },
  /** Headings of two lists: outages that would not have been, and outages without any message. */
  lists: { gone: "Outages gone", missed: "Outages without a message" },
  /** The same with the number of outages. */
  counts: { gone: "Outages gone: {count}", missed: "Outages without a message: {count}" },
  /** After a status. */
  lasted: "for {duration}",
  /** A link to the view that tries more changes. */
  more: "Try more on a time line",
} as const;
