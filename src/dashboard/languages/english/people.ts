/** The people of an organization, and the profile of the reader. */
export const people = {
  title: "People",
  lead: "They sign in to this page with their e-mail address, and the audit log names them.",
  none: "Nobody yet. An owner can invite people.",
  back: "Back to the settings",
  /** Beside the name of a person. */
  state: { active: "active", invited: "invited", disabled: "disabled" },
  /** When a person used the page: `ago` is a time such as `5 min`. */
  seen: "seen {ago} ago",
  neverSeen: "never seen",
  /** The person is the reader. */
  you: "you",
  /** How somebody signs in. `oidc` is a provider such as Google. */
  method: { password: "password", passkey: "passkey", oidc: "provider" },
  first: {
    title: "Create your own account",
    text: "You are signed in with an API key. With an account of your own you sign in with your e-mail address and a password, and can invite others. The key stays valid.",
    submit: "Continue",
  },
  /** Buttons beside a person, and their names for screen readers. */
  actions: {
    invite: "Invite",
    inviteAgain: "Invite again",
    inviteAgainLabel: "Invite again: {name}",
    change: "Change",
    changeLabel: "Change {name}",
    enable: "Enable",
    enableLabel: "Enable {name}",
    disable: "Disable",
    disableLabel: "Disable {name}",
    remove: "Remove",
    removeLabel: "Remove {name}",
    save: "Save",
  },
  remove: {
    question: "Remove “{name}”?",
    text: "Sessions of this person here end at once. What was done under this name stays in the audit log.",
    own: "<b>This is you: you will be signed out.</b> What was done under this name stays in the audit log.",
  },
  changeTitle: "Change “{name}”",
  invitation: {
    title: "Invite a person",
    createdTitle: "The invitation of “{name}”",
    optionalName: "Name (optional)",
    submit: "Create the invitation",
    againTitle: "Invite “{name}” again?",
    againText: "This makes a new link. The previous one is not valid any more then.",
    again: "Make a new link",
    link: "<b>Copy it now, and send it to {email}.</b> This is the only time it is shown. It works once, within seven days, and whoever has it can accept it.",
    copy: "Copy the link",
    mailed: "The server also sends it there by e-mail.",
  },
  fields: {
    email: "E-mail",
    role: "Role",
    roleHint: "Viewers read, and acknowledge outages. Admins also write. Owners also manage people and keys.",
  },
  channels: {
    title: "While you are on call",
    label: "Own channels",
    none: "No channels yet.",
    save: "Save",
    saved: "Saved.",
  },
  /** Before something that needs a recent sign-in. */
  signInAgain: {
    /** `provider` is the name of a company or server by which people sign in. */
    passkeyText: "To add a passkey, sign in again: your sign-in was more than 5 minutes ago.",
    passkeyLabel: "Sign in again to add a passkey",
    linkText: "To link {provider}, sign in again: your sign-in was more than 5 minutes ago.",
    linkLabel: "Sign in again to link {provider}",
    button: "Sign in again",
  },
  profile: {
    title: "Profile",
    /** `link` leads to the list of people. */
    ofKey:
      "You are signed in with an API key, which has no profile. <link>People</link> have one: they sign in with their e-mail address.",
    facts: "Facts",
    name: "Name",
    email: "E-mail",
    organization: "Organization",
    role: "Role",
    methods: "Signs in with",
  },
  /** The choice of the language of the page. */
  language: {
    title: "Language",
    label: "Language of this page",
    /** The first option. */
    browser: "As the browser wants",
    hint: "In each browser in which you sign in. Notifications are in the language of their channel.",
    hintOfKey: "In this browser. Notifications are in the language of their channel.",
  },
  switch: {
    title: "Organization",
    /** The label of a choice of an organization. */
    label: "Show",
    /** An option: the name of an organization and the role there. */
    option: "{name} ({role})",
    submit: "Switch",
  },
  password: {
    title: "Password",
    current: "Present password",
    new: "New password",
    hint: "At least 12 characters. Your other sessions end.",
    change: "Change the password",
    set: "Set a password",
    done: "Changed. Your other sessions have ended.",
  },
  sessions: {
    title: "Sessions",
    lead: "Where you are signed in. A session ends 30 days after its last use.",
    /** `browser` is such as `Firefox on Linux`. */
    current: "{browser}, this session",
    since: "{address}, since {time}",
    used: "used {ago} ago",
    end: "End",
    /** For screen readers. */
    endLabel: "End the session of {browser} at {address}",
    browser: "{browser} on {system}",
    unknown: "An unknown client",
  },
  passkeys: {
    title: "Passkeys",
    lead: "Sign in with the fingerprint, face or PIN of a device, without a password.",
    noOrigin: "The server needs an https URL with a host name as its base URL.",
    add: "Add a passkey",
    added: "added {time}",
    used: "used {ago} ago",
    notUsed: "not used yet",
    remove: "Remove",
    removeLabel: "Remove the passkey {name}",
    question: "Remove the passkey “{name}”?",
    removeText: "You can't sign in with it any more then. Delete it on the device too.",
  },
  /** Accounts of a person at providers such as Google. */
  identities: {
    title: "Linked identities",
    providerTitle: "Sign-in with {provider}",
    away: "{provider} can't be used now. Try it again later.",
    failed:
      "{provider} was not linked: it did not sign you in, or somebody else has linked it. The log of the server has the reason.",
    linked: "{provider} is linked. You can sign in with it.",
    toLink: "Link {provider}, to sign in with it.",
    otherOrigin: "To link it, sign in at {link}: the provider returns to there.",
    link: "Link {provider}",
    linkedSince: "linked {time}",
    unlink: "Unlink",
    unlinkLabel: "Unlink {name}",
    question: "Unlink “{name}”?",
    unlinkText: "You can't sign in with it any more then.",
  },
} as const;
