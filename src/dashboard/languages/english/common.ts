/** Texts that several views have in exactly the same role. */
export const common = {
  /** Between the items of a short list, with its space. */
  comma: ", ",
  /** Between two sentences. */
  sentenceSpace: " ",
  /** The roles of people and keys; each one includes the rights of those before it. */
  role: { viewer: "viewer", admin: "admin", owner: "owner" },
  /** A person whose account is deleted, but whose name is in the audit log. */
  deletedPerson: "{name} (deleted)",
  /** Buttons. */
  actions: {
    delete: "Delete",
    /** Closes a dialog, and changes nothing. */
    cancel: "Cancel",
  },
  copy: {
    /** A button, and the answers that it shows for a moment in place of its label. */
    button: "Copy",
    done: "Copied",
    failed: "Not copied",
  },
  /** The title of a dialog. */
  deleteQuestion: "Delete “{name}”?",
  /** In place of the name of a location: the server that shows this page. */
  thisServer: "This server",
  /** Kinds of monitors, by their targets. */
  kinds: {
    HTTP: "Website",
    PING: "Ping",
    /** A TCP port. */
    TCP: "Port",
    /** A TLS certificate. */
    TLS: "Certificate",
    DNS: "DNS",
    SCHEDULED: "Cron job",
    MAIL: "Mail server",
    DATABASE: "Database",
    SSH: "SSH, FTP",
    WEBSOCKET: "WebSocket",
    GRPC: "gRPC",
  },
} as const;
