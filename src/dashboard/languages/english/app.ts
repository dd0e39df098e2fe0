/** The frame of the page: menu, session, first loading. */
export const app = {
  /** In the HTML file, without any script: the server writes them there (behavior 27.6). */
  document: {
    /** Shown by search engines and in previews of links. */
    description: "Uptime monitoring: checks, outages and notifications.",
    /** Shown if the browser runs no scripts. */
    noScript: "This page needs JavaScript. The API, documented at /docs, does not.",
  },
  menu: {
    /** For screen readers: the name of the menu. */
    label: "Main",
    /** Groups of views, by what people do in them. */
    groups: { watch: "Watch", share: "Share", setUp: "Set up" },
    /** Views. "Maintenance" is the list of planned maintenances, "Wall" a screen on a wall. */
    views: {
      overview: "Overview",
      outages: "Outages",
      maintenances: "Maintenance",
      events: "Events",
      pages: "Pages",
      reports: "Reports",
      wall: "Wall",
      channels: "Channels",
      onCall: "On call",
      locations: "Locations",
      people: "People",
      keys: "API keys",
      settings: "Settings",
    },
  },
  skipLink: "Skip to the content",
  /** The server cannot be reached: above the view that was shown before. */
  connectionLost: "<b>Connection lost.</b> This page may be outdated. Reconnecting…",
  offline:
    "<b>The network of this server is offline.</b> Checks without any answer are not recorded, and notifications are repeated when it is back.",
  /** `setting` is the name of a setting of Linux. */
  noPing:
    "<b>This server may not ping.</b> Monitors that ping are not checked until {setting} has the group of stillup: see its log.",
  /** A button below the reason why the page could not be loaded. */
  tryAgain: "Try again",
  broken: {
    title: "This view cannot be shown",
    text: "The server was updated, cannot be reached, or sent an unexpected answer.",
    /** A button. */
    reload: "Reload the page",
  },
  theme: {
    /** For screen readers: the name of the buttons below. */
    legend: "Theme",
    labels: { system: "As the system", light: "Light", dark: "Dark" },
  },
  notFound: {
    title: "Not found",
    /** `back` leads to the overview. */
    text: "No page has this address. <back>Back to the overview</back>",
  },
} as const;
