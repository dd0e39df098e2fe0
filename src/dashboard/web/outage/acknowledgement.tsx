import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { useHasRole } from "../app/session.tsx";
import type { Outage } from "../data/api.ts";
import { Failure } from "../ui/failure.tsx";
import { Time } from "../ui/time/time.tsx";
import { acknowledge, takeBack } from "./outage-queries.ts";
import { useAction } from "./use-action.ts";

/** The limit of the API. */
const MAX_NOTE = 500;

/** Who acknowledged an outage, and what the reader can do about it while it continues. */
export function Acknowledgement({ outage }: { outage: Outage }) {
  const mayWrite = useHasRole("admin") && outage.endedAt === null;
  if (!mayWrite && outage.acknowledgedAt === null) return null;
  return (
    <section className="card" aria-labelledby="acknowledgement">
      <h2 id="acknowledgement">Acknowledgement</h2>
      <p role="status">
        <AcknowledgementState outage={outage} />
      </p>
      {mayWrite ? <AcknowledgementForm outage={outage} /> : outage.note && <Note text={outage.note} />}
    </section>
  );
}

function AcknowledgementState({ outage: { acknowledgedAt, acknowledgedBy } }: { outage: Outage }) {
  if (acknowledgedAt === null)
    return "Not acknowledged. An acknowledgement stops reminders, and notifications that have not been sent yet.";
  return (
    <>
      Acknowledged by <b>{acknowledgedBy}</b> at <Time at={acknowledgedAt} />.
    </>
  );
}

export function Note({ text }: { text: string }) {
  return <blockquote className="outage-note">{text}</blockquote>;
}

/** The field keeps what the reader types while the outage changes. */
function AcknowledgementForm({ outage }: { outage: Outage }) {
  const { id, acknowledgedAt, note } = outage;
  const queries = useQueryClient();
  const field = useId();
  const [draft, setDraft] = useState<string | null>(null);
  const { error, busy, run } = useAction();
  const isAcknowledged = acknowledgedAt !== null;
  const text = draft ?? note ?? "";
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run(async () => {
      await acknowledge(queries, id, text.trim());
      setDraft(null);
    });
  };
  const undo = () =>
    run(async () => {
      await takeBack(queries, id);
      setDraft(null);
    });
  return (
    <form className="outage-acknowledge" onSubmit={submit}>
      <div className="field">
        <label htmlFor={field}>Note (optional)</label>
        <textarea
          id={field}
          className="outage-note-field"
          rows={2}
          value={text}
          maxLength={MAX_NOTE}
          autoComplete="off"
          onChange={({ target }) => setDraft(target.value)}
        />
      </div>
      <Failure error={error} />
      <div className="actions">
        <button type="submit" className={isAcknowledged ? "" : "button-primary"} aria-disabled={busy}>
          {isAcknowledged ? "Save note" : "Acknowledge"}
        </button>
        {isAcknowledged && (
          <button type="button" className="button-quiet" aria-disabled={busy} onClick={undo}>
            Take back
          </button>
        )}
      </div>
    </form>
  );
}
