/** API keys, and the settings of the organization. */
export const accounts = {
  keys: {
    title: "API keys",
    /** `link` leads to the documentation of the API. */
    lead: "Each key gives access to this page and the <link>API</link>, with the rights of its role.",
    create: "New key",
    /** A badge in place of the role of a key. */
    onlyOwner: "the only owner key",
    /** When a key was used: `ago` is a time such as `5 min`. */
    used: "used {ago} ago",
    neverUsed: "never used",
    /** The key with which the reader is signed in. */
    yours: "yours",
    expires: "expires {time}",
    newTitle: "New API key",
    createdTitle: "The key “{name}”",
    shownOnce: "<b>Copy it now.</b> This is the only time it is shown.",
    copy: "Copy the key",
    copyCommand: "Copy the command",
    role: "Role",
    roleHint: "Viewers read, admins also write, owners also manage keys.",
    /** The label of a field for a date. */
    expiry: "Expires",
    expiryHint: "In your time zone. If empty: never.",
    submit: "Create key",
  },
  deleteKey: {
    /** For screen readers. */
    label: "Delete the key {name}",
    question: "Delete the key “{name}”?",
    text: "Clients that use this key are rejected immediately, and its sessions end. You cannot undo this.",
    own: "You are signed in with this key, and will be signed out.",
    onlyOwner:
      "<b>This is the only valid owner key.</b> Without it, nobody can create or delete keys here, and clients that use it are rejected immediately.",
    onlyByServer: "Only somebody with access to the server can then create another one:",
    confirmation: "Type the name of the key to delete it",
  },
  settings: {
    title: "Settings",
    others: "Other settings",
    theme: "Theme",
    themeHint: "Of this browser. The wall is always dark.",
    languageHint: "Of this page. Notifications have the language of their channel.",
    server: "Server",
    serverHint: "stillup {version}: updates, e-mail and data of the server.",
    discovery: "What runs here",
    discoveryHint: "What the server has found, and what nobody watches.",
    hindsight: "What would have been",
    hindsightHint: "Other confirmations, delays or hours, tried on the last days.",
    audit: "Audit log",
    auditHint: "Who changed what, and when.",
    organization: "Organization",
    defaultChannels: "Channels of new monitors",
    noChannels: "No channels yet.",
    messageLanguage: "Language of notifications",
    messageLanguageHint: "Of channels without a language of their own, and of invitations.",
    save: "Save",
    saved: "Saved.",
  },
  /** In the settings: links that show the wall, which is the monitors on a large screen, without signing in. */
  wallLinks: {
    title: "Wall",
    /** `link` leads to the wall. */
    lead: "<link>Open the wall</link>, the monitors on a large screen. A link shows it without a key, and gives access to nothing else.",
    /** For screen readers. */
    list: "Links of the wall",
    new: "New link",
    newTitle: "New link of the wall",
    createdTitle: "The link “{name}”",
    shownOnce: "<b>Copy it now.</b> This is the only time it is shown.",
    copy: "Copy the link",
    /** A button that closes the dialog. */
    done: "Done",
    tag: "Tag",
    tagHint: "Only monitors with this tag. If empty: all.",
    submit: "Create link",
    /** The monitors that a link shows, and the date of its creation. */
    ofAll: "All monitors, created {date}",
    ofTag: "Monitors with the tag {tag}, created {date}",
    /** For screen readers. */
    deleteLabel: "Delete the link {name}",
    question: "Delete the link “{name}”?",
    deleteText: "Screens that use this link show nothing from now on. You cannot undo this.",
  },
  /** The limits that the organization has paid for. */
  plan: {
    title: "Plan",
    name: "Plan",
    /** Names of plans. */
    names: { starter: "starter", pro: "pro", enterprise: "enterprise" },
    subscription: "Subscription",
    /** Whether the organization has paid. Adjectives, of a subscription. */
    states: { active: "active", inactive: "inactive" },
    monitors: "Monitors",
    channels: "Channels",
    interval: "Shortest interval",
    noLimit: "no limit",
  },
} as const;
