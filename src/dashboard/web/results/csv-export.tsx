import { useState } from "react";
import { Dialog, DialogActions, DialogButton } from "../ui/dialog.tsx";

interface Props {
  /** The exported items, such as `results`. */
  of: string;
  /** The path of the export. */
  path: string;
}

/** A button that opens the export of a list as a CSV file, of the days that the reader chooses (behavior 14.99). */
export function CsvExport({ of, path }: Props) {
  const label = (
    <>
      Export <span className="visually-hidden">{of}</span> as CSV
    </>
  );
  return (
    <DialogButton label={label} className="button-small">
      {(onClose) => <ExportDialog of={of} path={path} onClose={onClose} />}
    </DialogButton>
  );
}

function ExportDialog({ of, path, onClose }: Props & { onClose: () => void }) {
  const [days, setDays] = useState<Days>(() => offeredDays(Date.now()));
  const address = csvAddress(path, days);
  return (
    <Dialog title={`Export ${of} as CSV`} onClose={onClose}>
      <div className="field-halves">
        {(["from", "to"] as const).map((end) => (
          <label key={end} className="export-day">
            {end === "from" ? "First day" : "Last day"}
            <input
              type="date"
              value={days[end]}
              onInput={({ currentTarget }) => setDays({ ...days, [end]: currentTarget.value })}
            />
          </label>
        ))}
      </div>
      {!address && <p role="alert">The last day must not be before the first one.</p>}
      <DialogActions close="Close" onClose={onClose}>
        {address && (
          <a className="button button-primary" href={address} download>
            Download
          </a>
        )}
      </DialogActions>
    </Dialog>
  );
}

const DAY = 86_400_000;

/** A range of days, such as `2026-11-24`, in the reader's zone; both are included. */
interface Days {
  from: string;
  to: string;
}

/** The last 30 days, today included. @param now milliseconds since 1970 */
export function offeredDays(now: number): Days {
  return { from: dayOf(now - 29 * DAY), to: dayOf(now) };
}

/** The address of an export; null if the days are not valid. @param path of the export, without a query */
export function csvAddress(path: string, { from, to }: Days): string | null {
  const start = startOf(from, 0);
  const end = startOf(to, 1);
  if (start === null || end === null || start >= end) return null;
  return `${path}?${new URLSearchParams({ from: iso(start), to: iso(end) })}`;
}

function dayOf(at: number): string {
  const date = new Date(at);
  const pad = (number: number) => String(number).padStart(2, "0");
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
}

/** The start of a day in the reader's zone, or of one after it. A day has 23 or 25 hours if clocks change. */
function startOf(day: string, after: number): number | null {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day) ?? [];
  if (year === undefined) return null;
  return new Date(Number(year), Number(month) - 1, Number(date) + after).getTime();
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
