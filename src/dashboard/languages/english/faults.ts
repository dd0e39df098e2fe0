import type { HintCode, RuleCode } from "../../../domain/faults/fault.ts";
import type { GotCode, SchemaCode } from "../../../domain/schemas/validation.ts";
import type { KeyPairCode, OtherCode } from "../../../errors.ts";
import type { EnglishPlural } from "../table.ts";

/** All faults that the page can show, of the API and of its own. */
export type FaultCode = RuleCode | SchemaCode | HintCode | GotCode | KeyPairCode | OtherCode;

/**
 * The faults of the values of fields. A text is beside its field: so it does not name the field. `{entry}` is the name of an entry of it, such as a
 * header or a path. Other places: `{got}` the wrong number, `{least}` and `{most}` limits, `{count}` how many at most, `{other}` the name of
 * another field in the API, such as config.cron. Names of fields, values and examples of the API stay as they are: config.url, http, 1xx, $.a.
 */
export const faults = {
  /** Before the text of a fault, where only some texts have a place for their entry. */
  ofEntry: "{entry}: {text}",
  /** Before the text of a fault, where its field is not shown. `field` is its name in the API. */
  ofField: "{field}: {text}",

  // Values of any field
  required: "Enter a value.",
  requiredWith: "Is required with {other}.",
  requiredForStatus: "Is required for this status.",
  unknownField: "Is not a known field.",
  listedTwice: "Must not list an entry twice.",
  tooLong: {
    one: "Must be at most {count} character long.",
    other: "Must be at most {count} characters long.",
  },
  exactly: "Must be {choice}.",
  oneOf: "Must be one of {choices}.",
  trueOrFalse: "Must be true or false.",
  null: "Must be null.",
  string: "Must be a string.",
  /** A length in characters. */
  stringFromTo: {
    one: "Must be a string of {least} to {count} character.",
    other: "Must be a string of {least} to {count} characters.",
  },
  stringMost: {
    one: "Must be a string of at most {count} character.",
    other: "Must be a string of at most {count} characters.",
  },
  number: "Must be a number.",
  wholeNumber: "Must be a whole number.",
  wholeNumberGot: "Must be a whole number, got {got}.",
  wholeNumberFromTo: "Must be a whole number from {least} to {count}.",
  wholeNumberFromToGot: "Must be a whole number from {least} to {count}, got {got}.",
  wholeNumberLeast: "Must be a whole number of at least {count}.",
  wholeNumberLeastGot: "Must be a whole number of at least {count}, got {got}.",
  list: "Must be an array.",
  listFromTo: {
    one: "Must be an array of {least} to {count} entry.",
    other: "Must be an array of {least} to {count} entries.",
  },
  listLeast: {
    one: "Must be an array of at least {count} entry.",
    other: "Must be an array of at least {count} entries.",
  },
  listMost: {
    one: "Must be an array of at most {count} entry.",
    other: "Must be an array of at most {count} entries.",
  },
  lists: "Must be an array that lists one of {choices} at least.",
  object: "Must be an object.",
  objectFromTo: {
    one: "Must be an object of {least} to {count} field.",
    other: "Must be an object of {least} to {count} fields.",
  },
  objectMost: {
    one: "Must be an object of at most {count} field.",
    other: "Must be an object of at most {count} fields.",
  },
  objectWith: "Must be an object with at least one of {names}.",
  zeroOrMore: "Must be 0 or a whole number from {least} to {count}.",
  zeroOrMoreGot: "Must be 0 or a whole number from {least} to {count}, got {got}.",
  majority: "Must be majority or any or all or a whole number of at least {count}.",
  leaveOutWith: "Must be left out with {other}.",
  leaveOutIfSet: "Must be left out if {other} is set.",
  leaveOutIfHeader: "Must be left out if {other} has {header}.",
  laterThan: "Must be later than {other}.",
  after: "Must be after {other}.",
  inFuture: "Must be in the future.",
  ofNoMonitor: "None of the selected monitors has this field.",
  different: {
    one: "Must be at most {count} different one, got {got}.",
    other: "Must be at most {count} different ones, got {got}.",
  },
  taken: "Is taken: it must be unique on this server.",
  /** A date and time that lacks a part. */
  incomplete: "Must be complete or empty.",
  nameMissing: "Must have a name for each value.",
  pathMissing: "Must have a path for each value.",
  entryTwice: "{entry} must occur once.",

  // Formats: what the text in a field must be
  name: "Enter a name of 1 to 200 characters.",
  /** A field that is not called "Name". */
  title: "Enter 1 to 200 characters.",
  "person-name": "Must be 1 to 200 characters without control characters.",
  "group-name": "Enter 1 to 100 characters.",
  slug: "Must be 1 to 63 of the characters a-z, 0-9 and -.",
  color: "Must be a color such as #2450c4.",
  "embed-origin":
    "Must be an origin such as https://www.example.com: http only for this machine, and no path.",
  "page-logo":
    "Must be a data URL of a PNG, JPEG, WebP, GIF or SVG image of at most 64 KiB, whose content is of this type.",
  "page-password": "Must be a text of 8 to 200 printable characters.",
  markdown: "Must be a text of 1 to 10000 characters.",
  "http-url": "Must be a full URL that begins with http:// or https://, without user name or password.",
  urlWithUser:
    "Must be a full URL that begins with http:// or https://, without user name or password: give them as basicAuth.",
  urlOfWebSocket:
    "Must be a full URL that begins with http:// or https://, without user name or password: write {scheme}:// and set config.protocol to websocket.",
  "page-size": "Must be a whole number of at least 1.",
  digits: "Must be 1 to 15 digits.",
  "date-time": "Must be an ISO 8601 time with an offset, such as 2027-01-31T00:00:00Z.",
  month: "Must be a month such as 2027-01.",
  email: "Must be one e-mail address, such as ops@example.com.",
  host: "Must be a host name or an IP address, without scheme, port or path.",
  "host-name": "Must be a host name, without scheme, port or path.",
  cron: "Must be a cron expression of five fields that runs at some time, such as 30 2 * * 1-5.",
  cronShorthand:
    "Must be a cron expression of five fields that runs at some time, such as 30 2 * * 1-5: write {cron}.",
  cronTimezone:
    "Must be a cron expression of five fields that runs at some time, such as 30 2 * * 1-5: give the time zone as timezone, beside cron.",
  cronSixFields:
    "Must be a cron expression of five fields that runs at some time, such as 30 2 * * 1-5: a sixth field, of seconds or of a user, is left out: write {cron}.",
  timezone: "Must be the IANA name of a time zone, such as Europe/Berlin.",
  tag: "Must be 1 to 50 characters of a-z, 0-9 and : _ . -, and begin with a letter or a digit.",
  ref: "Must be 1 to 100 characters of a-z, 0-9 and . _ -, and begin with a letter or a digit.",
  "push-token": "Must be 8 to 64 letters, digits and hyphens of ASCII.",
  note: "Must be at most 500 characters.",
  "start-of-hours": "Must be a time of day from 00:00 to 23:59, such as 08:00.",
  "end-of-hours": "Must be a time of day from 00:00 to 24:00, such as 18:00.",
  "header-value": "Must be visible ASCII characters, spaces and tabs.",
  password: "Must be a password of at most 1024 characters.",
  "request-body": "Must be a text of 1 byte to 64 KiB.",
  "sent-text": "Must be a text of at most 4 KiB.",
  "user-name": "Must be a user name without a colon.",
  "digest-user": "Must be a user name without a colon and control characters.",
  "pem-certificate": "Must be a certificate in PEM, which begins with -----BEGIN CERTIFICATE-----.",
  "pem-key":
    "Must be a private key in PEM without a passphrase, which begins with -----BEGIN PRIVATE KEY-----.",
  keyWithPassphrase:
    "Must be a private key in PEM without a passphrase, which begins with -----BEGIN PRIVATE KEY-----: remove the passphrase, such as with openssl pkey.",
  "proxy-url":
    "Must be the URL of a proxy, such as http://proxy.example.com:3128 or socks5://proxy.example.com:1080.",
  "compared-part": "Must be body, text, json:$.path or header:Name.",
  /** RE2 is a syntax of regular expressions. */
  pattern: "Must be a pattern of RE2 of 1 to 1024 characters.",
  patterns: "Must be a pattern of RE2 of 1 to 1024 characters or an array of {least} to {count} entries.",
  "expected-text": "Must be a text of 1 to 1024 characters.",
  expectedTexts: "Must be a text of 1 to 1024 characters or an array of {least} to {count} entries.",
  "status-range": "Must be a class from 1xx to 9xx or a range such as 200-204.",
  statuses:
    "Must be a whole number from {least} to {count} or a class from 1xx to 9xx or a range such as 200-204.",
  statusesGot:
    "Must be a whole number from {least} to {count} or a class from 1xx to 9xx or a range such as 200-204, got {got}.",
  "dns-server": "Must be an IP address with or without a port, such as 192.0.2.53 or [2001:db8::53]:5353.",

  // Formats of the services that are notified
  "option-secret": "Must be 1 to 512 visible ASCII characters.",
  "webhook-secret": "Must be 1 to 512 characters and, if it begins with whsec_, base64 after that.",
  "slack-webhook-url": "Must begin with https://hooks.slack.com/.",
  "discord-webhook-url":
    "Must begin with https://discord.com/api/webhooks/ or https://discordapp.com/api/webhooks/.",
  "teams-webhook-url":
    "Must begin with https:// and a host of *.webhook.office.com, outlook.office.com, outlook.office365.com, *.logic.azure.com or *.environment.api.powerplatform.com, without another port than 443.",
  "phone-number": "Must be a phone number with its country, such as +4915112345678.",
  "signal-recipient":
    "Must be a phone number with its country, a user name, or the ID of a group such as group.….",
  "pushover-device": "Must be the name of a device, or names that commas separate.",
  "matrix-room": "Must be the ID of a room, which begins with !, such as !AbCdEf:example.org.",
  "telegram-chat":
    "Must be the number of a chat, such as -1001234567890, or the name of a channel, such as @alerts.",
  "ntfy-topic": "Must be 1 to 64 letters, digits, hyphens and underscores.",
  "push-point": "Must be a point of P-256, 65 bytes in base64url.",
  "push-auth": "Must be 16 bytes in base64url.",
  "media-type": "Must be a media type such as text/plain.",
  "message-template": "Must be a text of 1 byte to 16 KiB.",

  // Headers of requests and messages
  headerOfConnection: "{entry} must be left out: stillup sets this header itself.",
  headerTwice: "{entry} must occur once: names of headers ignore case.",
  headersTooLarge: {
    one: "Must have at most {count} byte of names and values in all, got {got}.",
    other: "Must have at most {count} bytes of names and values in all, got {got}.",
  },
  headerName: "{entry} must have the name of a header: letters, digits and !#$%&'*+-.^_`|~.",
  headerOfProtocol: "{entry} must be left out with the protocol {protocol}, which sets it itself.",
  headerOfFormat: "{entry} must be left out: the format {format} sends this header itself.",
  headerTrailer: "{entry} must be left out: a message has no trailers.",

  // Secrets that are stored, and are not sent to another recipient: then they must be entered again
  secretNotStored: "Must be sent with its value: none is stored.",
  secretOfOrigin: "Must be sent with its value: the origin of {other} changes.",
  secretOfHost: "Must be sent with its value: the header Host changes.",
  secretCarried: "Must be sent with its value: {other} would send values that steps take to a new origin.",
  secretOfProxy: "Must be sent with its value: config.proxy changes, and could read it.",
  secretUnverified: "Must be sent with its value: config.verifyTls changes, and the proxy could read it.",

  // The expected answer
  onlyInterimStatuses: "Must have a status from 200 to 999, because an answer of 1xx is never the final one.",
  bodyOfHead: "Must be left out with HEAD: the answer has no body.",
  headerOfHead: "Must be a header with HEAD, such as header:ETag: the answer has no body.",
  overTimeout: "Must be at most the timeout of the check, {most} ms, got {got}.",
  /** `why` is English, from a library. */
  patternSyntax: "Must be a pattern in the syntax of RE2: {why}.",
  patternTooLarge: "Must be a smaller pattern: it compiles to {size} steps, at most {most} are allowed.",
  patternTooSlow: "Must be a smaller pattern: it takes too long to compile.",
  longPath: {
    one: "Must be a path of at most {count} character.",
    other: "Must be a path of at most {count} characters.",
  },
  jsonPath: "Must be a path to one value (a singular query of RFC 9535), such as $.a.b[0]['x'].",
  jsonValue: "Must be a string, a number, true, false, null, or an object with min, max or exists.",
  jsonLiteral: "{entry} must be a number, true, false or null.",
  overMax: "{entry} must be at most max, {max}, got {got}.",

  // Monitors
  intervalTooShort: "{got} s is not allowed on the {plan} plan: it must be at least {least} s.",
  intervalLeast: "An interval is at least {least} s.",
  wholeSeconds: "Must be a whole number of seconds.",
  /** `least` and `most` are durations with units. */
  durationFromTo: "Must be from {least} to {most}.",
  overInterval: "Must be at most config.interval, {most} s, got {got}.",
  notWithProtocol: "Must be left out with the protocol {protocol}.",
  onlyWithProtocol: "Must be left out unless config.protocol is {protocol}.",
  notWithoutProtocol: "Must be left out without config.protocol.",
  onlyWithTls: "Must be left out unless config.tls is direct or starttls.",
  startTls: "Must be none or direct with the protocol {protocol}: only {protocols} know starttls.",
  grpcPath: "Must have no path with the protocol grpc: set config.service for a service.",
  expiryWithoutTls: "Must be left out with an http URL, which has no certificate.",
  portZero: "Must have a port from 1 to 65535, got 0.",
  otherFamily: "Must fit the IP address in {other}, which is not an address of IPv{version}.",
  timezoneWithoutCron: "Must be left out if config.cron is not set.",
  cronWithoutRun: "Must have a run in {timezone}: daylight saving time there skips each of its times.",
  noRecord: "Must have one record at least.",
  pingRefused: "Can't be icmp: {why}.",
  noRegistrableDomain: "Must be left out: {host} is not in a domain that can be registered.",
  registryWithoutRdap:
    "Must be left out: the registry of {domain} offers no RDAP, which is how registrations are looked up.",
  registryWithoutDate:
    "Must be left out: the registry of {domain} does not say when its registration expires.",
  dependsOnItself: "Must be another monitor.",
  dependsInCircle: "Must not depend on this monitor itself.",
  overLocations: "Must be at most {count}, the number of locations, got {got}.",
  boundTwice: "Must not be in another entry too.",

  // Certificates and keys of clients, proxies
  certificateWithKey:
    "Must have no private key: give it as config.clientCertificate.key, which is kept secret.",
  otherKey: "Must be the key of the first certificate in config.clientCertificate.certificate.",
  noCertificate: "Must have a certificate in PEM.",
  malformedCertificate:
    "Must be certificates in PEM: the certificate of the client is malformed, or its key is of a kind that is not known here.",
  /** `position` is 2 for the second certificate. */
  malformedChain:
    "Must be certificates in PEM: certificate {position} of its chain is malformed, or its key is of a kind that is not known here.",
  passphrase: "Must have no passphrase: remove it, for example with openssl pkey.",
  unknownKey: "Must be a private key in PEM, of RSA, ECDSA or Ed25519.",
  addressesWithProxy: "Must be left out with config.proxy, which looks up the addresses.",
  socksLogin: {
    one: "Must have at most {count} byte with a SOCKS proxy.",
    other: "Must have at most {count} bytes with a SOCKS proxy.",
  },
  privateProxy: "Must be left out: a proxy could connect to private addresses (--private-targets deny).",

  // Steps of a check: a step takes values of its answer, which the next steps write as a mark such as {{TOKEN}}
  tooManyTaken: {
    one: "Must take at most {count} value in all, got {got}.",
    other: "Must take at most {count} values in all, got {got}.",
  },
  markInHost: "Must have {mark} only after its host and port.",
  unknownMark: "Must have only names that a step before takes, got {mark}.",
  markInHostHeader: "{entry} must have no {mark}: it chooses the recipient.",
  takenName: "{entry} must have a name of letters, digits and _, such as TOKEN.",
  takenSource:
    "{entry} must be a path to one value (a singular query of RFC 9535) such as $.token, header:Name or cookie:Name.",
  takenWithHead: "{entry} must be header:Name or cookie:Name with HEAD: the answer has no body.",
  bodyWithMethod: "Must be left out with {method}: set {other}, such as POST.",

  // Selections and changes of many
  noMonitors: "Select all monitors, a tag or a single monitor.",
  noMonitor: "Select a monitor.",
  noChannel: "Select a channel.",
  /** Before many monitors are deleted: the number that must be typed. */
  confirmedNumber: "Must be {number}.",
  selectionChanged: "{matched} monitors are selected now, not {expected} as expected: check the selection",

  // Channels
  placeholders: "Must have no other placeholders than {names}.",
  placeholderInHost: "Must have its placeholders after the host.",
  signalRecipients: "Must be one group, or users without a group.",

  // Maintenances, schedules, pages
  noTitle: "Enter a title.",
  maintenanceDuration: "Must be 1 minute to 7 days.",
  noTimes: "startsAt and endsAt, or cron and duration, are required.",
  untilWithoutRun: "Must be at or after a run of cron that is not over.",
  fourDigitYear: "Must have a year of four digits.",

  emptyLayer: "Each layer needs a person.",
  noRecipients: "Enter recipients.",
  largeLogo: "Must be at most 64 KiB.",
  groupTwice: "Must differ from the names of other groups.",
  pagePasswordRequired: "Is required if visibility is password: 8 to 200 printable characters.",
  pagePasswordNotStored: "Is •••, but none is stored: send the password.",
  outageWithIncident: "Is an outage that is an incident of this page already.",

  // People
  shortPassword: {
    one: "Must have at least {count} character.",
    other: "Must have at least {count} characters.",
  },
  longPassword: {
    one: "Must have at most {count} character.",
    other: "Must have at most {count} characters.",
  },
  passwordIsEmail: "Must not be the e-mail address.",
  commonPassword: "Must not be one of the most common: choose another one.",
  wrongPassword: "Must be the present password.",
  personIsHere: "Must be the address of somebody who is not in the organization yet.",
  hasNotAccepted: "Must not be active for somebody who has not accepted the invitation yet.",
  locationNamedHere: "Must not be that of this server.",
  locationNameTaken: "Must be unique among the locations of the organization.",

  // Whole sentences, which are about no field. In English, the page shows the sentences of the API
  notFound: "Not found.",
  forbidden: "Forbidden.",
  databaseAway: "The database can't take this now: try again later.",
  tooManyConnections: "The server has too many connections: try again later.",
  noSubscription: "No active subscription.",
  monitorLimit: "Monitor limit reached.",
  channelLimit: "Alert channel limit reached.",
  monitorPaused: "The monitor is paused: resume it first.",
  checkNotMade: "The check could not be made: try again.",
  /** `why` is the English message of the check. */
  checkNotMadeBecause: "The check could not be made: {why}.",
  /** `monitors` are names. */
  locationInUse: "Monitors use this location: {monitors}.",
  tooManyLocations: "This server has created too many locations.",
  scheduleBound: "The schedule {name} can't be deleted: a binding uses it.",
  scheduleBoundOften: {
    one: "The schedule {name} can't be deleted: {count} binding uses it.",
    other: "The schedule {name} can't be deleted: {count} bindings use it.",
  },
  overrides: {
    one: "A schedule has at most {count} override: delete some first.",
    other: "A schedule has at most {count} overrides: delete some first.",
  },
  noOpenWindow: "No window of this maintenance is open.",
  outageEnded: "The outage has ended: it can't be acknowledged.",
  incidentUpdates: {
    one: "An incident must have at most {count} update.",
    other: "An incident must have at most {count} updates.",
  },
  onlyUpdate: "The only update of an incident can't be deleted: edit it, or delete the incident.",
  hasAccepted: "An invitation is for somebody who has not accepted one yet.",
  lastOwner: "The organization must keep an owner: an active person, or a key that does not expire.",
  lastMethod: "Your last way to sign in can't be removed: add another one first.",
  signInAgain: "You must have signed in within the last 5 minutes: sign in again, and then repeat this.",
  passkeys: {
    one: "You can have at most {count} passkey: remove one first.",
    other: "You can have at most {count} passkeys: remove one first.",
  },
  passkeyRegistered: "The credential must not be registered already.",
  passkeyTooLate: "The credential must answer options of the last 5 minutes, once: ask for new ones.",
  passkeyUnverified: "The authenticator must verify the person, for example by PIN or fingerprint.",
  noPasskey: "This account has no passkey: use the method with which you usually sign in.",
  passwordsOff: "Passwords and passkeys are turned off: sign in by the provider.",
  notUndoable: "This change can't be undone.",
  oldValuesLost: "This change can't be undone: the old value of {fields} is not kept.",
  undoRefused: "This change can't be undone: {why}.",
  deletedSince: "{name} was deleted since then: it can't be restored.",
  changedSince: "{name} was changed again since then.",
  tooManySignIns: "Too many sign-ins: try again in {seconds} s.",
  tooManyFailedSignIns: "Too many failed sign-ins: try again in {seconds} s.",
  tooManyFailedAttempts: "Too many failed attempts: try again in {seconds} s.",
  tooManyPasswords: "Too many passwords at once: try again in {seconds} s.",
  tooManyPasswordRequests: "Too many requests for a new password: try again in {seconds} s.",
  tooManyTests: "Too many tests at the same time: try again in {seconds} s.",
  tooManyReplays: "Too many replays: try again in {seconds} s.",
  sendsNothing: "A demonstration sends nothing.",
} as const satisfies { readonly [Code in FaultCode]: string | EnglishPlural } & Record<
  string,
  string | EnglishPlural
>;
