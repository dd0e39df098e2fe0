/** The monitors on a large screen, such as one on a wall, which people read from afar. */
export const wall = {
  /** The title of the document without another one. "Wall" is the screen. */
  title: "Wall",
  none: "No monitors.",
  /** For screen readers: names of lists. */
  lists: {
    counts: "Monitors by state",
    troubled: "Monitors in trouble",
    monitors: "Monitors",
    /** Monitors without a heading. */
    others: "Others",
  },
  /** The heading of monitors without a tag. */
  noTag: "No tag",
  /** A button. */
  fullScreen: "Full screen",
  /** Below the clock: `time` is such as "10:24:05". */
  updated: "Updated at {time}",
  connecting: "Connecting…",
  lost: "<b>Connection lost.</b> Reconnecting…",
  /** `time` is when the server answered last. */
  lostSince: "<b>Connection lost.</b> What you see is from {time}. Reconnecting…",
  /** `link` leads to the page. A link of the wall shows it without signing in. */
  signedOut: "<b>You are signed out.</b> <link>Sign in</link>, or use a link of the wall.",
  brokenLink: "<b>This link does not work.</b> It was deleted, or is not complete.",
  /** `status` is a label such as "Down", `duration` such as "2 d 5 h". */
  lasts: "{status} for {duration}",
  /** The monitors for which there is no room on the screen, as a list of numbers by state: "+12 healthy, +3 paused". */
  more: {
    healthy: { one: "+{count} healthy", other: "+{count} healthy" },
    warning: { one: "+{count} warning", other: "+{count} warning" },
    down: { one: "+{count} down", other: "+{count} down" },
    waiting: { one: "+{count} waiting", other: "+{count} waiting" },
    paused: { one: "+{count} paused", other: "+{count} paused" },
    acknowledged: { one: "+{count} acknowledged", other: "+{count} acknowledged" },
    maintenance: { one: "+{count} in maintenance", other: "+{count} in maintenance" },
  },
} as const;
