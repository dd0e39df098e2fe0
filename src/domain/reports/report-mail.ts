import { type Static, Type } from "@sinclair/typebox";
import { invalid } from "../../errors.ts";
import { fault } from "../faults/fault.ts";
import { localMoment } from "../local-time.ts";
import { Selector } from "../monitors/selector.ts";
import { LANGUAGES, type Language } from "../pages/reader-locale.ts";
import { Email, Name, Ref, Timezone } from "../schemas/format.ts";
import { closed, described, oneOf } from "../schemas/schema.ts";
import type { Span } from "./monthly-report.ts";

export const REPORT_KINDS = ["day", "week", "month"] as const;
export type ReportKind = (typeof REPORT_KINDS)[number];

/** The most recipients of a report. */
const MOST = 20;

/** The period, the monitors, the recipients and the time of a report. */
const settings = {
  kind: described(
    oneOf(REPORT_KINDS),
    "`day`: each day about the day before. `week`: on Mondays about the week before. `month`: on the first about the month before.",
  ),
  selector: Selector,
  channelIds: Type.Optional(
    Type.Array(Type.String(), {
      minItems: 1,
      maxItems: MOST,
      description: "EMAIL channels to whose addresses it goes. Not with `to`.",
    }),
  ),
  to: Type.Optional(
    Type.Array(Email, {
      minItems: 1,
      maxItems: MOST,
      description: "The addresses to which it goes. Not with `channelIds`.",
    }),
  ),
  timezone: Type.Optional(described(Timezone, "That of its days and of `at`. Default: UTC.")),
  at: Type.Optional(
    Type.String({
      format: "start-of-hours",
      pattern: "^([01]\\d|2[0-3]):[0-5]\\d$",
      description: "The time of day at which it goes. Default: 08:00.",
      examples: ["08:00"],
    }),
  ),
  language: Type.Optional(described(oneOf(LANGUAGES), "The language of the mail. Default: en.")),
};

export const NewReportMail = Type.Object(
  {
    title: described(Name, "The subject begins with it."),
    ...settings,
    ref: Type.Optional(Ref),
  },
  {
    ...closed,
    examples: [
      {
        title: "Our week",
        kind: "week",
        selector: { all: true },
        to: ["ops@example.com"],
        timezone: "Europe/Berlin",
        at: "07:30",
      },
    ],
  },
);
export type NewReportMail = Static<typeof NewReportMail>;

export const ReportMailChanges = Type.Partial(NewReportMail, { ...closed, examples: [{ at: "07:00" }] });
export type ReportMailChanges = Static<typeof ReportMailChanges>;

/** The settings of a report in a configuration document, without its title. */
export const reportSettings = settings;

/** A report as it is defined. @property at `HH:MM` @property channelIds null with `to`, and the other way round */
export interface ReportDefinition {
  title: string;
  kind: ReportKind;
  selector: Selector;
  channelIds: string[] | null;
  to: string[] | null;
  timezone: string;
  at: string;
  language: Language;
}

/** @property nextAt when it goes next, in milliseconds since 1970, like the other times */
export interface ReportMail extends ReportDefinition {
  id: string;
  ref: string | null;
  nextAt: number;
  createdAt: number;
  updatedAt: number;
}

export const REPORT_DEFAULTS = { timezone: "UTC", at: "08:00", language: "en" } as const;

/** The recipients of a request; undefined if it has none. @throws AppError `invalid` if it has both kinds */
export function recipientsOf({
  channelIds,
  to,
}: Pick<ReportMailChanges, "channelIds" | "to">): Pick<ReportDefinition, "channelIds" | "to"> | undefined {
  if (channelIds && to) throw invalid("to and channelIds must not be given together");
  if (channelIds) return { channelIds: [...new Set(channelIds)], to: null };
  return to && { channelIds: null, to: [...new Set(to)] };
}

/** A new report, or one that is replaced. @throws AppError `invalid` unless it has one kind of recipients */
export function definitionOf(request: NewReportMail): ReportDefinition {
  const recipients = recipientsOf(request);
  if (!recipients) throw fault("noRecipients", {});
  const { title, kind, selector, ref: _, channelIds: __, to: ___, ...others } = request;
  return { ...REPORT_DEFAULTS, title: title.trim(), kind, selector, ...others, ...recipients };
}

/* Days are texts such as `2026-11-29`: the first day of a period, and the first one after it. */

/** A whole day, week or month of a time zone. @property end the first day after it */
export interface ReportPeriod {
  first: string;
  end: string;
}

type When = Pick<ReportDefinition, "kind" | "timezone" | "at">;

const lengths = { day: { days: 1 }, week: { days: 7 }, month: { months: 1 } } as const;

/** @returns null if no period of this kind begins on that day */
export function periodFrom(kind: ReportKind, first: string): ReportPeriod | null {
  const day = parseDay(first);
  if (!day || !startOf(kind, day).equals(day)) return null;
  return { first, end: String(day.add(lengths[kind])) };
}

/** The period that ends at the start of a day. */
export function periodUntil(kind: ReportKind, end: string): ReportPeriod {
  return { first: String(Temporal.PlainDate.from(end).subtract(lengths[kind])), end };
}

/** The latest period that is over. @param now milliseconds since 1970 */
export function lastWholePeriod({ kind, timezone }: Omit<When, "at">, now: number): ReportPeriod {
  return periodUntil(kind, String(startOf(kind, dayAt(timezone, now))));
}

/** When a period is, in milliseconds since 1970. */
export function spanOf({ first, end }: ReportPeriod, timezone: string): Span {
  return { from: momentOf(first, "00:00", timezone), to: momentOf(end, "00:00", timezone) };
}

/** The end of the latest period whose report should have gone by now. */
export function lastDue(when: When, now: number): string {
  const { end } = lastWholePeriod(when, now);
  const isDue = momentOf(end, when.at, when.timezone) <= now;
  return isDue ? end : periodUntil(when.kind, end).first;
}

/** When the report goes that follows the one about a period with this end. */
export function nextMoment({ kind, at, timezone }: When, doneUntil: string): number {
  const start = startOf(kind, Temporal.PlainDate.from(doneUntil));
  return momentOf(String(start.add(lengths[kind])), at, timezone);
}

function startOf(kind: ReportKind, day: Temporal.PlainDate): Temporal.PlainDate {
  if (kind === "week") return day.subtract({ days: day.dayOfWeek - 1 });
  return kind === "month" ? day.with({ day: 1 }) : day;
}

function dayAt(timezone: string, now: number): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(Math.floor(now)).toZonedDateTimeISO(timezone).toPlainDate();
}

function momentOf(day: string, at: string, timezone: string): number {
  return localMoment(Temporal.PlainDateTime.from(`${day}T${at}`), timezone);
}

function parseDay(text: string): Temporal.PlainDate | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
  try {
    return Temporal.PlainDate.from(text);
  } catch {
    return null;
  }
}
