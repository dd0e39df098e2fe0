import type { Role } from "../../domain/accounts/role.ts";
import type { FactKind } from "../../domain/causes/causes.ts";
import type { DegradedBy, LookupFailure, Reason } from "../../domain/checks/observation.ts";
import type { Layer } from "../../domain/evidence/evidence.ts";
import type { Plural } from "../../domain/locale-formats.ts";
import type { MonitorType } from "../../domain/monitors/kinds/kinds.ts";
import type { Status } from "../../domain/monitors/status.ts";

/** The statuses of healthy monitors. */
type Healthy = "up" | "active" | "present" | "ok";

/** The statuses that a reminder repeats. */
export type Unhealthy = Exclude<Status, Healthy>;

/** A title, and the sentence below it. */
interface Notice {
  title: string;
  reason: string;
}

/**
 * All texts of notifications, and of the e-mails to people who use stillup, in one language (behavior 27.40).
 *
 * `{name}` is a place that a value replaces: a whole sentence is one template, because the order of its parts differs between
 * languages. A name is never declined, so its place is one where its form does not depend on the sentence. Times come as
 * `Nov 21, 2026, 14:30:05 UTC`, days as `Nov 21, 2026`, durations as `2 days, 5 hr`, latencies as `42 ms`.
 *
 * @typeParam Category as `Intl.PluralRules` has them for the language
 */
export interface Texts<Category extends Intl.LDMLPluralRule = never> {
  /** Between a label and its value, and between the items of a list, with their spaces. */
  colon: string;
  comma: string;
  /** Two whole sentences, one after the other. */
  sentences: string;
  /** `{amount}` is such as `1 sec` or `1 ms`. */
  lessThan: string;

  /** The status of a monitor, as a label: `Down`. The monitor is the subject. */
  status: Record<Status, string>;
  /** The same if it has lasted for a while: `Still down`. A label too, at the start of a title or a line. */
  still: Record<Unhealthy, string>;
  /** The type of a monitor. `Port`: it opens a connection to a port. `Certificate`: for TLS. `Cron job`: it waits for check-ins. */
  monitorType: Record<MonitorType, string>;

  /**
   * Titles of notifications about one monitor. `{name}` is its name. The four healthy statuses
   * end a trouble, the others begin one.
   */
  title: Record<Status, string> & {
    /** A reminder: `Still down: Shop front`. `{status}` is one of `still`. */
    reminder: string;
    /** The domain of the name is the trouble, not the certificate. */
    byRegistration: Record<"expiring_soon" | "expired", string>;
    /** A monitor that is Degraded for another reason than its latency. */
    degradedBy: Record<DegradedBy, { begins: string; ends: string }>;
    /** It was slow. */
    fastAgain: string;
    /** The certificate ended soon, and does not any more. */
    renewed: string;
    /** The records in the DNS are the usual ones again. */
    unchangedAgain: string;
    /** A job that was late. */
    checkedInAgain: string;
    /** Neither the certificate nor the domain ends soon. */
    nothingExpires: string;
    /** A name that must have no record in the DNS has none again. */
    noRecordAsExpected: string;
  };

  /** Sentences below a title: why the monitor has its new status. */
  reason: {
    /** Behind a sentence, or alone: `{message}` is English text from the log of a check, or a text that a job has sent. */
    message: string;
    /** The address or the target responds again. */
    recovered: string;
    asFastAsUsual: string;
    /** The trouble with one of these is over. */
    recoveredFrom: Record<DegradedBy, string>;
    /** Why a check failed. */
    failed: Record<Reason, string>;
    /** The same with the address, such as `192.0.2.7`. */
    refusedBy: string;
    resetBy: string;
    unreachableAt: string;
    /** `{code}` is a status code of HTTP, such as 503. */
    unexpectedStatus: string;
    noResponse: string;
    /** The latency is much longer than usual. With the latency, with the last usual latency, and with both. */
    slow: string;
    slowIn: string;
    slowBefore: string;
    slowInBefore: string;
    /** The answer took longer than the user allows. */
    slowerThanExpected: string;
    /** Why a monitor is Degraded for another reason. */
    degradedBy: Record<Exclude<DegradedBy, "packet_loss">, string>;
    /** Numbers of pings; `{allowed}` is the allowed loss in percent, such as `5 %`. */
    pingsLost: string;
    certificate: {
      /** Without a date, and with it: `{day}` is its end, `{duration}` how long until then, or since then. */
      notExpired: string;
      notExpiredUntil: string;
      expiresSoon: string;
      expiresSoonOn: string;
      expired: string;
      expiredOn: string;
      /** It becomes valid later, on `{day}`. */
      notYetValid: string;
      /** `{reason}` is a whole sentence, one of `failed`. */
      none: string;
    };
    /** The registration of a domain, which its owner must renew. */
    registration: { expires: string; expired: string; invalid: string };
    dns: {
      present: string;
      /** It must have none. */
      noRecord: string;
      missing: string;
      /** Why there is no record, by the answer of the DNS server. */
      failed: Record<LookupFailure, string>;
      changed: string;
      /** With a list of records that are new, that are gone, and with both. */
      changedNew: string;
      changedGone: string;
      changedBoth: string;
    };
    /** A job is a program that runs at certain times, and reports its end to stillup, which is its check-in. */
    job: {
      succeeded: string;
      succeededAfter: string;
      failed: string;
      failedAfter: string;
      /** `{code}` is the exit code of its process. */
      exitCode: string;
      exitCodeAfter: string;
      /** The run takes longer than its limit. */
      overrun: string;
      /** A run began before the previous one ended. */
      overlap: string;
      noCheckin: string;
    };
    /** There is no result of any check yet. */
    unknown: string;
  };

  /** The labels of values, as in a table. */
  fact: {
    status: string;
    since: string;
    /** Where the failure is, with a sentence in English. */
    why: string;
    /** The thing that monitors share which fail at the same time. */
    together: string;
    /** Names of the places from where checks see it. */
    seenFrom: string;
    /** How long the trouble lasted; and if it still lasts. */
    lasted: string;
    lastedSoFar: string;
    /** The status before, and how long it lasted. */
    before: string;
    latency: string;
    lastGoodLatency: string;
    /** Before this status there was another trouble. */
    inTroubleSince: string;
    /** Somebody works on the outage: when and who. */
    acknowledged: string;
    /** The text that this person wrote. */
    note: string;
    /** Monitors that depend on this one, whose notifications are not sent meanwhile. */
    muted: string;
    /** One of `monitorType`. */
    type: string;
    /** How many notices a message has. */
    notices: string;
    monitors: string;
    /** The times of a maintenance. */
    started: string;
    until: string;
    ended: string;
    notCheckedSince: string;
  };

  /** The values behind the labels. */
  value: {
    /** The previous and the new status. In a script from right to left, the arrow points to the left. */
    statusChange: string;
    /** `{status}` is one of `status`. */
    statusFor: string;
    /** `{places}` are names, `{count}` of `{total}` places. */
    seenFrom: string;
    /** `{name}` is a person or an API key. */
    acknowledged: string;
    muted: Plural<Category>;
    /** Where a failure is. `self`: at stillup or its machine. `content`: the content of a response is not as expected. */
    layer: Record<Exclude<Layer, "unknown">, string>;
    /** `{layer}` is one of these, `{summary}` a sentence in English. */
    why: string;
    /** How many monitors, and the names of some. */
    monitors: string;
    /** The last item of a list of names: there are more. */
    more: Plural<Category>;
    /** The thing that monitors share which fail at the same time: an address, a certificate, a host, a network, a domain, a place from where they are checked, a tag. */
    cause: Record<FactKind, Plural<Category>>;
    /** All that this server checks fails. */
    everythingFromHere: Plural<Category>;
    /** `{cause}` is one of these; packets get no further than to the router `{address}`. */
    causeWithEnd: string;
  };

  /** One message about many changes. */
  digest: {
    /** `{statuses}` is such as `3 Down, 1 Up`. */
    monitors: Plural<Category>;
    notices: Plural<Category>;
    /** Both of the above. */
    monitorsAndNotices: string;
    /** `{cause}` is one of `value.cause`. */
    withCause: string;
    /** How many monitors have a status. */
    countOf: string;
    /** How many notifications are in the message, and when they happened. */
    at: Plural<Category>;
    between: Plural<Category>;
    /** A line of the list. */
    line: string;
    lineAfterChanges: Plural<Category>;
    /** In place of the status, if a line is not about a monitor. */
    notice: string;
    andMore: Plural<Category>;
  };

  /** A location is a place from where a remote probe checks monitors. */
  location: {
    silent: string;
    /** It never was there; and for how long it has been silent. */
    neverSeen: string;
    silentFor: string;
    connected: Notice;
  };
  maintenance: { started: Notice; ended: Notice };
  /** Nothing is known of some monitors, because of a fault on the way to them. */
  blind: { title: Plural<Category>; reason: string };
  resumed: Notice;

  /** Links and buttons below a message. */
  link: {
    open: string;
    outage: string;
    /** The outage, so that others see that somebody works on it. */
    acknowledge: string;
    /** Above the link to the outage, and above the link to acknowledge, which works for readers who are not signed in. */
    outageLabel: string;
    acknowledgeLabel: string;
  };
  /** The two buttons of a notification on a phone or a computer, which must be short. `mute`: no notifications about the monitor for an hour. */
  button: { acknowledge: string; mute: string };

  /** The page behind the link `acknowledge`, for somebody who is not signed in. */
  acknowledgePage: {
    /** `state`: the monitor with its status, such as `Shop: Down, since …`. `effect`: what the button `link.acknowledge` does. */
    ask: { title: string; state: string; effect: string };
    /** `now`: by this reader. `before`: by somebody else, or earlier. `{by}` is a person or a channel. */
    acknowledged: { now: string; before: string; text: string };
    ended: { title: string; text: string };
    missing: { title: string; text: string };
  };

  /** In place of the name of a monitor: a notification that a user sends as a test. */
  testName: string;

  /** E-mails to people who use stillup. */
  mail: {
    invite: {
      /** With and without the name of the person who invites, and of the organization. */
      title: { byOf: string; by: string; of: string; plain: string };
      about: string;
      /** `{role}` is one of these. Three buttons or links follow on the page that the mail leads to. */
      role: string;
      roles: Record<Role, string>;
      action: string;
      after: string;
    };
    password: { title: string; text: string; action: string; after: string };
    test: { title: string; text: string; action: string };
  };
}
