import { DAY } from "../../domain/duration.ts";
import { fill } from "../../domain/locale-formats.ts";
import { readerOf } from "../../domain/pages/reader-locale.ts";
import type { Part, ReportContents, ReportedOutage } from "../../domain/reports/report-contents.ts";
import { type ReportDefinition, type ReportPeriod, spanOf } from "../../domain/reports/report-mail.ts";
import { oneLine, truncate } from "../../domain/truncate.ts";
import { Html, html } from "../../html.ts";
import { type Localization, localizationOf } from "../localization.ts";

/** Characters of the title in the subject, of which mail programs show less: the period follows it. */
const MAX_TITLE = 120;

/** Characters of a name: a line of the page of paper. */
const MAX_NAME = 60;
/** Characters of the cause of an outage. */
const MAX_CAUSE = 120;

interface RenderedReport {
  subject: string;
  text: string;
  html: string;
}

/** A part of a report in the words of its reader. @property note beside the heading */
interface Section {
  heading: string;
  note?: string;
  lines: Line[];
}

/** @property value at the end of the line @property more below it, in small letters */
interface Line {
  name: string;
  value: string;
  more?: string;
}

/**
 * A report as text, and as HTML that prints on one page of A4 (behavior 23.76).
 *
 * @param url of the same report on the page
 */
export function reportMail(
  report: Pick<ReportDefinition, "title" | "kind" | "timezone" | "language">,
  { period, contents, url }: { period: ReportPeriod; contents: ReportContents; url: string },
): RenderedReport {
  const local = localizationOf(readerOf(report.language, null), report.timezone);
  const title = local.isolated(report.title);
  const when = describePeriod(report, period, local);
  const subject = `${local.isolated(truncate(oneLine(report.title), MAX_TITLE))}${local.texts.colon}${when}`;
  const sections = sectionsOf(contents, local);
  return {
    subject,
    text: textOf({ subject, sections, url, local }),
    html: htmlOf({ subject, title, when, sections, url, local }),
  };
}

function describePeriod(
  { kind, timezone }: Pick<ReportDefinition, "kind" | "timezone">,
  period: ReportPeriod,
  local: Localization,
): string {
  const { from, to } = spanOf(period, timezone);
  if (kind === "day") return local.fullDate(from);
  if (kind === "month") return local.monthName(period.first.slice(0, 7));
  const dates = new Intl.DateTimeFormat(local.locale, {
    ...{ year: "numeric", month: "short", day: "numeric" },
    ...{ calendar: "gregory", timeZone: timezone },
  });
  return dates.formatRange(from, to - DAY / 2);
}

function sectionsOf(contents: ReportContents, local: Localization): Section[] {
  const { texts, number, percent, moment } = local;
  const { report, mail, downtime } = texts;
  const { total, monitors, outages, missed, ends, maintenances } = contents;
  const uptimeOf = (uptime: string | null) => (uptime === null ? "–" : percent(uptime));
  const before = (uptime: string | null) => fill(report.before, { uptime: uptimeOf(uptime) });
  const down = total.downMs > 0 ? [fill(downtime, { duration: local.duration(total.downMs, "short") })] : [];
  const named = (name: string) => local.isolated(truncate(oneLine(name), MAX_NAME));
  return [
    {
      heading: report.uptime,
      note: `${uptimeOf(total.uptime)} (${before(total.before)})`,
      lines: linesOf(monitors, local, ({ name, uptime, before: earlier }) => ({
        name: named(name),
        value: `${uptimeOf(uptime)} (${before(earlier)})`,
      })),
    },
    {
      heading: report.outages,
      note: [total.outages === 0 ? texts.day.good : number(total.outages), ...down].join(" · "),
      lines: linesOf(outages, local, (outage) => outageLine(outage, named(outage.name), local)),
    },
    ...optional(missed, {
      heading: report.missed,
      lines: linesOf(missed, local, ({ name, count }) => ({ name: named(name), value: number(count) })),
    }),
    ...optional(ends, {
      heading: report.ends,
      lines: linesOf(ends, local, ({ name, what, at }) => ({
        name: `${named(name)} (${report[what]})`,
        value: local.momentWithYear(at),
      })),
    }),
    ...optional(maintenances, {
      heading: mail.maintenance,
      lines: linesOf(maintenances, local, ({ title, startsAt, endsAt }) => ({
        name: named(title),
        value: endsAt === null ? moment(startsAt) : spanText(local, startsAt, endsAt),
      })),
    }),
  ];
}

function outageLine(
  { startedAt, endedAt, lengthMs, cause }: ReportedOutage,
  name: string,
  local: Localization,
): Line {
  const length = local.duration(lengthMs, "short");
  const lasts = endedAt === null ? ` · ${local.texts.maintenanceState.active}` : "";
  return {
    name,
    value: `${local.moment(startedAt)} · ${length}${lasts}`,
    ...(cause !== null && { more: truncate(oneLine(cause), MAX_CAUSE) }),
  };
}

function spanText(local: Localization, from: number, to: number): string {
  const isSameDay = local.dayOf(from) === local.dayOf(to);
  const end = isSameDay ? local.clock(to) : local.moment(to);
  return fill(local.texts.span, { from: local.momentWithoutZone(from), to: end });
}

function linesOf<Entry>(
  { entries, others }: Part<Entry>,
  local: Localization,
  lineOf: (entry: Entry) => Line,
): Line[] {
  const rest = others > 0 ? [{ name: local.plural(local.texts.mail.andMore, others), value: "" }] : [];
  return [...entries.map(lineOf), ...rest];
}

/** A part without entries is left out. */
function optional({ entries }: Part<unknown>, section: Section): Section[] {
  return entries.length > 0 ? [section] : [];
}

interface Layout {
  subject: string;
  sections: Section[];
  url: string;
  local: Localization;
}

function textOf({ subject, sections, url, local }: Layout): string {
  const colon = local.texts.colon;
  const parts = sections.map(({ heading, note, lines }) => {
    const first = note === undefined ? heading : `${heading}${colon}${note}`;
    const rest = lines.map(({ name, value, more }) => {
      const line = value === "" ? `- ${name}` : `- ${name}${colon}${value}`;
      return more === undefined ? line : `${line}\n  ${more}`;
    });
    return [first, ...rest].join("\n");
  });
  return `${[subject, ...parts, url].join("\n\n")}\n`;
}

/** Mail programs that drop the element have the light colors, which are also those on paper. */
const STYLE = new Html(`
:root { color-scheme: light dark; supported-color-schemes: light dark }
@page { size: A4; margin: 10mm }
@media screen and (prefers-color-scheme: dark) {
  body { background: #12161f !important; color: #e6e9f0 !important }
  h1, h2, td { color: #e6e9f0 !important; border-color: #353c4a !important }
  .soft { color: #a7b0c0 !important }
  a { color: #9db8ff !important }
}
@media (max-width: 480px) {
  td { display: block; padding-inline-start: 0 !important; text-align: start !important; white-space: normal !important }
  td + td { border: 0 !important; padding-top: 0 !important }
}
@media print {
  body { padding: 0 !important; font-size: 10px !important; line-height: 1.25 !important; background: none !important }
  h1 { font-size: 17px !important }
  h2 { font-size: 12px !important; margin-top: 8px !important }
  div { max-width: none !important }
  a { padding: 0 !important }
  td { padding-block: 1px !important }
  .soft { font-size: 9px !important }
}
`);

const BODY =
  "margin:0;padding:24px 16px;font:15px/1.45 system-ui,-apple-system,'Segoe UI',sans-serif;color:#1d2433;background:#ffffff";
const H1 = "margin:0 0 2px;font-size:22px;line-height:1.3;overflow-wrap:anywhere";
const H2 = "margin:22px 0 4px;font-size:16px;line-height:1.3";
const SOFT = "color:#475467;font-size:13px";
const NAME = "padding:4px 0;border-top:1px solid #d0d5dd;vertical-align:top;overflow-wrap:anywhere";
const VALUE = `${NAME};padding-inline-start:16px;text-align:end;white-space:nowrap;font-variant-numeric:tabular-nums`;

function htmlOf({
  subject,
  title,
  when,
  sections,
  url,
  local,
}: Layout & { title: string; when: string }): string {
  const { locale, isRightToLeft } = local;
  return html`<!doctype html>
<html lang="${locale}"${isRightToLeft ? html` dir="rtl"` : ""}>
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${subject}</title><style>${STYLE}</style></head>
<body style="${BODY}">
<div role="main" style="max-width:680px;margin:0 auto">
<h1 style="${H1}">${title}</h1>
<p class="soft" style="margin:0;${SOFT}">${when}</p>
${sections.map(sectionHtml)}<p style="margin:10px 0 0;font-size:13px;overflow-wrap:anywhere"><a href="${url}" style="display:inline-block;padding:14px 0;color:#1d4ed8">${url}</a></p>
</div>
</body>
</html>
`.markup;
}

function sectionHtml({ heading, note, lines }: Section): Html {
  const beside =
    note === undefined ? "" : html` <span class="soft" style="font-weight:400;${SOFT}">${note}</span>`;
  const table =
    lines.length === 0
      ? ""
      : html`<table role="presentation" style="width:100%;border-collapse:collapse">${lines.map(lineHtml)}</table>
`;
  return html`<h2 style="${H2}">${heading}${beside}</h2>
${table}`;
}

function lineHtml({ name, value, more }: Line): Html {
  const below =
    more === undefined ? "" : html`<br><span class="soft" dir="auto" style="${SOFT}">${more}</span>`;
  if (value === "")
    return html`<tr><td colspan="2" class="soft" style="${NAME}">${name}</td></tr>
`;
  return html`<tr><td style="${NAME}">${name}${below}</td><td style="${VALUE}">${value}</td></tr>
`;
}
