import type { CertificateFault } from "../../../domain/checks/certificate.ts";
import type { TlsAdvice } from "../../../domain/checks/observation.ts";

/** The page of a monitor, card by card. */
export const monitors = {
  /** The title of the page before the name of the monitor is known. */
  title: "Monitor",
  /** Buttons at the top of the page, and in the menu behind the last one. */
  actions: {
    /** Checks the monitor once, now. */
    checkNow: "Check now",
    /** In its place until the check has ended. */
    checking: "Checking…",
    edit: "Edit",
    /** Starts the checks again. */
    resume: "Resume",
    /** Stops the checks. */
    pause: "Pause",
    duplicate: "Duplicate",
    /** For screen readers: the name of the menu. */
    more: "More actions",
    /** Messages after it. */
    paused: "Checks have stopped.",
    resumed: "Checks go on.",
  },
  /** The dialog before a monitor is deleted, and the messages after it. */
  deletion: {
    consequence:
      "All its results, its history and its uptime are deleted, and its pending notifications are not sent. You can undo this for ten seconds.",
    pending: "The monitor “{name}” will be deleted.",
    failed: "The monitor “{name}” could not be deleted",
  },
  /** A monitor is muted for a time: it is checked, and nobody is notified. */
  mute: {
    /** The menu: a verb if the monitor is not muted, and its state if it is. */
    menu: "Mute",
    menuMuted: "Muted",
    /** Choices of the menu. */
    endNow: "End it now",
    forAnHour: "For an hour",
    /** `time` is a time of day, such as 08:00. */
    untilThisMorning: "Until {time} this morning",
    untilTomorrow: "Until tomorrow, {time}",
    /** Opens a dialog, which asks until when. */
    asLongAs: "As long as …",
    dialog: {
      title: "Mute “{name}”",
      /** The label of a field for a date and a time. */
      until: "Until",
      /** The label of a field: people read this title. */
      name: "Title",
      /** The value of the field at first. Readers of public pages see it. */
      defaultName: "Maintenance",
      hint: "Checks go on, but do not count for the uptime, and nobody is notified of trouble. Public pages with this monitor show it as a maintenance with this title.",
      /** The button below the form. */
      submit: "Mute",
    },
    /** A button beside the time at which a maintenance ends. */
    end: "End now",
  },
  /** The first card: the status, since when and why, and on its other side the target and the people. */
  status: {
    /** For screen readers: the name of the card. */
    label: "Status",
    /** Behind the status. `duration` is such as “2 h 5 min”. */
    for: "for {duration}",
    /** Behind “Paused”. `status` is the one before it. */
    since: "{status} since {time}",
    showOutage: "Show the outage",
    /** Its checks fail on the way to the target. */
    needs: {
      proxy: "Its checks need a proxy. Edit it and test it: the test says if this fails.",
      tokens: "Its checks need an endpoint of tokens. Edit it and test it: the test says if this fails.",
      proxyAndTokens:
        "Its checks need a proxy and an endpoint of tokens. Edit it and test it: the test says if this fails.",
    },
    /** The certificate that checks show to the server. `day` is such as 2026-11-21. */
    clientCertificate: {
      expired: "The client certificate expired on {day}.",
      expiresToday: "The client certificate expires in less than a day, on {day}.",
      expires: {
        one: "The client certificate expires in {count} day, on {day}.",
        other: "The client certificate expires in {count} days, on {day}.",
      },
    },
    /** So many of so many checks that are needed for another status. `finding` is such as “Down: no answer within 10 s”. */
    suspicion: "{checks} of {needed} checks saw: {finding}",
    /** Not all locations see the same. `by` and `count` are numbers of locations, `locations` their names. */
    seenFrom: {
      down: {
        one: "Down seen from {by} of {count} location: {locations}",
        other: "Down seen from {by} of {count} locations: {locations}",
      },
      trouble: {
        one: "Trouble seen from {by} of {count} location: {locations}",
        other: "Trouble seen from {by} of {count} locations: {locations}",
      },
    },
    /** The status says so, and none of the locations sees it. */
    seenFromNone: {
      down: {
        one: "Down seen from 0 of {count} location",
        other: "Down seen from 0 of {count} locations",
      },
      trouble: {
        one: "Trouble seen from 0 of {count} location",
        other: "Trouble seen from 0 of {count} locations",
      },
    },
  },
  /** The other side of the first card: a list of facts, each with its name. */
  watched: {
    /** The times at which a job runs. */
    schedule: "Schedule",
    /** Such as an address. */
    target: "Target",
    checked: "Checked",
    every: "every {duration}",
    everyFrom: {
      one: "every {duration} from {count} location",
      other: "every {duration} from {count} locations",
    },
    /** Behind it are the channels that the monitor notifies. */
    notifies: "Notifies",
    nobody: "no channel",
    /** In place of the name of a channel that is not known. */
    aChannel: "a channel",
    /** `schedule` is the name of a plan of who is on call. */
    onCall: "whoever is on call: {schedule}",
    aSchedule: "a schedule",
    /** Behind the schedule: who is on call. */
    now: "now {name}",
    nowUntil: "now {name} until {time}",
    nowNobody: "now nobody",
    nowNobodyUntil: "now nobody until {time}",
    tags: "Tags",
  },
  /** The strip of the latest checks, and the dialog with one of them. */
  recent: {
    /** `count` is 50. */
    checks: "Last {count} checks",
    checkins: "Last {count} check-ins",
    /** A bar without a check. */
    noCheck: "No check",
    /** A bar with a check. `finding` is a status with its latency and its reason, separated by commas. */
    bar: "{time}: {finding}",
    dialog: {
      title: "Check of {time}",
      /** The status that the check saw, which further checks have not confirmed. */
      sawUnconfirmed: "Saw, not confirmed",
      status: "Status",
      latency: "Latency",
      location: "Location",
      alert: "Alert",
      /** Opens the recorded data. */
      allDetails: "All details",
      close: "Close",
      previous: "Previous check",
      next: "Next check",
    },
  },
  /** The phases of a check, in their order. Labels of durations. */
  phases: {
    /** The address of the name is looked up in the DNS. */
    resolve: "Name lookup",
    connect: "Connection",
    tls: "TLS handshake",
    /** The time to the first byte of the answer. */
    firstByte: "First byte",
  },
  /** The card with the bars of the history and the chart of the latency. */
  history: {
    title: "History",
    titleWithLatency: "History and latency",
    /** A time that the reader has selected. */
    selected: "{from} to {to}",
    resetZoom: "Reset zoom",
    /** For screen readers: the name of the list of uptimes. */
    uptimes: "Uptime",
    /** `range` is such as “7 days”. */
    uptime: "Uptime {range}",
  },
  /** Charts of the latency over time, and of the length of runs. */
  chart: {
    /** For screen readers: the end of the name of a chart. */
    keyboard: "{label}. The arrow keys show the values.",
    noValue: "no value",
    /** The values at a time. */
    point: "{time}: {values}",
    /** Keys of the areas in which the monitor was in trouble or in a maintenance. */
    shades: { warning: "warning", down: "down", maintenance: "maintenance" },
    /** For screen readers: a summary of a chart. */
    latency: "Latency from {shortest} to {longest}, {mean} on average",
    /** `locations` are the texts below, separated by semicolons. */
    latencyByLocation: "Mean latency {locations}",
    atLocation: "at {location} from {shortest} to {longest}, {mean} on average",
    phases: "Phases of the checks: {phases}",
    /** The line and the band of a chart. p50 and p95 are percentiles. */
    figures: {
      p50: "p50",
      p95: "p95",
      hourlyMean: "mean of an hour",
      dailyMean: "mean of a day",
      longest: "longest",
    },
    /** `figure` is one of them, or the name of a phase or of a location. */
    value: "{figure} {latency}",
    degradedAbove: "degraded above {latency}",
    /** The chart compares with the time before. */
    compare: "Compare with the time before",
    before: "before {latency}",
    beforeKey: "before",
    beforeWithoutChecks: "before: no checks",
    /** In place of a chart without values. */
    none: {
      allDown: "Down for all of this time, since {time}: no check has a latency.",
      failed: "No check of this time has a latency, because none succeeded.",
      other: "No check of this time has a latency.",
    },
  },
  /** Who would be notified, and when, if the monitor failed now. */
  forecast: {
    title: "Who is notified if it fails now",
    titleDown: "Who is notified if this lasts",
    /** Names of groups of receivers. */
    parts: { now: "Now", soon: "Within 15 minutes", later: "Later", not: "Not" },
    /** In place of the receivers of the first group, and of the second one. */
    nobody: "nobody",
    nobodyElse: "nobody else",
    /** A schedule, and who is on call. */
    onCall: "{schedule}: {person}",
    nobodyOnCall: "nobody is on call",
    /** Behind a receiver. */
    at: "at {time}",
    /** One or both notes are behind a receiver: the channels, and why it is in its group. */
    notes: "{first}, {second}",
    defaults: "the default channels",
    defaultsOfPerson: "has no channel that is enabled: the default channels",
    /** `monitor` is a name. */
    mutedBy: "muted by {monitor}",
    why: {
      hours: "outside its hours",
      maintenance: "in maintenance",
      muted: "muted by another monitor",
      paused: "the monitor is paused",
      acknowledged: "acknowledged",
      /** The outage has ended. */
      ended: "withdrawn",
      /** Another status has followed. */
      superseded: "withdrawn",
      /** The channel. */
      disabled: "disabled",
      notifyOn: "not for this status",
      /** By another way. */
      twice: "notified already",
      notified: "notified already",
      nobody: "reaches nobody: no default channel is enabled",
      failed: "the notification failed",
      bound: "chosen after the trouble began",
    },
  },
  /** The graph of the monitors that depend on each other. Left and right are the same in all languages. */
  dependencies: {
    title: "Dependencies",
    /** For screen readers. */
    graph: "Graph of dependencies",
    rule: "Each monitor depends on those to its left that a line connects it with",
    /** The tooltip of a monitor in the graph. */
    node: "{name}: {status}",
    /** Below a column of monitors. */
    more: { one: "and {count} more monitor", other: "and {count} more monitors" },
    left: "Trouble that begins while a monitor to the left is down is not notified, unless it lasts longer.",
    right: "While this monitor is down, the ones to the right are muted.",
    /** `monitors` are one or both of the texts below. */
    notShown: "Not shown: {monitors}.",
    before: { one: "{count} monitor before these", other: "{count} monitors before these" },
    after: { one: "{count} monitor after these", other: "{count} monitors after these" },
    limit: "Of the monitors on a side, at most {count} are counted.",
  },
  /** The latest check from each location. */
  places: {
    title: "Locations",
    /** For screen readers. */
    table: "Table of locations",
    columns: {
      location: "Location",
      /** Whether the location is connected. */
      state: "State",
      /** The status that the location sees. */
      sees: "Sees",
      latency: "Latency",
      /** How long ago. */
      checked: "Checked",
      detail: "Detail",
    },
    ago: "{duration} ago",
    never: "never",
  },
  /** The runs of a job. */
  runs: {
    title: "Runs",
    /** For screen readers. */
    table: "Table of runs",
    /** A button. */
    older: "Older runs",
    none: "No runs yet.",
    columns: {
      start: "Start",
      outcome: "Outcome",
      /** The number with which a program says how it ended. */
      exitCode: "Exit code",
      /** The text that a program prints. */
      output: "Output",
      length: "Length",
    },
    /** In place of the column heads on a phone. */
    exitCode: "<label>exit code </label>{code}",
    output: "<label>Output, </label>{size}",
    /** Names of durations: of the last run, the median and the longest of so many runs, and the limit. */
    last: "Last",
    median: "Median",
    longestOf: { one: "Longest of {count}", other: "Longest of {count}" },
    limit: "Limit",
    limitUnknown: "learned from 5 successful runs",
    limitLearned: "{duration}, learned",
    outcome: {
      running: "Running",
      ok: "OK",
      failed: "Failed",
      overrun: "Too long",
      /** Another run has begun before this one ended. */
      replaced: "Replaced",
      logged: "Output only",
    },
    /** Tooltips that explain an outcome. */
    effect: {
      overrun: "It is open for longer than the limit.",
      replaced: "It started again before its end.",
      logged: "It came without a start or an end.",
    },
    /** Runs that have not ended. `length` and `usual` are durations. */
    open: {
      running: "Running for {length}",
      runningUsually: "Running for {length}, usually {usual}",
      several: {
        one: "{count} run is open, the first for {length}",
        other: "{count} runs are open, the first for {length}",
      },
      severalUsually: {
        one: "{count} run is open, the first for {length}, usually {usual}",
        other: "{count} runs are open, the first for {length}, usually {usual}",
      },
    },
    chart: {
      label: {
        one: "Length of the last {count} run: {median} in the middle, {longest} at most",
        other: "Length of the last {count} runs: {median} in the middle, {longest} at most",
      },
      /** Keys of a line, of dots and of another line. */
      length: "length",
      failed: "failed",
      limit: "limit",
      /** The value of a run that failed. */
      failedAfter: "failed after {length}",
    },
  },
  /** The output of a run, in a dialog. */
  output: {
    title: "Output",
    /** For screen readers: the button that opens it. */
    open: "Output, {size}, of the run of {time}",
    cut: "It may be longer: {size} of an output are kept.",
    download: "Download",
  },
  /** The card about how a job reports to stillup. */
  checkin: {
    title: "Check-in",
    schedule: "Schedule",
    last: "Last check-in",
    ago: "{duration} ago",
    never: "never",
    /** The time until which the next report must come. */
    deadline: "Deadline",
    noDeadline: "none yet",
    url: "Check-in URL",
    copyUrl: "Copy the check-in URL",
    /** `parameter` is code. */
    hint: "Call it after each run of the job, with {parameter} if the job failed. Anyone who knows the URL can check in. These commands also report the start, so that you see how long runs take, and a run that hangs is found.",
    /** For screen readers: the choice among programs that start jobs. */
    commands: "Commands",
    /** `program` is code, such as curl. */
    with: "With {program}",
    withStillup:
      "With {program}<hint>: also sends the last 10 kB of the output, and never delays or fails the job.</hint>",
    copyCommand: "Copy the command with {program}",
  },
  /** Cards about the latest check. */
  latest: {
    /** The titles of the cards. */
    phases: "Latest check",
    steps: "Steps",
    addresses: "Addresses",
    /** The DNS has them. */
    records: "Records",
    certificate: "Certificate",
    /** A fact beside the phases. */
    address: "Address",
  },
  /** Marks behind a record of the DNS. */
  records: {
    /** Not there before. */
    new: "new",
    /** There before, and no longer. */
    gone: "gone",
    none: "No record",
  },
  /** The finding of a check at each address of a host. */
  addresses: {
    /** For screen readers. */
    table: "Table of addresses",
    columns: { address: "Address", status: "Status", latency: "Latency", detail: "Detail" },
    notChecked: {
      one: "and {count} more, not checked: beyond the sixth, or without a route from stillup.",
      other: "and {count} more, not checked: beyond the sixth, or without a route from stillup.",
    },
  },
  /** Facts about a certificate, each with its name. */
  certificate: {
    validity: "Validity",
    /** Two days. */
    validFromTo: "{from} to {to}",
    verified: "Verified",
    verifiedYes: "yes: chain and name",
    /** `fault` is one of the clauses below. */
    verifiedNo: "no: {fault}",
    subject: "Subject",
    issuer: "Issuer",
    /** The host names for which it is valid. */
    names: "Names",
    protocol: "Protocol",
    validUntil: "Valid until",
    clientCertificate: "Client certificate",
    clientValidUntil: "valid until {day}",
    /** Sentences for the administrator of the server. */
    advice: "Advice",
    advices: {
      deprecated_protocol: "Use TLS 1.2 or later: older versions are deprecated.",
      weak_signature: "Replace the certificate: its signature uses SHA-1 or MD5.",
      weak_key: "Replace the key: RSA needs at least 2,048 bits.",
      incomplete_chain:
        "Send the certificate of the issuer too: clients that do not know it refuse the connection.",
    } satisfies Record<TlsAdvice, string>,
    /** Why it does not verify. “It” is the certificate. */
    faults: {
      CERT_HAS_EXPIRED: "it has expired",
      CERT_NOT_YET_VALID: "it is not valid yet",
      DEPTH_ZERO_SELF_SIGNED_CERT: "it is self-signed",
      SELF_SIGNED_CERT_IN_CHAIN: "its issuer is not trusted",
      UNABLE_TO_GET_ISSUER_CERT: "its issuer is unknown",
      UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "its issuer is unknown, or the server does not send the whole chain",
      UNABLE_TO_VERIFY_LEAF_SIGNATURE: "its issuer is unknown, or the server does not send the whole chain",
      ERR_TLS_CERT_ALTNAME_INVALID: "it is for other names",
      CERT_REVOKED: "it was revoked",
      CERT_SIGNATURE_FAILURE: "its signature is wrong",
      CERT_CHAIN_TOO_LONG: "its chain is too long",
      INVALID_CA: "its issuer may not issue certificates",
      PATH_LENGTH_EXCEEDED: "its issuer may not issue certificates for servers",
      INVALID_PURPOSE: "it is not for servers",
      CERT_UNTRUSTED: "its issuer is not trusted for servers",
      CERT_REJECTED: "its issuer is rejected here",
      HOSTNAME_MISMATCH: "it is for other names",
      UNSPECIFIED: "it does not follow the rules for certificates",
    } satisfies Record<CertificateFault, string>,
    /** `code` is English. */
    otherFault: "it does not verify ({code})",
  },
  /** The registration of a domain name. */
  registration: {
    title: "Registration",
    titleOf: "Registration of {domain}",
    /** The registry is the organization that manages all names below .com, for example. */
    pending: "The registry has not answered yet.",
    until: "Registered until",
    /** The company where the name was bought. */
    registrar: "Registrar",
    /** Codes of the registry. */
    statuses: "Statuses",
  },
  /** Other monitors that have the address or the certificate of this one, and fail with it. */
  fallsWith: {
    title: "What falls with it",
    /** `value` is an address or a fingerprint. */
    address: {
      one: "Address {value}: {count} other monitor",
      other: "Address {value}: {count} other monitors",
    },
    certificate: {
      one: "Certificate {value}: {count} other monitor",
      other: "Certificate {value}: {count} other monitors",
    },
  },
  /** The latest outages of the monitor. */
  outages: {
    title: "Outages in 90 days",
    /** A link. */
    all: "All outages",
    none: "None.",
    /** For screen readers. */
    table: "Table of outages",
    columns: { start: "Start", duration: "Duration", status: "Status", reason: "Reason" },
    /** The duration of an outage that goes on. */
    soFar: "{duration} so far",
  },
} as const;
