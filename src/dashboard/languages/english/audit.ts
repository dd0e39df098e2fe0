/** The audit log: who changed what. */
export const audit = {
  title: "Audit log",
  lead: "Who changed what, through this page, the API and the command line. Fields that hold a secret are named without their old values. Entries are kept for a year.",
  entries: "Entries",
  table: "Table of entries",
  older: "Older entries",
  none: "No entries yet.",
  back: "Back to the settings",
  columns: { time: "Time", who: "Who", what: "What", fields: "Fields", address: "Address", undo: "Undo" },
  /** Badges beside a name: by what means somebody changed something. */
  actor: { cli: "command line", key: "API key", notification: "notification" },
  /** The heading of one value, or of several. */
  oldValues: { one: "Old value", other: "Old values" },
  undo: {
    button: "Undo",
    /** For screen readers. */
    label: "Undo the change of {name}",
    done: "Undone: {name} has its old values again.",
  },
  /** A change that somebody made. The name of the object follows in most of them: Created the monitor "Shop". */
  action: {
    monitor: {
      created: "Created the monitor",
      updated: "Changed the monitor",
      deleted: "Deleted the monitor",
      all_paused: "Paused all monitors",
    },
    channel: {
      created: "Created the channel",
      updated: "Changed the channel",
      deleted: "Deleted the channel",
    },
    api_key: {
      created: "Created the API key",
      updated: "Changed the API key",
      deleted: "Deleted the API key",
    },
    maintenance: {
      created: "Created the maintenance",
      updated: "Changed the maintenance",
      deleted: "Deleted the maintenance",
    },
    page: {
      created: "Created the public page",
      updated: "Changed the public page",
      deleted: "Deleted the public page",
    },
    incident: {
      created: "Created the incident",
      updated: "Changed the incident",
      deleted: "Deleted the incident",
    },
    location: {
      created: "Created the location",
      updated: "Changed the location",
      deleted: "Deleted the location",
    },
    organization: { updated: "Changed the organization" },
    outage: {
      acknowledged: "Acknowledged the outage",
      unacknowledged: "Took back the acknowledgement of the outage",
    },
    person: {
      created: "Invited the person",
      invited: "Renewed the invitation of the person",
      updated: "Changed the person",
      deleted: "Removed the person",
    },
    report: {
      created: "Created the report by mail",
      updated: "Changed the report by mail",
      deleted: "Deleted the report by mail",
    },
    schedule: {
      created: "Created the schedule",
      updated: "Changed the schedule",
      deleted: "Deleted the schedule",
    },
    session: { created: "Signed in", failed: "Failed to sign in" },
  },
} as const;
