/** The sign-in, invitations, and links that set a new password. */
export const signIn = {
  /** The title of the window. */
  windowTitle: "Sign in",
  title: "Sign in to stillup",
  lead: "It watches your websites, servers and jobs, and notifies you when one is down.",
  /** Buttons and links that change the way to sign in. */
  ways: {
    back: "Back to the sign-in",
    password: "Use e-mail and password instead",
    key: "Use an API key instead",
    forgotten: "Forgot your password?",
    passkey: "Sign in with a passkey",
    /** `provider` is the name of a company or server by which people sign in. */
    provider: "Sign in with {provider}",
    /** If the name of the provider is not known. */
    unknownProvider: "your provider",
  },
  /** Why the provider did not sign somebody in. */
  outcome: {
    away: "You can't sign in with {provider} now. Try it again later, or sign in another way.",
    failed:
      "The sign-in with {provider} failed. It is for people who are invited with the e-mail address that they have there, or who have linked it in their profile. The log of the server has the reason.",
  },
  fields: {
    email: "E-mail",
    password: "Password",
    key: "API key",
    organization: "Organization",
    organizationHint: "You are in several. You can switch later, in your profile.",
    keep: "Keep me signed in for 30 days",
  },
  /** Buttons of the forms. `continue` follows the choice of an organization. */
  submit: "Sign in",
  continue: "Continue",
  /** How somebody gets a key. */
  keyHelp: {
    title: "No key?",
    file: "The first start of the server wrote one to {file}.",
    command: "To create one, run this on the server, as the user that runs stillup:",
    commandWithFlags:
      "To create one, run this on the server, as the user that runs stillup, with the same --data-dir or --database-url as the server:",
    copy: "Copy the command",
  },
  forgotten: {
    title: "Get a new password",
    text: "The server sends you a link, with which you set a new one. It works once, within an hour.",
    invalid: "Enter your e-mail address.",
    submit: "Send the link",
    sent: "If somebody signs in here as {email}, the link is on its way.",
    /** How somebody gets a link without e-mail; `command` is a command. */
    noMail: "No e-mail?",
    byServer:
      "Whoever runs this server can make a link for you, with which you set a new password. It works once, within an hour:",
    id: "{command} shows your ID.",
  },
  /** The warning before a link is used. */
  ends: "When you use the link, your sessions end, and your passkeys and linked identities are removed.",
  /** Why a sign-in failed. */
  refused: {
    key: "Invalid key: it is unknown, expired or deleted.",
    password: "Wrong e-mail address or password.",
    passkey: "This passkey is not valid here: it was removed, or its person is not active.",
    /** `reason` is a whole sentence without its last period. */
    tooMany: "{reason}. An API key works meanwhile.",
    origin:
      "This server does not know that its address is {origin}. To fix it, start the server with --base-url {origin}, or let the reverse proxy pass the header Host unchanged.",
  },
  passkey: {
    insecure: "Browsers have passkeys only over HTTPS at a host name. This page is at {origin}.",
    unsupported: "This browser has no passkeys.",
    known: "This device has a passkey of yours already.",
    failed: "The browser did not get a passkey: it was canceled, took too long, or this device has none.",
  },
  invite: {
    windowTitle: "Invitation",
    invalidTitle: "This link is not valid",
    unavailableTitle: "This link cannot be opened now",
    /** `link` leads to the sign-in. */
    invalid:
      "It was used already, replaced by a newer one, or has expired. An owner of your organization can invite you again. If you have accepted the invitation, <link>sign in</link>.",
    passwordTitle: "Set a new password",
    /** `organization` is a name. */
    title: "Join {organization}",
    lead: "stillup watches websites, servers and jobs, and notifies people when one is down.",
    /** The role, and its rights. */
    role: {
      viewer: "You will have the role viewer. A viewer sees everything, and acknowledges outages.",
      admin: "You will have the role admin. An admin changes monitors, channels and pages too.",
      owner: "You will have the role owner. An owner may do everything, and invites people.",
    },
    byProvider: "Accept with {provider}",
    onlyProvider: "{provider} must know you by the address {email}.",
    signedIn: "You are signed in as {email}.",
    accept: "Accept the invitation",
    otherWay: "Use another way to sign in",
    setPassword: "Set the password",
    addPasskey: "Add a passkey",
    name: "Your name",
    passkeyHint: "The browser asks for the fingerprint, face or PIN of your device.",
    ownPassword: "Your password",
    ownPasswordHint:
      "The password that you have here already. If you have forgotten it, get a link for a new one at the sign-in first.",
    /** Below the field of the password, which is another one. */
    otherPassword: "Must be the one that {email} has here already.",
    newPassword: "New password",
    newPasswordHint: "At least 12 characters. A sentence is easy to remember.",
    byPassword: "Use a password instead",
    byPasskey: "Use a passkey instead",
    noAccount: "I have no account on this server yet",
    hasAccount: "I have an account on this server already",
    disabled: "You are disabled in each organization: ask an owner to enable you.",
  },
} as const;
