import type { KnownReason } from "../../../domain/checks/vague-reason.ts";
import type { Standing } from "../../../domain/monitors/standing.ts";
import type { Status } from "../../../domain/monitors/status.ts";

/** Statuses and results of checks, as all lists and pages of monitors show them. */
export const status = {
  /** Statuses of a monitor, as a label beside a mark, in tables, filters and charts. Adjectives, of a monitor or a check. */
  label: {
    /** No check has run yet. */
    unknown: "Waiting",
    /** The service answers. */
    up: "Up",
    /** The service does not answer as it must. */
    down: "Down",
    /** It answers, but slowly or only in part. */
    degraded: "Degraded",
    /** A certificate or a domain is valid for long enough. */
    active: "Not expired",
    /** A certificate or a domain. */
    expiring_soon: "Expires soon",
    /** A certificate or a domain. */
    expired: "Expired",
    no_cert: "No certificate",
    /** The records of a DNS name are there. */
    present: "Present",
    /** The records of a DNS name are not there. */
    missing: "Missing",
    /** The records of a DNS name are others than before. */
    changed: "Changed",
    /** The last run of a job, such as a backup, succeeded. */
    ok: "OK",
    /** The last run of a job failed. */
    failed: "Failed",
    /** A job has not reported in time that it runs. */
    havent_heard: "No check-in",
  } satisfies Record<Status, string>,
  /** Groups of statuses, and what people do about them. Labels and names of filters; adjectives, of monitors. */
  standing: {
    healthy: "Healthy",
    /** A monitor with a warning, less bad than down. */
    warning: "Warning",
    down: "Down",
    /** No check has run yet. */
    waiting: "Waiting",
    /** Somebody has paused its checks. */
    paused: "Paused",
    /** Somebody has said that they know of its outage. */
    acknowledged: "Acknowledged",
    maintenance: "In maintenance",
  } satisfies Record<Standing, string>,
  /** Why a check failed, in the few words of a row. */
  reason: {
    refused: "Connection refused",
    timeout: "No answer in time",
    reset: "Connection reset",
    closed: "Connection closed",
    unreachable: "Network unreachable",
    /** By the DNS. */
    dns_not_found: "Name not found",
    /** By the DNS. */
    dns_failed: "Name could not be looked up",
    dns_unreachable: "No DNS server can be reached",
    tls_invalid: "Certificate is not valid",
    tls_failed: "No TLS connection",
    not_http: "Answer is not HTTP",
    /** The target has an address of a private network, which the server may not check. */
    private_target: "Private address",
    /** The answer is not as the monitor expects it. */
    unexpected: "Not as expected",
    too_many_redirects: "Too many redirects",
    bad_redirect: "Redirect to no valid URL",
    /** The body of an HTTP answer. */
    bad_body: "Body could not be read",
    expires_soon: "Certificate expires soon",
    /** A host has several addresses. */
    some_addresses: "Some addresses fail",
    packet_loss: "Too many pings are lost",
    /** The content of a web page that is watched. */
    changed: "Content changed",
    /** With whoever manages domain names. */
    registration: "Registration of the domain",
    /** A run of a job. */
    overrun: "Runs for longer than its limit",
    /** A run of a job. */
    overlap: "Started while another run was open",
  } satisfies Record<KnownReason, string>,
  /** The finding of a check, in a line. */
  finding: {
    /** `message` is a recorded English sentence, which says more than the reason before it. */
    reasonWithMessage: "{reason}: {message}",
    /** `status` is a label as above, such as "Down". `reason` is a sentence or a few words. */
    statusWithReason: "{status}: {reason}",
    /** The status has not changed yet, because further checks must confirm it. `finding` is a status, or one with its reason. */
    notConfirmed: "Not confirmed: {finding}",
    /** `location` is the name of a place from which it was checked. */
    seenFrom: "{location} saw: {finding}",
    /** Records of a DNS name that a check found, and those that it found before and no longer. */
    records: {
      added: "new: {added}",
      gone: "gone: {gone}",
      addedAndGone: "new: {added}; gone: {gone}",
    },
    /** The last item of a list that is cut: how many more items it has. */
    rest: { one: "and {count} more", other: "and {count} more" },
    /** Items of which none is shown. */
    onlyRest: { one: "{count} more", other: "{count} more" },
  },
  /** The run of a job, in a few words. */
  run: {
    /** `length` is a duration, such as "8 min 12 s". */
    ranFor: "Ran for {length}",
    /** The number with which a program says how it ended. */
    exitCode: "Exit code {code}",
    exitCodeAfter: "Exit code {code}, after {length}",
  },
  /** When a job runs, in a line. `cron` is a pattern such as “0 3 * * *”, `zone` such as Europe/Berlin. */
  schedule: {
    cron: "{cron} ({zone})",
    period: "Every {duration}",
    /** It is not known yet. */
    learning: "Learns its schedule",
    learned: "Learned: every {duration}",
  },
  /** The table of the steps that a check has made, such as several requests one after the other. */
  steps: {
    /** For screen readers. */
    table: "Table of steps",
    columns: {
      step: "Step",
      /** The answer of the server: a status code. */
      answer: "Answer",
      latency: "Latency",
      /** Why the step failed. */
      detail: "Detail",
    },
    /** In place of the answer: there was none. */
    noAnswer: "None",
  },
  /** Strips of bars: one for each stretch of time or for each check. Most texts are only for screen readers. */
  bars: {
    /** The name of the strip of a monitor over the last hours or days. */
    history: "History",
    /** A strip for the keyboard. `strip` is its name, such as "History". */
    keyboard: "{strip}, one step for each bar",
    keyboardTime: "{strip}, one step for each bar, Enter shows its time",
    keyboardCheck: "{strip}, one step for each bar, Enter shows the check",
    /** `bars` and `states` are the texts below: "History: 24 bars, 2 down, 22 healthy". */
    summary: "{strip}: {bars}, {states}",
    bars: { one: "{count} bar", other: "{count} bars" },
    states: {
      down: { one: "{count} down", other: "{count} down" },
      warning: { one: "{count} warning", other: "{count} warning" },
      healthy: { one: "{count} healthy", other: "{count} healthy" },
      waiting: { one: "{count} without checks", other: "{count} without checks" },
    },
    /** A bar. `time` is its start, `status` a label as above or "no checks". */
    bar: "{time}: {status}",
    barWithLatency: "{time}: {status}, {latency}",
    noChecks: "no checks",
    /** A day that begins and ends in the zone UTC. */
    utcDay: "{day} (UTC)",
  },
  /** A monitor in a maintenance that people have planned. `title` is what they called it. */
  maintenance: {
    until: "In maintenance until {time}",
    untilWithTitle: "In maintenance until {time}: {title}",
  },
  /** An outage of which somebody has said that they know. `name` is a person or a key, `note` what they wrote. */
  acknowledged: {
    by: "Acknowledged by {name}",
    byWithNote: "Acknowledged by {name}: {note}",
  },
  /** Since when no check of a monitor has worked, so that nothing is known of it. */
  notChecked: "Not checked since {time}",
} as const;
