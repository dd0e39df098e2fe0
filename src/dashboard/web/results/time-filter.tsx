import { useEffect, useState } from "react";
import { localTextOf } from "../form/field-errors.ts";
import type { SetFilter } from "../ui/filters.tsx";

/** The parameters of requests for results, without those that filter nothing. Times are ISO 8601. */
export interface TimeFilters {
  from?: string;
  to?: string;
  problems?: "true";
}

const NAMES = ["from", "to", "problems"] as const;

/** The filters in the address of a view. What is no time filters nothing. */
export function timeFilters(params: URLSearchParams): TimeFilters {
  const filters: TimeFilters = {};
  for (const name of ["from", "to"] as const) {
    const at = Date.parse(params.get(name) ?? "");
    if (!Number.isNaN(at)) filters[name] = new Date(at).toISOString();
  }
  return { ...filters, ...(params.get("problems") === "true" && { problems: "true" }) };
}

interface Props {
  filters: TimeFilters;
  setFilter: SetFilter;
}

/** Chooses results by time and by trouble. */
export function TimeFilter({ filters: { from, to, problems }, setFilter }: Props) {
  const goTo = (day: string) => {
    const [start, end] = [startOf(day), startOf(day, 1)];
    if (day !== "" && !isComplete(start)) return;
    setFilter("from", start === null ? "" : new Date(start).toISOString());
    setFilter("to", end === null ? "" : new Date(end).toISOString());
  };
  return (
    <>
      <Field label="Go to date" type="date" text={dayShown(from, to)} onText={goTo} />
      {(["from", "to"] as const).map((name) => (
        <Field
          key={name}
          label={name === "from" ? "From" : "Until"}
          type="datetime-local"
          text={localTextOrEmpty({ from, to }[name])}
          onText={(text) => {
            const at = Date.parse(text);
            if (text === "") setFilter(name, "");
            else if (isComplete(at)) setFilter(name, new Date(at).toISOString());
          }}
        />
      ))}
      <label className="filter-check">
        <input
          type="checkbox"
          checked={problems !== undefined}
          onChange={({ currentTarget }) => setFilter("problems", currentTarget.checked ? "true" : "")}
        />
        Only problems
      </label>
    </>
  );
}

/** The sentence without results, with a way back to all of them. */
export function NoneMatches({ of, setFilter }: { of: string; setFilter: SetFilter }) {
  const clear = () => {
    for (const name of NAMES) setFilter(name, "");
  };
  return (
    <>
      No {of} matches.{" "}
      <button type="button" className="button-small" onClick={clear}>
        Clear time and problems
      </button>
    </>
  );
}

interface FieldProps {
  label: string;
  type: "date" | "datetime-local";
  /** The value that the address has. */
  text: string;
  onText: (text: string) => void;
}

/** It keeps what the reader types until that is complete. */
function Field({ label, type, text, onText }: FieldProps) {
  const [draft, setDraft] = useState(text);
  useEffect(() => setDraft(text), [text]);
  return (
    <label className="filter-field">
      {label}
      <input
        type={type}
        value={draft}
        max={type === "date" ? "9999-12-30" : "9999-12-30T23:59"}
        onInput={({ currentTarget }) => {
          setDraft(currentTarget.value);
          onText(currentTarget.value);
        }}
      />
    </label>
  );
}

const FIRST = Date.UTC(2000, 0);

/** A year that is being typed is in the distant past. @param at milliseconds since 1970 */
function isComplete(at: number | null): boolean {
  return at !== null && at >= FIRST;
}

function localTextOrEmpty(at: string | undefined): string {
  return at === undefined ? "" : localTextOf(at);
}

/** The day that is shown as a whole; empty for another stretch of time. */
export function dayShown(from: string | undefined, to: string | undefined): string {
  if (from === undefined || to === undefined) return "";
  const day = dayOf(Date.parse(from));
  return startOf(day) === Date.parse(from) && startOf(day, 1) === Date.parse(to) ? day : "";
}

/* Days in the reader's zone, such as `2026-11-24`, as `date` fields have them. */

/** @param at milliseconds since 1970 */
export function dayOf(at: number): string {
  const date = new Date(at);
  const pad = (number: number) => String(number).padStart(2, "0");
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
}

/**
 * The start of a day, or of one after it. A day has 23 or 25 hours if clocks change.
 *
 * @returns milliseconds since 1970; null for a text that is no day
 */
export function startOf(day: string, after = 0): number | null {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day) ?? [];
  if (year === undefined) return null;
  return new Date(Number(year), Number(month) - 1, Number(date) + after).getTime();
}
