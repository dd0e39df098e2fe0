import type { ComponentStatus } from "../../../domain/pages/component-status.ts";
import type { Impact } from "../../../domain/pages/incident.ts";
import type { PageVisibility } from "../../../domain/pages/page-request.ts";
import type { BadgeKind } from "../../../domain/pages/public-page.ts";

/** Public pages, on which customers see the status of services: their list, their editor, and what shows them elsewhere. */
export const pages = {
  list: {
    title: "Public pages",
    lead: "A public page shows your customers the status of the monitors that you choose, without their targets.",
    /** For screen readers: the name of the list. */
    label: "Public pages",
    none: "No public pages yet.",
    /** A button. */
    create: "New page",
    /** Who may read a page: everybody, whoever has the password, or nobody. */
    visibility: {
      public: "Public",
      password: "Password",
      off: "Off",
    } satisfies Record<PageVisibility, string>,
    /** A component is a monitor as a public page shows it. */
    components: { one: "{count} component", other: "{count} components" },
  },
  /** Buttons beside a page, and their names for screen readers, which begin with what the button says. `title` is of the page. */
  actions: {
    /** Shows the page as its readers see it. */
    open: "Open",
    openLabel: "Open {title}",
    /** Leads to what people have written on the page about trouble. */
    incidents: "Incidents",
    incidentsLabel: "Incidents of {title}",
    deleteLabel: "Delete {title}",
  },
  remove: {
    /** Below the question whether the page is to be deleted. */
    text: "Its incidents and subscribers are deleted too. Its monitors stay. You can undo this for ten seconds.",
    pending: "The page “{title}” will be deleted.",
    /** A reason follows, after a colon. */
    failed: "The page “{title}” could not be deleted",
  },
  editor: {
    newTitle: "New page",
    /** The title of the view while the page loads, or if it cannot. */
    title: "Public page",
    /** Button. */
    create: "Create page",
    /** Beside the button “Save”, afterwards. */
    saved: "Saved.",
  },
  fields: {
    /** The heading of the public page. */
    title: "Title",
    /** The end of the URL of the page. */
    address: "Address",
    addressHint: "a-z, 0-9 and -. Existing links stop working if you change this.",
    description: "Description",
    descriptionHint: "Optional. A few words below the title.",
    /** A checkbox. */
    public: "Public",
    publicHint: "Everybody who knows the address can read the page. Otherwise nobody can.",
    password: "Password",
    passwordHint: "Optional. Readers then need it too.",
  },
  /** A section of the form. */
  history: {
    title: "History, outages and latency",
    days: "Days of history",
    daysHint: "7 to 90, today included.",
    minOutage: "Shortest outage, in seconds",
    minOutageHint: "Only longer outages are shown as incidents.",
    /** A checkbox. */
    showLatency: "Show the mean latency of the last 24 hours",
  },
  /** A section of the form. */
  language: {
    title: "Language and time zone",
    label: "Language",
    hint: "Of the page, its feed and its e-mails. What you write stays as it is.",
    /** An option: the page is in the language that each reader's browser asks for. */
    ofReader: "Language of the reader",
    /** Below the field for the time zone. */
    zoneHint:
      "Of the times in e-mails, in the feed, and on the page if scripts do not run. Days of the history are in UTC.",
  },
  /** A section of the form. */
  look: {
    title: "Color, logo and embedding",
    color: "Color",
    colorHint: "Optional. For links and buttons, darker or lighter where it would not be readable.",
    logo: "Logo",
    logoHint: "Optional. PNG, JPEG, WebP, GIF or SVG, up to 64 KiB.",
    /** For screen readers: what a picture shows. */
    logoImage: "The logo of the page",
    /** A checkbox. */
    removeLogo: "Remove the logo",
    /** Other websites, which show the page in a frame. */
    embedOrigins: "Sites that may embed the page",
    /** In the field, each line has one site. `example` is a URL. */
    embedOriginsHint: "Optional. One a line, such as {example}.",
  },
  /** The part of the form with the components of the page, some of them in groups. The reader drags them, or uses keys. */
  layout: {
    legend: "Components",
    hint: "In the order of the page. Drag the handle of a component, or press the arrow keys up and down on it.",
    none: "No components yet. Add monitors below.",
    /** For screen readers: the name of the list. */
    list: "Components",
    /** For screen readers: the search. */
    search: "Search for monitors to add",
    searchPlaceholder: "Add monitors: search by name, target or tag",
    /** Buttons. The first one adds all monitors that the search has found. */
    addAll: { one: "Add all {count} monitor", other: "Add all {count} monitors" },
    addGroup: "Add a group",
    /** For screen readers: the field with the name of a component. `monitor` is the name of its monitor. */
    componentName: "Name of {monitor} on the page",
    /** Placeholder and name of a field. */
    groupName: "Name of the group",
    emptyGroup: "Move components into this group. It is not saved while it is empty.",
    /** For screen readers: the buttons in the row of a component, and what is said after its removal. `name` is of the component. */
    component: {
      move: "Move {name}",
      up: "Move {name} up",
      down: "Move {name} down",
      remove: "Remove {name}",
      removed: "Removed: {name}.",
    },
    /** The same for a group of components. `name` is of the group. */
    group: {
      move: "Move the group {name}",
      up: "Move the group {name} up",
      down: "Move the group {name} down",
      remove: "Remove the group {name}",
      removed: "Removed: the group {name}.",
    },
    /** The same for a group that has no name yet. */
    groupWithoutName: {
      move: "Move the group",
      up: "Move the group up",
      down: "Move the group down",
      remove: "Remove the group",
      removed: "Removed: the group.",
    },
    /** For screen readers: said after other changes. */
    announcement: {
      added: { one: "Added: {count} monitor.", other: "Added: {count} monitors." },
      groupAdded: "Added: a group.",
      /** Where a component or a group is now, in the order of the page or of a group. */
      place: "Position {position} of {count}.",
      placeInGroup: "Position {position} of {count} in {group}.",
      placeInGroupWithoutName: "Position {position} of {count} in a group without a name.",
      /** It cannot be moved up, or down. It: a component or a group. */
      isFirst: "It is the first.",
      isLast: "It is the last.",
    },
  },
  /** In place of the name of a group that has none yet. */
  group: "Group",
  /** In place of the name of a monitor that somebody has deleted. */
  deletedMonitor: "Deleted monitor",
  /** The public page, as the form has it now. The tables of public pages (src/status-page/languages) have some of these texts. */
  preview: {
    title: "Preview",
    /** For screen readers: the name of the picture of the page. */
    label: "What readers see",
    /** In place of the title of the page. */
    untitled: "Untitled",
    noComponents: "Its components are shown here.",
    note: "With the current statuses. The page also shows incidents and maintenance, in its own color.",
    /** The state of all components together. */
    summary: {
      none: "All Systems Operational",
      minor: "Minor Service Outage",
      major: "Partial System Outage",
      critical: "Major Service Outage",
      maintenance: "Service Under Maintenance",
    } satisfies Record<Impact | "maintenance", string>,
    /** The state of a component. */
    componentStatus: {
      operational: "Operational",
      under_maintenance: "Under maintenance",
      degraded_performance: "Degraded performance",
      major_outage: "Major outage",
    } satisfies Record<ComponentStatus, string>,
    /** The two ends of a strip of days, and the names of the days. */
    daysAgo: { one: "{count} day ago", other: "{count} days ago" },
    today: "Today",
    /** `uptime` is a percentage, such as "99.9%". */
    uptime: "{uptime} uptime",
  },
  /** The addresses of the page, and code that shows it elsewhere, to copy. */
  snippets: {
    title: "Links and badges",
    /** They: the addresses below. */
    needPassword: "They work for readers who have entered the password.",
    notPublic: "They work for everybody once the page is public.",
    /** `option` is a part of a command. That host: the name that the option has. */
    ownHost: "For a host name of its own, start the server with {option}, and send that host to it.",
    /** Labels of the lines below. Atom is a format of feeds. */
    page: "Page",
    atomFeed: "Atom feed",
    /** HTML that shows the page in a frame of another website. */
    frame: "Frame",
    imageUrl: "Image URL",
    /** An address that the service shields.io asks for. */
    shields: "shields.io endpoint",
    /** For screen readers: the button beside a line. `label` is one of the texts above, or "HTML". */
    copy: "Copy {label}",
  },
  /** A small picture with a status or a number, for other websites. */
  badge: {
    title: "Badge",
    /** For screen readers: a choice of a component or of the whole page. */
    about: "What the badge is about",
    wholePage: "The whole page",
    /** For screen readers: the choice of one of the next three. */
    kind: "What the badge shows",
    kinds: { status: "Status", uptime: "Uptime", latency: "Latency" } satisfies Record<BadgeKind, string>,
    /** In the code to copy: describes the picture. `name` is of the page or of the component. */
    image: {
      status: "Status of {name}",
      uptime: "Uptime of {name}",
      latency: "Latency of {name}",
    } satisfies Record<BadgeKind, string>,
  },
} as const;
