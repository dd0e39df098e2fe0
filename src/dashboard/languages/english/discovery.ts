/** The view of everything that runs where the server looks, such as containers, and of the part that no monitor watches. */
export const discovery = {
  title: "What runs here",
  lead: "The server finds what runs here. What asks for a monitor gets one. You decide about the rest.",
  /** `option` is the name of an option of the command line. */
  none: "This server looks for nothing. Start it with {option}.",
  /** A warning on the overview, which leads to this view: how many things of `{found}` no monitor watches. */
  unwatched: {
    /** Containers of Docker. */
    docker: {
      one: "{count} of {found} containers is watched by nobody",
      other: "{count} of {found} containers are watched by nobody",
    },
    /** Host names in Kubernetes. */
    kubernetes: {
      one: "{count} of {found} hosts is watched by nobody",
      other: "{count} of {found} hosts are watched by nobody",
    },
    /** Targets of Prometheus, in files and from a URL. */
    files: {
      one: "{count} of {found} targets in files is watched by nobody",
      other: "{count} of {found} targets in files are watched by nobody",
    },
    http: {
      one: "{count} of {found} targets over HTTP is watched by nobody",
      other: "{count} of {found} targets over HTTP are watched by nobody",
    },
  },
  /** Where the server looks. */
  sources: {
    title: "Sources",
    names: { docker: "Docker", kubernetes: "Kubernetes", files: "Files", http: "HTTP" },
    /** Everything that was found is watched. */
    watched: { one: "{count} found, and watched", other: "{count} found, all watched" },
    nothing: "Nothing found",
    /** When a source was read: `ago` is a time such as `5 min`. */
    read: "read {ago} ago",
    neverRead: "not read yet",
  },
  faults: {
    title: "Faults",
    lead: "A source or entry with a fault changes nothing: its monitors stay as they are.",
  },
  /** Things that run, and that no monitor watches. */
  list: {
    title: "Watched by nobody",
    none: "Everything that runs here is watched.",
    /** A button that opens the form of a new monitor, and its name for screen readers. */
    watch: "Watch",
    watchLabel: "Watch {name}",
  },
  /** Monitors of things that run no more. */
  gone: {
    title: "Gone",
    lead: "Their monitors are paused, and deleted if they do not come back in time.",
    /** Times, such as "29 Nov 2026, 10:15". */
    since: "Gone since {since}. Deletion: {until}",
  },
} as const;
