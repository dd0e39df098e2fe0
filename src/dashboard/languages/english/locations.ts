/** The places from which monitors are checked, each with a probe: a program that runs there and connects to this server. */
export const locations = {
  list: {
    title: "Locations",
    lead: "A probe in another location checks monitors from there, and connects to this server. Each monitor has a list of the locations that check it.",
    none: "No locations yet. This server does all checks.",
    /** When a probe was last connected: `ago` is a time such as `5 min`. */
    seen: "seen {ago} ago",
  },
  /** Facts about a location, with dots between them. */
  facts: {
    monitors: { one: "{count} monitor", other: "{count} monitors" },
    version: "version {version}",
    /** `delay` is a duration such as "120 ms". */
    delay: "results arrive after {delay}",
  },
  /** Warnings about a location. */
  notes: {
    /** Results of checks that wait in the location. */
    waiting: { one: "{count} result waits to be sent", other: "{count} results wait to be sent" },
    dropped: {
      one: "{count} result became too old to be sent",
      other: "{count} results became too old to be sent",
    },
    /** `setting` is the name of a setting of Linux. */
    noPing: "It can't ping: set {setting} there.",
    sharedKey: "Several probes use its key. Create a location for each probe.",
  },
  /** Labels; adjectives, of a location. */
  label: {
    /** Its probe has never connected. */
    new: "Not connected yet",
    connected: "Connected",
    /** Its probe was connected, and does not connect any more. */
    silent: "Silent",
    /** The network of the location has a fault, not the monitors. */
    atFault: "Network at fault",
  },
  /** Consequences of the labels. Locations vote on whether a monitor is down. */
  effect: {
    new: "It has no vote until its probe connects.",
    /** "Waiting" is the label of a status. */
    silent: "It has no vote. Monitors that only it checks are Waiting.",
    atFault: "All its checks fail, while other locations see most of the monitors healthy. It has no vote.",
  },
  /** Buttons, and their names for screen readers. */
  actions: {
    /** Creates one. */
    new: "New location",
    create: "Create location",
    rename: "Rename",
    renameLabel: "Rename the location {name}",
    save: "Save",
    deleteLabel: "Delete the location {name}",
  },
  renameTitle: "Rename the location",
  delete: {
    question: "Delete the location “{name}”?",
    text: "Its key is rejected immediately, and results that its probe has not sent yet are lost. You cannot undo this.",
  },
  /** How to run the probe of a new location. `name` is the location. */
  setup: {
    newTitle: "New location",
    createdTitle: "The probe in “{name}”",
    copyNow: "<b>Copy the key now.</b> This is the only time it is shown.",
    /** For screen readers: the name of the two buttons below. */
    ways: "How to run the probe",
    commandLine: "Command line",
    /** Names of buttons, which begin with "Copy". */
    copyKey: "Copy the key",
    copyCommand: "Copy the command",
    /** A unit of systemd. */
    copyUnit: "Copy the unit",
    /** `file` is the name of a file. */
    command: "On the other machine, save the key in the file {file}, then run:",
    /** Both are names of files. `unit` is a unit of systemd. */
    unit: "On the other machine, save the key as {key}, readable only by root, and this unit as {unit}:",
    thenRun: "Then run:",
    hint: "The probe only connects to this server, and needs no open port. Replace the address if it reaches the server at another one.",
  },
} as const;
