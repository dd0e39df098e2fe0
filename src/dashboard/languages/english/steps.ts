/** The first steps with a new server, and the overview without monitors. */
export const steps = {
  title: "First steps",
  progress: "{done} of {total} done",
  /** A button that hides the list for good. */
  hide: "Hide",
  /** For screen readers: before a step. */
  marks: { done: "Done:", open: "To do:" },
  /** Each step: its name when it is done, and what to do before. `<code>` is an option of a command, `<link>` leads to a view. */
  list: {
    person: {
      done: "Your own account",
      open: "<link>Create your own account, to sign in with a password and not with a key</link>",
    },
    monitor: { done: "A monitor", open: "<link>Create a monitor</link>" },
    /** A channel of notifications, such as a chat. */
    channel: { done: "A channel", open: "<link>Create a channel</link>" },
    test: { done: "A delivered test", open: "<link>Send a test to the channel</link>" },
    mail: {
      done: "E-mail",
      open: "Let the server send e-mail: start it with {url} and {from}",
    },
    address: {
      done: "The base URL",
      /** `{baseUrl}` and `{origin}` are addresses, `{option}` an option of a command with its value. */
      open: "Check-in URLs and links in notifications begin with {baseUrl}, but your browser is at {origin}. If that is the address for others too, start the server with {option}",
    },
    backup: { done: "A backup", open: "Make a backup: {command}" },
  },
  /** An organization without monitors. */
  firstMonitor: {
    title: "No monitors yet",
    question: "What do you want to monitor first?",
    /** `{import}` and `{apply}` are commands; the other names are products. */
    import:
      "{import} writes the monitors of Uptime Kuma, Gatus or Healthchecks to a configuration file, and {apply} creates what such a file contains.",
    /** To readers who may not create monitors. Admin and owner are roles. */
    readers: "An admin or owner of this organization can add the first monitor.",
  },
  /** The purpose of each kind of monitor, below its name. */
  purposes: {
    HTTP: "Requests a URL",
    PING: "Asks for echoes",
    TCP: "Opens a connection",
    /** The expiry of a certificate. */
    TLS: "Checks its expiry",
    DNS: "Looks up a name",
    SCHEDULED: "Waits for check-ins",
    MAIL: "SMTP, IMAP, POP3",
    DATABASE: "PostgreSQL, MySQL, Redis",
    SSH: "Reads the greeting",
    /** Opens a WebSocket and sends a ping. */
    WEBSOCKET: "Opens and pings it",
    /** The service answers whether it is healthy. */
    GRPC: "Asks for its health",
  },
} as const;
