/**
 * The outcome of a button on a notification of the browser, as another notification. Each text is a title or a short sentence. The
 * service worker has these English words too, for a browser that has not stored the texts of its language.
 */
export const worker = {
  /** Says that somebody knows of an outage. */
  acknowledge: {
    done: "Acknowledged",
    failed: "Not acknowledged",
    /** `admin` is a role. */
    denied: "An API key needs the role admin to acknowledge.",
  },
  /** A muted monitor notifies nobody. */
  mute: {
    done: "Muted for an hour",
    failed: "Not muted",
    /** A person with the role `admin`. */
    denied: "Only an admin can mute a monitor.",
    /** The name of the maintenance in which the monitor is muted. */
    maintenance: "Maintenance",
  },
  unreachable: "The server can't be reached.",
  /** `status` is a number such as 500. */
  answered: "The server answered {status}.",
} as const;
