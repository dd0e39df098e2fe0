/** The search over the page (Ctrl+K). */
export const palette = {
  /** For screen readers: the name of the dialog, its field and its list. */
  label: "Search",
  field: "Search for a monitor, view or action",
  found: "Found",
  placeholder: "Monitor, view or action",
  nothing: "Nothing matches.",
  /** Behind an entry: what it is. */
  kinds: { view: "View", action: "Action" },
  /** Entries besides the views of the menu. */
  views: { hindsight: "What would have been", profile: "Profile" },
  actions: {
    newMonitor: "New monitor",
    newChannel: "New channel",
    newMaintenance: "New maintenance",
  },
  themes: { system: "Theme: as the system", light: "Theme: light", dark: "Theme: dark" },
} as const;
