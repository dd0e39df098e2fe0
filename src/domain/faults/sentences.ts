/*
 * The sentences of the API about faults that the page can show, by their codes (behavior 27.70). `{name}` is the place of a value, and
 * `{field}` the place of the field. The page has its own texts, and gets an empty module in place of this one.
 */
export const sentences = {
  required: "{field} is required",
  requiredWith: "{field} is required with {other}",
  leaveOutWith: "{field} must be left out with {other}",
  leaveOutIfSet: "{field} must be left out if {other} is set",
  leaveOutIfHeader: "{field} must be left out if {other} has {header}",
  laterThan: "{field} must be later than {other}",
  inFuture: "{field} must be in the future",
  ofNoMonitor: "{field} is a field that none of the selected monitors has",
  different: "{field} must be at most {count} different ones, got {got}",
  taken: "{field} is taken: it must be unique on this server",

  // Headers and values of requests
  headerOfConnection: "{field} must be left out: stillup sets this header itself",
  headerTwice: "{field} must occur once: names of headers ignore case",
  headersTooLarge: "{field} must have at most {count} bytes of names and values in all, got {got}",
  headerName: "{field} must have the name of a header: letters, digits and !#$%&'*+-.^_`|~",
  headerOfProtocol: "{field} must be left out with the protocol {protocol}, which sets it itself",
  headerOfFormat: "{field} must be left out: the format {format} sends this header itself",
  headerTrailer: "{field} must be left out: a message has no trailers",
  secretNotStored: "{field} must be sent with its value: none is stored",
  secretOfOrigin: "{field} must be sent with its value: the origin of {other} changes",
  secretOfHost: "{field} must be sent with its value: the header Host changes",
  secretCarried:
    "{field} must be sent with its value: {other} would send values that steps take to a new origin",
  secretOfProxy: "{field} must be sent with its value: config.proxy changes, and could read it",
  secretUnverified:
    "{field} must be sent with its value: config.verifyTls changes, and the proxy could read it",

  // The expected answer
  onlyInterimStatuses:
    "{field} must have a status from 200 to 999, because an answer of 1xx is never the final one",
  bodyOfHead: "{field} must be left out with HEAD: the answer has no body",
  headerOfHead: "{field} must be a header with HEAD, such as header:ETag: the answer has no body",
  overTimeout: "{field} must be at most the timeout of the check, {most} ms, got {got}",
  patternSyntax: "{field} must be a pattern in the syntax of RE2: {why}",
  patternTooLarge:
    "{field} must be a smaller pattern: it compiles to {size} steps, at most {most} are allowed",
  patternTooSlow: "{field} must be a smaller pattern: it takes too long to compile",
  longPath: "{field} must be a path of at most {count} characters",
  jsonPath: "{field} must be a path to one value (a singular query of RFC 9535), such as $.a.b[0]['x']",
  jsonValue: "{field} must be a string, a number, true, false, null, or an object with min, max or exists",
  overMax: "{field} must be at most max, {max}, got {got}",

  // Configs of monitors
  intervalTooShort: "{field} of {got} s is not allowed on the {plan} plan: it must be at least {least} s",
  overInterval: "{field} must be at most config.interval, {most} s, got {got}",
  notWithProtocol: "{field} must be left out with the protocol {protocol}",
  onlyWithProtocol: "{field} must be left out unless config.protocol is {protocol}",
  notWithoutProtocol: "{field} must be left out without config.protocol",
  onlyWithTls: "{field} must be left out unless config.tls is direct or starttls",
  startTls: "{field} must be none or direct with the protocol {protocol}: only {protocols} know starttls",
  grpcPath: "{field} must have no path with the protocol grpc: set config.service for a service",
  expiryWithoutTls: "{field} must be left out with an http URL, which has no certificate",
  portZero: "{field} must have a port from 1 to 65535, got 0",
  otherFamily: "{field} must fit the IP address in {other}, which is not an address of IPv{version}",
  timezoneWithoutCron: "{field} must be left out if config.cron is not set",
  cronWithoutRun: "{field} must have a run in {timezone}: daylight saving time there skips each of its times",
  certificateWithKey:
    "{field} must have no private key: give it as config.clientCertificate.key, which is kept secret",
  addressesWithProxy: "{field} must be left out with config.proxy, which looks up the addresses",
  socksLogin: "{field} must have at most {count} bytes with a SOCKS proxy",
  privateProxy:
    "{field} must be left out: a proxy could connect to private addresses (--private-targets deny)",
  pingRefused: "{field} can't be icmp: {why}",
  noRegistrableDomain: "{field} must be left out: {host} is not in a domain that can be registered",
  registryWithoutRdap:
    "{field} must be left out: the registry of {domain} offers no RDAP, which is how registrations are looked up",
  registryWithoutDate:
    "{field} must be left out: the registry of {domain} does not say when its registration expires",

  // Steps
  tooManyTaken: "{field} must take at most {count} values in all, got {got}",
  markInHost: "{field} must have {mark} only after its host and port",
  unknownMark: "{field} must have only names that a step before takes, got {mark}",
  markInHostHeader: "{field} must have no {mark}: it chooses the recipient",
  takenName: "{field} must have a name of letters, digits and _, such as TOKEN",
  takenSource:
    "{field} must be a path to one value (a singular query of RFC 9535) such as $.token, header:Name or cookie:Name",
  takenWithHead: "{field} must be header:Name or cookie:Name with HEAD: the answer has no body",
  bodyWithMethod: "{field} must be left out with {method}: set {other}, such as POST",

  // Monitors
  noSubscription: "No active subscription",
  monitorLimit: "Monitor limit reached",
  channelLimit: "Alert channel limit reached",
  dependsOnItself: "{field} must be another monitor",
  dependsInCircle: "{field} must not depend on this monitor itself",
  overLocations: "{field} must be at most {count}, the number of locations, got {got}",
  boundTwice: "{field} must not be in another entry too",
  monitorPaused: "the monitor is paused: resume it first",
  selectionChanged: "{matched} monitors are selected now, not {expected} as expected: check the selection",
  checkNotMade: "the check could not be made: try again",
  checkNotMadeBecause: "the check could not be made: {why}",

  // Channels
  placeholders: "{field} must have no other placeholders than {names}",
  placeholderInHost: "{field} must have its placeholders after the host",
  signalRecipients: "{field} must be one group, or users without a group",

  // Locations, schedules, maintenances, outages
  locationInUse: "monitors use this location: {monitors}",
  locationNamedHere: "{field} must not be that of this server",
  locationNameTaken: "{field} must be unique among the locations of the organization",
  tooManyLocations: "this server has created too many locations",
  scheduleBound: "the schedule {name} can't be deleted: a binding uses it",
  scheduleBoundOften: "the schedule {name} can't be deleted: {count} bindings use it",
  overrides: "a schedule has at most {count} overrides: delete some first",
  after: "{field} must be after {other}",
  noTimes: "startsAt and endsAt, or cron and duration, are required",
  untilWithoutRun: "{field} must be at or after a run of cron that is not over",
  noOpenWindow: "no window of this maintenance is open",
  noRecipients: "to or channelIds is required",
  outageEnded: "the outage has ended: it can't be acknowledged",

  // Pages
  pagePasswordRequired: "{field} is required if visibility is password: 8 to 200 printable characters",
  pagePasswordNotStored: "{field} is •••, but none is stored: send the password",
  outageWithIncident: "{field} is an outage that is an incident of this page already",
  incidentUpdates: "an incident must have at most {count} updates",
  onlyUpdate: "the only update of an incident can't be deleted: edit it, or delete the incident",

  // People
  shortPassword: "{field} must have at least {count} characters",
  longPassword: "{field} must have at most {count} characters",
  passwordIsEmail: "{field} must not be the e-mail address",
  commonPassword: "{field} must not be one of the most common: choose another one",
  wrongPassword: "{field} must be the present password",
  personIsHere: "{field} must be the address of somebody who is not in the organization yet",
  hasAccepted: "an invitation is for somebody who has not accepted one yet",
  hasNotAccepted: "{field} must not be active for somebody who has not accepted the invitation yet",
  lastOwner: "the organization must keep an owner: an active person, or a key that does not expire",
  lastMethod: "your last way to sign in can't be removed: add another one first",
  signInAgain: "you must have signed in within the last 5 minutes: sign in again, and then repeat this",
  passkeys: "you can have at most {count} passkeys: remove one first",
  passkeyRegistered: "the credential must not be registered already",
  passkeyTooLate: "the credential must answer options of the last 5 minutes, once: ask for new ones",
  passkeyUnverified: "the authenticator must verify the person, for example by PIN or fingerprint",
  noPasskey: "this account has no passkey: use the method with which you usually sign in",
  passwordsOff: "Passwords and passkeys are turned off: sign in by the provider",

  // Changes that are undone
  notUndoable: "this change can't be undone",
  oldValuesLost: "this change can't be undone: the old value of {fields} is not kept",
  undoRefused: "this change can't be undone: {why}",
  deletedSince: "{name} was deleted since then: it can't be restored",
  changedSince: "{name} was changed again since then",

  // Too many requests
  tooManySignIns: "Too many sign-ins: try again in {seconds} s",
  tooManyFailedSignIns: "Too many failed sign-ins: try again in {seconds} s",
  tooManyFailedAttempts: "Too many failed attempts: try again in {seconds} s",
  tooManyPasswords: "Too many passwords at once: try again in {seconds} s",
  tooManyPasswordRequests: "Too many requests for a new password: try again in {seconds} s",
  tooManyTests: "Too many tests at the same time: try again in {seconds} s",
  tooManyReplays: "Too many replays: try again in {seconds} s",

  // A demonstration
  sendsNothing: "a demonstration sends nothing",
} as const;

/** The end of the sentence about a format, with the probable meaning of the wrong value. */
export const hints = {
  cronShorthand: "write {cron}",
  cronTimezone: "give the time zone as timezone, beside cron",
  cronSixFields: "a sixth field, of seconds or of a user, is left out: write {cron}",
  urlWithUser: "give them as basicAuth",
  urlOfWebSocket: "write {scheme}:// and set config.protocol to websocket",
  keyWithPassphrase: "remove the passphrase, such as with openssl pkey",
} as const;
