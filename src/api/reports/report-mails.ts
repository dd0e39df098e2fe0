import { Type } from "@sinclair/typebox";
import { iso } from "../../domain/iso-time.ts";
import { Selector } from "../../domain/monitors/selector.ts";
import { LANGUAGES } from "../../domain/pages/reader-locale.ts";
import {
  lastWholePeriod,
  NewReportMail,
  periodFrom,
  REPORT_KINDS,
  type ReportMail,
  ReportMailChanges,
} from "../../domain/reports/report-mail.ts";
import { StoredRef, Timestamp } from "../../domain/schemas/format.ts";
import { named, nullable, oneOf } from "../../domain/schemas/schema.ts";
import { html } from "../../html.ts";
import { renderReport, sendReportNow } from "../../runner/reports/report-sender.ts";
import { allowed, operationsOf, resource } from "../auth/authentication.ts";
import { answering, idOf } from "../http/openapi.ts";
import type { Services } from "../http/services.ts";

const ReportMailId = idOf("a report by mail");

/** Behavior 23.70 to 23.74. */
export function reportMailRoutes({ store, clock, authenticator, bodies, delivery, testLimit }: Services) {
  const report = operationsOf(
    { authenticator, bodies },
    {
      name: "ReportMail",
      one: "a report by mail",
      params: ReportMailId,
      answer: ReportMailBody,
      role: "admin",
    },
  );
  return resource({ authenticator, store }, "/reports/mails", "Outages")
    .get(
      "",
      async ({ caller }) => ({
        data: (await store.reportMails.list(caller.organizationId)).map(reportMailBody),
      }),
      report.list("Lists all reports by mail of the organization, oldest first.", {
        operationId: "listReportMails",
        summary: "List reports by mail",
      }),
    )
    .post(
      "",
      async ({ authored, caller, body, status }) => {
        const created = await authored().reportMails.create(caller.organizationId, body, clock.now());
        return status(201, { data: reportMailBody(created) });
      },
      report.create(
        NewReportMail,
        "It goes to `to`, or to the addresses of the EMAIL channels `channelIds`, once for each period, about the whole period " +
          "before. `selector` names monitors by ID, by tag, or all.",
      ),
    )
    .get(
      "/:id",
      async ({ caller, params }) => ({
        data: reportMailBody(await store.reportMails.find(caller.organizationId, params.id)),
      }),
      report.read("`nextAt` is when it goes next."),
    )
    .patch(
      "/:id",
      async ({ authored, caller, params, body }) => ({
        data: reportMailBody(
          await authored().reportMails.update(caller.organizationId, params.id, body, clock.now()),
        ),
      }),
      report.update(
        ReportMailChanges,
        "Changes only the fields that are sent. `to` replaces `channelIds`, and the other way round. Another `at` or " +
          "`timezone` leaves no period out, and repeats none.",
      ),
    )
    .delete(
      "/:id",
      async ({ authored, caller, params }) => ({
        data: await authored().reportMails.delete(caller.organizationId, params.id),
      }),
      report.delete("Mails of it that wait are not sent."),
    )
    .post(
      "/:id/send",
      async ({ caller: { organizationId }, params }) => {
        const found = await store.reportMails.find(organizationId, params.id);
        const given = { organizationId, report: found, settings: delivery, now: clock.now() };
        return { data: await testLimit.run(organizationId, () => sendReportNow(store, given)) };
      },
      {
        params: ReportMailId,
        beforeHandle: allowed({ role: "admin" }),
        detail: answering({
          operationId: "sendReportMail",
          summary: "Send a report now",
          description:
            "Sends the report about the last whole period immediately, without retries. The regular one of this period goes as well.",
          answer: OutcomeBody,
          example: { status: "delivered", from: "2026-11-16", mails: [outcome] },
          errors: [403, 404],
        }),
      },
    );
}

/**
 * The page of a report about a period, as HTML.
 *
 * @param first the first day of the period
 * @returns null for an unknown report, and for a day on which no period begins that is over
 */
export async function reportPage(
  { store, clock, baseUrl }: Pick<Services, "store" | "clock" | "baseUrl">,
  { organizationId, id, first }: { organizationId: string; id: string; first: string },
): Promise<string | null> {
  const report = (await store.reportMails.list(organizationId)).find((one) => one.id === id);
  const period = report && periodFrom(report.kind, first);
  if (!period || period.first > lastWholePeriod(report, clock.now()).first) return null;
  return (await renderReport(store, { organizationId, report, period, baseUrl: baseUrl() })).html;
}

/** In place of the page of a report that does not exist. */
export function missingReport(basePath: string): string {
  return html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>Not found · stillup</title></head>
<body style="margin:0;padding:24px 16px;font:15px/1.45 system-ui,sans-serif">
<main style="max-width:680px;margin:0 auto">
<h1>Not found</h1>
<p>The report was deleted, or none of its periods that are over begins on this day.</p>
<p><a href="${basePath}/reports/mails" style="display:inline-block;padding:12px 0">Reports by mail</a></p>
</main>
</body>
</html>
`.markup;
}

export function reportMailBody({ id, ref, nextAt, createdAt, updatedAt, ...definition }: ReportMail) {
  const times = { nextAt: iso(nextAt), createdAt: iso(createdAt), updatedAt: iso(updatedAt) };
  return { id, ...definition, ref, ...times };
}

const outcome = { to: "ops@example.com", status: "delivered", error: null };

const OutcomeBody = Type.Object(
  {
    status: oneOf(["delivered", "partial", "failed"]),
    from: Type.String({ description: "The first day of the period." }),
    mails: Type.Array(
      Type.Object(
        {
          to: Type.String(),
          status: oneOf(["delivered", "failed"]),
          error: nullable(Type.String()),
        },
        named("SentReport", outcome),
      ),
    ),
  },
  named("ReportOutcome"),
);

export const example = {
  id: "Vb4nTqZr7PxLs2hKd9WmYf",
  title: "Our week",
  kind: "week",
  selector: { all: true },
  channelIds: null,
  to: ["ops@example.com"],
  timezone: "Europe/Berlin",
  at: "07:30",
  language: "en",
  ref: null,
  nextAt: "2026-11-30T06:30:00.000Z",
  createdAt: "2026-11-21T09:30:00.000Z",
  updatedAt: "2026-11-21T09:30:00.000Z",
};

export const ReportMailBody = Type.Object(
  {
    id: Type.String(),
    title: Type.String(),
    kind: oneOf(REPORT_KINDS),
    selector: Type.Object({ ...Selector.properties }, named("ReportSelector")),
    channelIds: nullable(Type.Array(Type.String())),
    to: nullable(Type.Array(Type.String())),
    timezone: Type.String(),
    at: Type.String(),
    language: oneOf(LANGUAGES),
    ref: StoredRef,
    nextAt: Timestamp,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  named("ReportMail", example),
);
