import { INCIDENT_LABELS } from "../../domain/pages/incident.ts";
import { endText, outageTitle, startText, timeInWords } from "../../domain/pages/outage-view.ts";
import type {
  IncidentNotice,
  MaintenanceNotice,
  OutageNotice,
  PageMail,
  PageNotice,
} from "../../domain/pages/page-mail.ts";
import { oneLine, truncate } from "../../domain/truncate.ts";

/** The content of a message, before it becomes text and HTML. */
export interface Letter {
  /** One line. */
  subject: string;
  paragraphs: string[];
  /** Written by people, as Markdown. */
  markdown?: string;
  list?: string[];
  /** The one thing to do. */
  button?: { label: string; url: string };
}

/** @property confirmUrl of the form that confirms */
interface LetterContext {
  pageTitle: string;
  pageUrl: string;
  confirmUrl: string;
}

/** Characters. A header may be longer, but mail programs truncate it. */
const MAX_SUBJECT = 200;

/** The words of a message (behavior 15.82). Names are of people: they stay on one line in the subject. */
export function letterOf(mail: PageMail, context: LetterContext): Letter {
  const letter = contentOf(mail, context);
  return { ...letter, subject: truncate(oneLine(letter.subject), MAX_SUBJECT) };
}

function contentOf(mail: PageMail, context: LetterContext): Letter {
  if (mail.kind === "optIn") return optInLetter(context);
  if (mail.kind === "incident") return incidentLetter(mail);
  if (mail.kind === "outage") return outageLetter(mail);
  if (mail.kind === "maintenance") return maintenanceLetter(mail);
  return severalLetter(mail, context);
}

function optInLetter({ pageTitle, pageUrl, confirmUrl }: LetterContext): Letter {
  return {
    subject: `Confirm your subscription to ${pageTitle}`,
    paragraphs: [
      `This address was entered to get messages about incidents, outages and maintenances of ${pageTitle} (${pageUrl}).`,
      "If it was you, confirm it within three days. If it was not you, ignore this message: without the confirmation, there are no others.",
    ],
    button: { label: "Confirm the subscription", url: confirmUrl },
  };
}

function incidentLetter({ title, update, components, at }: IncidentNotice): Letter {
  const status = update ? INCIDENT_LABELS[update.status] : "New incident";
  return {
    subject: `${status}: ${title}`,
    paragraphs: [timeInWords(at), ...affects(components)],
    ...(update && { markdown: update.body }),
  };
}

function outageLetter(outage: OutageNotice): Letter {
  const { startedAt, endedAt, isDown, lengthMs } = outage;
  const text = endedAt === null ? startText(isDown, startedAt) : endText(lengthMs ?? endedAt - startedAt);
  return {
    subject: headlineOf(outage),
    paragraphs: endedAt === null ? [text] : [`${timeInWords(endedAt)}. ${text}`],
  };
}

function maintenanceLetter(maintenance: MaintenanceNotice): Letter {
  const { message, components } = maintenance;
  const paragraphs = [timesOf(maintenance), ...(message === null ? [] : [message]), ...affects(components)];
  return { subject: headlineOf(maintenance), paragraphs };
}

function timesOf({ startedAt, endsAt, isOver }: MaintenanceNotice): string {
  const start = timeInWords(startedAt);
  if (endsAt === null) return `It began on ${start}.`;
  const end = timeInWords(endsAt);
  return isOver
    ? `It began on ${start} and ended on ${end}.`
    : `It began on ${start} and is expected to end on ${end}.`;
}

function severalLetter(
  { notices, count }: Extract<PageMail, { kind: "several" }>,
  { pageTitle }: LetterContext,
): Letter {
  const lines = notices.map((notice) => oneLine(headlineOf(notice)));
  const rest = count - lines.length;
  return {
    subject: `${count} changes: ${lines.join(", ")}`,
    paragraphs: [`${count} things changed on ${pageTitle} at the same time:`],
    list: [...lines, ...(rest > 0 ? [`and ${rest} more`] : [])],
  };
}

function headlineOf(notice: PageNotice): string {
  if (notice.kind === "maintenance")
    return `${notice.isOver ? "Maintenance is over" : "Maintenance"}: ${notice.title}`;
  const headline = outageTitle(notice.component, notice.isDown);
  return notice.endedAt === null ? headline : `Resolved: ${headline}`;
}

function affects(components: readonly string[]): string[] {
  return components.length === 0 ? [] : [`Affected: ${components.map(oneLine).join(", ")}`];
}
