import { useState } from "react";
import { Dialog } from "../ui/dialog/dialog.tsx";
import { csvAddress, type Days, offeredDays } from "./csv-address.ts";

interface Props {
  /** What is exported, such as `results`. */
  of: string;
  /** The path of the export. */
  path: string;
}

/** A button that opens the export of a list as a CSV file, of the days that the reader chooses (behavior 14.99). */
export function CsvExport({ of, path }: Props) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="button-small" onClick={() => setOpen(true)}>
        Export <span className="visually-hidden">{of}</span> as CSV
      </button>
      {open && <ExportDialog of={of} path={path} onClose={() => setOpen(false)} />}
    </>
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
      <div className="actions actions-end">
        <button type="button" onClick={onClose}>
          Close
        </button>
        {address && (
          <a className="button button-primary" href={address} download>
            Download
          </a>
        )}
      </div>
    </Dialog>
  );
}
