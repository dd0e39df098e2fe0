/** The parts of all forms: fields, rows, sections, buttons, drafts. */
export const form = {
  /** The views that create something: the title, and the button below the form. */
  newView: {
    monitor: { title: "New monitor", create: "Create monitor" },
    /** A channel gets notifications: a chat, an address, a service. */
    channel: { title: "New channel", create: "Create channel" },
    incident: { title: "New incident", create: "Create incident" },
    /** Planned work, in which nobody is notified. */
    maintenance: { title: "New maintenance", create: "Create maintenance" },
    /** A report by mail. */
    report: { title: "New report", create: "Create report" },
    /** A plan of who is on call. */
    schedule: { title: "New schedule", create: "Create schedule" },
  },
  /** The title of a view that edits something. */
  editTitle: "Edit {name}",
  /** In place of the form. The names of the two roles are as in the view “People”. */
  roleNeeded: "You need the role admin or owner for this.",
  /** Buttons. “Done” closes a dialog that has shown a secret once. */
  actions: { save: "Save", cancel: "Cancel", done: "Done" },
  draft: {
    /** Above a form whose entries were kept. `time` is a time of day, with its date if it was not today. */
    restored: "Restored what you typed at {time}.",
    /** A second sentence behind it. */
    lacksSecrets: "Enter the secrets again: they are not kept.",
    /** Button: deletes the entries that were kept. */
    discard: "Discard",
  },
  /** The label of the field for the name of something. */
  name: "Name",
  /** The label of a field for a zone such as Europe/Berlin. */
  timeZone: "Time zone",
  /** Below a field for a date and a time. */
  inYourZone: "In your time zone.",
  /** Units after an amount, as short as possible: hours, minutes, seconds. */
  units: { h: "h", min: "min", s: "s" },
  /** For screen readers: the choice of a unit. `field` is the label of the amount beside it. */
  unitOf: "{field}: unit",
  /** Lists whose rows the reader adds and removes. */
  rows: {
    /** A button. `list` is the heading of the list, `number` the position of the row. */
    remove: "Remove<hidden> row {number} of {list}</hidden>",
    /** For screen readers: a field of a row. `label` says what it holds, `number` is the position of the row. */
    field: "{label} {number}",
  },
  /** The headers of a request, as in HTTP. */
  headers: {
    title: "Request headers",
    name: "Header",
    value: "Value",
    add: "Add a header",
    /** `mask` are three dots. */
    hint: "Values are secrets: after saving, nobody can read them. {mask} keeps the saved value.",
  },
  /** Tags of a monitor, and buttons for tags that other monitors have. */
  tags: {
    /** Two words that could be tags. A space separates them. */
    example: "web production",
    /** For screen readers: the name of the list of buttons. */
    ofOthers: "Tags of other monitors",
    /** A button. */
    add: "<hidden>Add the tag </hidden>{tag}",
  },
  /** A search for monitors, and the list of those that were chosen. */
  picker: {
    /** For screen readers: the search. `field` is the heading of the list, such as “Depends on”. */
    search: "Search for {field}",
    placeholder: "Search by name, target or tag",
    none: "No monitor matches.",
    /** Buttons with the name of a monitor. */
    add: "<hidden>Add </hidden>{name}",
    remove: "Remove<hidden> {name}</hidden>",
  },
  /** A closed section of a form says this about a field that is set. */
  fieldIsSet: "{label}: {value}",
  /** The search over the fields of a form. */
  search: {
    label: "Find a field",
    placeholder: "Find a field, such as header or timeout",
    /** For screen readers: the list of the fields that were found. */
    found: "Fields",
    none: "No field matches.",
    /**
     * Words by which readers who know other products look for a field, or beginnings of words, in lower case and separated by commas.
     * Write the words of your language, and the English words that its readers type as well.
     */
    synonyms: {
      /** A text that the answer must contain. */
      contains: "keyword, search text",
      /** A pattern that the answer must match. */
      matches: "regex, regular",
      /** Degraded if the answer changes. */
      same: "change",
      /** Degraded if the answer is slow. */
      within: "slow, latency",
      /** A certificate that is not valid is accepted. */
      anyCertificate: "self-signed, self signed, ignore tls",
      clientCertificate: "mtls, m-tls, client cert",
      /** All fields about certificates. */
      certificate: "ssl",
      /** How long a check may take. */
      timeout: "timeout, time-out, time out",
      signIn: "user name, user-name, username, password, auth, token",
      /** How many further checks confirm a status. */
      confirmation: "retr",
      /** Who is notified, and when. */
      channels: "escalat, remind",
      /** The monitors that a monitor depends on. */
      dependsOn: "parent",
      /** Where it is checked from. */
      locations: "region, probe",
    },
  },
} as const;
