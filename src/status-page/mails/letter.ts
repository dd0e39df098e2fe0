import type {
  IncidentNotice,
  MaintenanceNotice,
  OutageNotice,
  PageMail,
  PageNotice,
} from "../../domain/pages/page-mail.ts";
import { truncate } from "../../domain/truncate.ts";
import type { Localization } from "../localization.ts";
import { fill } from "../template.ts";

/** The content of a message, before it becomes text and HTML. */
export interface Letter {
  /** One line. */
  subject: string;
  paragraphs: string[];
  /** Written by people, as plain text. */
  message?: string;
  /** Written by people, as Markdown. */
  markdown?: string;
  list?: string[];
  /** The one thing to do. */
  button?: { label: string; url: string };
}

/** @property confirmUrl of the form that confirms @property local of the subscriber, in the time zone of the page */
interface LetterContext {
  pageTitle: string;
  pageUrl: string;
  confirmUrl: string;
  local: Localization;
}

/** Characters. A header may be longer, but mail programs truncate it. */
const MAX_SUBJECT = 200;

/** The words of a message (behavior 15.82). */
export function letterOf(mail: PageMail, context: LetterContext): Letter {
  const letter = contentOf(mail, context);
  return { ...letter, subject: truncate(letter.subject, MAX_SUBJECT) };
}

function contentOf(mail: PageMail, context: LetterContext): Letter {
  const { local } = context;
  if (mail.kind === "optIn") return optInLetter(context);
  if (mail.kind === "incident") return incidentLetter(local, mail);
  if (mail.kind === "outage") return outageLetter(local, mail);
  if (mail.kind === "maintenance") return maintenanceLetter(local, mail);
  return severalLetter(mail, context);
}

function optInLetter({ pageTitle, pageUrl, confirmUrl, local }: LetterContext): Letter {
  const { subject, reason, confirm, button } = local.texts.mail.optIn;
  const [title, url] = [pageTitle, pageUrl].map(local.isolated) as [string, string];
  return {
    subject: fill(subject, { title }),
    paragraphs: [fill(reason, { title, url }), confirm],
    button: { label: button, url: confirmUrl },
  };
}

function incidentLetter(local: Localization, { title, update, components, at }: IncidentNotice): Letter {
  const { incidentStatus, mail, colon } = local.texts;
  const status = update ? incidentStatus[update.status] : mail.newIncident;
  return {
    subject: `${status}${colon}${local.isolated(title)}`,
    paragraphs: [local.moment(at), ...affects(local, components)],
    ...(update && { markdown: update.body }),
  };
}

function outageLetter(local: Localization, outage: OutageNotice): Letter {
  const { startedAt, endedAt, isDown, lengthMs } = outage;
  const { start, end } = local.texts.outage;
  const paragraphs =
    endedAt === null
      ? [fill(isDown ? start.down : start.degraded, { time: local.moment(startedAt) })]
      : [
          local.moment(endedAt),
          fill(end, { duration: local.duration(lengthMs ?? endedAt - startedAt, "long") }),
        ];
  return { subject: headlineOf(local, outage), paragraphs };
}

function maintenanceLetter(local: Localization, maintenance: MaintenanceNotice): Letter {
  const { message, components } = maintenance;
  return {
    subject: headlineOf(local, maintenance),
    paragraphs: [timesOf(local, maintenance), ...affects(local, components)],
    ...(message !== null && { message }),
  };
}

function timesOf({ texts, moment }: Localization, { startedAt, endsAt, isOver }: MaintenanceNotice): string {
  const { began, beganAndEnded, beganAndEnds } = texts.mail;
  const start = moment(startedAt);
  if (endsAt === null) return fill(began, { start });
  return fill(isOver ? beganAndEnded : beganAndEnds, { start, end: moment(endsAt) });
}

function severalLetter(
  { notices, count }: Extract<PageMail, { kind: "several" }>,
  { pageTitle, local }: LetterContext,
): Letter {
  const { texts, plural } = local;
  const { changes, changesOnPage, andMore } = texts.mail;
  const lines = notices.map((notice) => headlineOf(local, notice));
  const rest = count - lines.length;
  return {
    subject: plural(changes, count, { list: lines.join(texts.comma) }),
    paragraphs: [plural(changesOnPage, count, { title: local.isolated(pageTitle) })],
    list: [...lines, ...(rest > 0 ? [plural(andMore, rest)] : [])],
  };
}

function headlineOf({ texts, isolated }: Localization, notice: PageNotice): string {
  const { mail, outage, incidentStatus, colon } = texts;
  if (notice.kind === "maintenance")
    return `${notice.isOver ? mail.maintenanceOver : mail.maintenance}${colon}${isolated(notice.title)}`;
  const { down, degraded } = outage.title;
  const headline = fill(notice.isDown ? down : degraded, { name: isolated(notice.component) });
  return notice.endedAt === null ? headline : `${incidentStatus.resolved}${colon}${headline}`;
}

function affects({ texts, isolated }: Localization, components: readonly string[]): string[] {
  const names = components.map(isolated).join(texts.comma);
  return components.length === 0 ? [] : [fill(texts.affected, { components: names })];
}
