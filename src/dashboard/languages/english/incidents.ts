/** Incidents, which people write on a public page, and the outages that the page shows by itself. */
export const incidents = {
  title: "Incidents",
  titleOf: "Incidents of {page}",
  lead: "Outages of the components are shown by themselves. Turn one into an incident to write about it.",
  /** The same for a page that shows only longer outages. */
  leadWithMinimum:
    "Outages of the components are shown by themselves once they are longer than {duration}. Turn one into an incident to write about it.",
  /** Buttons that lead to the page. */
  editPage: "Edit the page",
  showPage: "Show the page",
  create: "New incident",
  open: {
    /** A heading; adjective, of incidents. */
    title: "Open",
    none: "No open incidents.",
  },
  ended: {
    /** A heading; adjective, of incidents. */
    title: "Ended",
    none: "No ended incidents.",
  },
  /** The progress of an incident: labels. */
  status: {
    investigating: "Investigating",
    identified: "Identified",
    monitoring: "Monitoring",
    resolved: "Resolved",
  },
  impact: {
    none: "No impact",
    minor: "Minor impact",
    major: "Major impact",
    critical: "Critical impact",
  },
  /** An outage that the page shows by itself. */
  outage: {
    badge: "Outage",
    /** Adjectives, of the outage. */
    open: "Open",
    ended: "Ended",
    /** The title of an incident about it. `{name}` is a component of the page. */
    titleOfDown: "{name} is down",
    titleOfDegraded: "{name} is degraded",
    /** A button that creates an incident in place of the outage, and its name for screen readers. */
    turn: "Turn into an incident",
    turnName: "Turn into an incident: {title}",
    /** The same in a list of pages. */
    turnNameOnPage: "Turn into an incident: {title}, on {page}",
  },
  /** Public pages that show an outage. */
  publicPages: {
    title: "Public pages",
    tooShort: "Too short to be shown.",
    shown: "Shown by itself.",
    shownAs: "Shown as <link>an incident</link>.",
  },
  /** The view of one incident. */
  one: {
    /** Until it is loaded. */
    title: "Incident",
    edit: "Edit",
    deleteHint:
      "The page no longer shows it and its updates. If it was an outage, the page shows that again. You can undo this for ten seconds.",
    /** Beside a button "Undo"; and before a colon and the reason. */
    deletePending: "The incident “{title}” will be deleted.",
    deleteFailed: "The incident “{title}” could not be deleted",
  },
  facts: {
    /** For screen readers. */
    label: "Facts",
    page: "Page",
    impact: "Impact",
    components: "Components",
    started: "Started",
    resolved: "Resolved",
    /** In place of the time at which it was resolved. */
    stillOpen: "Still open",
  },
  /** Updates are messages about an incident. */
  updates: {
    title: "Updates",
    none: "No updates yet.",
    postTitle: "Post an update",
    posted: "The update is posted.",
    /** Buttons: post an update; with the status "resolved"; with another status after the incident was resolved. */
    post: "Post update",
    resolve: "Resolve incident",
    reopen: "Open again",
    postHint: "Markdown. Subscribers get it by e-mail.",
    editHint: "Markdown. The page says that it was edited. Subscribers get no e-mail.",
    firstHint: "Optional. Markdown. Subscribers get it by e-mail.",
    /** After a status. */
    edited: "· edited {time}",
    edit: "Edit",
    save: "Save",
    cancel: "Cancel",
    /** For screen readers. `{status}` is a label as above. */
    editName: "Edit the update: {status}",
    deleteName: "Delete the update: {status}",
    /** `{name}` is a label as above. */
    deleteQuestion: "Delete the update “{name}”?",
    deleteHint:
      "The page no longer shows it. The latest of the other updates decides the status of the incident. You can undo this for ten seconds.",
    /** Beside a button "Undo"; and before a colon and the reason. */
    deletePending: "The update will be deleted.",
    deleteFailed: "The update could not be deleted",
  },
  fields: {
    title: "Title",
    titleHint: "What is wrong, in a few words.",
    impact: "Impact",
    impactHint: "Sets the minimum overall state of the page.",
    components: "Affected components",
    status: "Status",
    message: "Message",
    /** A button, and the name of what it shows. */
    preview: "Preview",
    hidePreview: "Hide preview",
    nothingToShow: "Nothing to show yet.",
  },
} as const;
