import { NO_MAIL_SERVER, sendMail } from "../../alerts/mail.ts";
import type { DeliverySettings } from "../../alerts/post.ts";
import type { Clock } from "../../clock.ts";
import { type DeliveryAttempt, nextAttemptAt } from "../../domain/alerts/delivery.ts";
import type { ReportFacts } from "../../domain/reports/report-contents.ts";
import {
  lastWholePeriod,
  periodUntil,
  type ReportMail,
  type ReportPeriod,
  spanOf,
} from "../../domain/reports/report-mail.ts";
import { oneLine } from "../../domain/truncate.ts";
import type { Logger } from "../../log.ts";
import type { reportMail } from "../../status-page/mails/report-mail.ts";
import { createId } from "../../store/ids.ts";
import type { Claimant, DueLetter, MonthSlice, Store } from "../../store/store.ts";
import { createFaultLog, createLoop, createWorkClaim, type Loop } from "../loop.ts";

type ReportStore = Pick<Store, "reports" | "reportMails">;

/** The content of a report by mail. */
type Rendered = ReturnType<typeof reportMail>;

/**
 * A report about a period, from what is stored now.
 *
 * @param baseUrl of the page, without a trailing slash
 * @throws AppError `not_found` if the organization does not exist
 */
export async function renderReport(
  { reports }: Pick<Store, "reports">,
  { organizationId, report, period, baseUrl }: Rendering,
): Promise<Rendered> {
  const [{ gatherReport }, { reportMail }] = await Promise.all([
    import("../../domain/reports/report-contents.ts"),
    import("../../status-page/mails/report-mail.ts"),
  ]);
  const { selector, kind, timezone } = report;
  const span = spanOf(period, timezone);
  const earlier = spanOf(periodUntil(kind, period.first), timezone);
  const gathered = gatherReport(span, earlier);
  const missed: ReportFacts["missed"][number][] = [];
  const ends: ReportFacts["ends"][number][] = [];
  let after: number | null = 0;
  while (after !== null) {
    const slice: MonthSlice = await reports.readMonth(organizationId, { selector, month: span, after });
    const before = await reports.readMonth(organizationId, { selector, month: earlier, after });
    const histories = new Map(before.monitors.map((monitor) => [monitor.id, monitor]));
    const existing = slice.monitors.filter(({ createdAt }) => createdAt < span.to);
    for (const monitor of existing) gathered.add(monitor, histories.get(monitor.id));
    const ids = existing.map(({ id }) => id);
    const found = await reports.readFacts(organizationId, { ids, span });
    missed.push(...found.missed);
    ends.push(...found.ends);
    after = slice.end;
  }
  const causes = await reports.explain(gathered.outagePks());
  const url = `${baseUrl}/reports/mails/${report.id}/${period.first}`;
  return reportMail(report, { period, contents: gathered.contents({ causes, missed, ends }), url });
}

interface Rendering {
  organizationId: string;
  report: ReportMail;
  period: ReportPeriod;
  baseUrl: string;
}

/** How a mail of a report ended. */
export interface ReportOutcome {
  status: "delivered" | "partial" | "failed";
  from: string;
  mails: { to: string; status: "delivered" | "failed"; error: string | null }[];
}

/** Sends a report about the last whole period now, without a retry: the regular one of this period goes as well (behavior 23.74). */
export async function sendReportNow(
  store: ReportStore,
  { organizationId, report, settings, now }: Omit<Rendering, "period" | "baseUrl"> & Sending,
): Promise<ReportOutcome> {
  const period = lastWholePeriod(report, now);
  const rendering = { organizationId, report, period, baseUrl: settings.baseUrl() };
  const rendered = await renderReport(store, rendering);
  const mails: ReportOutcome["mails"] = [];
  for (const to of await store.reportMails.findRecipients(organizationId, report.id)) {
    const attempt = await deliverReport(rendered, { id: createId(), to, now, settings });
    const isSent = attempt.outcome === "delivered";
    mails.push({ to, status: attempt.outcome, error: isSent ? null : attempt.error });
  }
  const failed = mails.filter(({ status }) => status === "failed").length;
  const status = failed === mails.length ? "failed" : failed === 0 ? "delivered" : "partial";
  return { status, from: period.first, mails };
}

interface Sending {
  settings: DeliverySettings;
  /** Milliseconds since 1970. */
  now: number;
}

/** Makes one attempt. @param id part of its `Message-ID`, the same on every attempt */
async function deliverReport(
  content: Rendered,
  { id, to, now, settings }: Sending & { id: string; to: string },
): Promise<DeliveryAttempt> {
  const { smtp, resolveOwn, baseUrl: _, ...transport } = settings;
  if (!smtp) return { outcome: "failed", error: NO_MAIL_SERVER, final: true };
  const message = {
    ...content,
    from: { name: "stillup", address: smtp.from },
    to: { name: "", address: oneLine(to) },
    messageId: `<report.${id}@${smtp.from.slice(smtp.from.indexOf("@") + 1)}>`,
    date: new Date(now),
    headers: { "Auto-Submitted": "auto-generated" },
  };
  return sendMail(message, smtp, { ...transport, ...(resolveOwn && { resolve: resolveOwn }) });
}

/** Milliseconds between two looks for reports that are due. */
const SCAN_EVERY = 1000;

/** Mails that are listed at once. */
const BATCH = 40;

/** Only one node sends at a time: how long its claim lasts, in milliseconds. It is longer than an attempt. */
const LEASE = 30_000;

/** Milliseconds until the outcome of an attempt is stored again, if it could not be. */
const RECORD_AGAIN = 1000;

/** Queues and sends the reports by mail (behavior 23.71, 23.73). */
export type ReportSender = Pick<Loop, "start" | "wake"> & { stop(timeout: number): Promise<void> };

export function createReportSender({
  store,
  clock,
  claimant,
  log,
  settings,
  isOffline = () => false,
}: {
  store: ReportStore & Pick<Store, "claims">;
  clock: Clock;
  claimant: () => Claimant;
  log: Logger;
  settings: DeliverySettings;
  /** Whether the network of this machine is offline: a repetition would use up one of the attempts (behavior 13.57). */
  isOffline?: () => boolean;
}): ReportSender {
  const claim = createWorkClaim("reports", { store, clock, claimant, lease: LEASE });
  const faults = createFaultLog(log, "reports could not be sent");
  const loop = createLoop({ clock, every: SCAN_EVERY, task: sendAll, faults });

  async function sendAll(): Promise<void> {
    if (!(await store.reportMails.isDue(clock.now())) || !(await claim.take())) return;
    while (!loop.isStopped() && (await store.reportMails.queue(clock.now())));
    while (!loop.isStopped()) {
      const due = await store.reportMails.listDue({ now: clock.now(), limit: BATCH });
      const wanted = due.filter(({ attempts }) => attempts === 0 || !isOffline());
      if (wanted.length === 0) return;
      await sendInTurn(wanted);
    }
  }

  /** The mails of a report follow each other: its content is made once. */
  async function sendInTurn(due: readonly DueLetter[]): Promise<void> {
    let last: { key: string; rendered: Promise<Rendered> } | undefined;
    for (const letter of due) {
      const { organizationId, report, period } = letter;
      const key = `${report.id} ${period.first}`;
      if (last?.key !== key)
        last = {
          key,
          rendered: renderReport(store, { organizationId, report, period, baseUrl: settings.baseUrl() }),
        };
      await last.rendered.catch(() => {});
      // A large report may take longer than the claim lasts: another node may send its mails by now.
      if (loop.isStopped() || !(await claim.take())) return;
      await record(letter, await tryToSend(letter, last.rendered));
    }
  }

  /** A fault of this machine is a failed attempt too, so that the others are sent. */
  async function tryToSend(
    { id, recipient, createdAt }: DueLetter,
    rendered: Promise<Rendered>,
  ): Promise<DeliveryAttempt> {
    try {
      return await deliverReport(await rendered, { id, to: recipient, now: createdAt, settings });
    } catch (error) {
      log.error({ err: error, mail: id }, "a report could not be made");
      return { outcome: "failed", error: "an internal error of this server", final: false };
    }
  }

  async function record({ pk, id, attempts, report }: DueLetter, attempt: DeliveryAttempt): Promise<void> {
    const fields = { report: report.id, mail: id, attempt: attempts + 1 };
    if (attempt.outcome === "delivered") {
      log.info(fields, "a report was sent");
      return saveOutcome({ pk, attempts, nextAttemptAt: null });
    }
    const next = nextAttemptAt(attempt, attempts + 1, clock.now());
    const what =
      next === null ? "a report could not be sent, and is not tried again" : "a report could not be sent";
    log.warn({ ...fields, error: attempt.error }, what);
    return saveOutcome({ pk, attempts, nextAttemptAt: next });
  }

  /** A sent mail must not be sent again because the database was unreachable for a moment. */
  async function saveOutcome(outcome: Parameters<typeof store.reportMails.record>[0]): Promise<void> {
    for (;;) {
      try {
        return await store.reportMails.record(outcome);
      } catch (error) {
        faults.failed(error);
        if (loop.isStopped()) return;
        await clock.sleep(RECORD_AGAIN);
      }
    }
  }

  return {
    start() {
      loop.start();
      loop.wake();
    },
    wake: loop.wake,
    stop: (timeout) => Promise.race([loop.stop(), clock.sleep(timeout)]),
  };
}
