/** The view of the server itself, in the settings. */
export const server = {
  title: "Server",
  back: "Back to the settings",
  /** Labels of facts. */
  facts: {
    version: "Version",
    baseUrl: "Base URL",
    /** The network of the server. */
    network: "Own network",
  },
  /** `address` is the address of the page in the browser, `option` the name of an option of the command line. */
  otherOrigin:
    "Your browser is at {address}. Check-in URLs and links in notifications lead to the base URL, which {option} sets.",
  mail: {
    title: "E-mail",
    /** The places are names of options of the command line. */
    none: "This server cannot send e-mail. Start it with {url} and {from}.",
    /** The label of an address. */
    sender: "Sender",
    test: {
      /** The label of the field of an address. */
      to: "Send a test e-mail to",
      submit: "Send a test e-mail",
      accepted: "The mail server accepted the e-mail to {address}.",
      /** `error` is an English message. */
      failed: "Not sent: {error}.",
    },
  },
  database: {
    title: "Database",
    /** The label of the name of a program. */
    engine: "Engine",
    size: "Size",
    free: "Free on the disk",
    directory: "Data directory",
    lastBackup: "Last backup",
    noBackup: "none yet",
    /** `command` is a command. */
    backup: "{command} makes a backup while the server runs. Other backups are not known here.",
    backupElsewhere: "{command} makes backups, which are not known here.",
  },
  /** The processes that share a database. */
  nodes: {
    title: "Nodes",
    /** For screen readers. */
    table: "Table of nodes",
    columns: {
      name: "Name",
      version: "Version",
      checksPerSecond: "Checks per second",
      lastSeen: "Last seen",
    },
    others: "The other facts are those of the node that answered. All should have the same settings.",
  },
} as const;
