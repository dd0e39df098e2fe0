/** The frame of the page: menu, session, first loading. */
export const app = {
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
  notFound: {
    title: "Not found",
    /** `back` leads to the overview. */
    text: "No page has this address. <back>Back to the overview</back>",
  },
} as const;
