import { useState } from "react";
import { type AlertOutcome, api, getData } from "../data/api.ts";
import { Failure } from "../ui/failure.tsx";

/** Sends a sample notification and shows its outcome. */
export function SendTest({ id }: { id: string }) {
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<AlertOutcome | null>(null);
  const [error, setError] = useState<unknown>();
  const send = async () => {
    setBusy(true);
    setOutcome(null);
    setError(undefined);
    try {
      setOutcome(await getData(api.alerts({ id }).test.post()));
    } catch (caught) {
      setError(caught);
    }
    setBusy(false);
  };
  return (
    <div className="action-outcome">
      <button type="button" disabled={busy} onClick={send}>
        {busy ? "Sending…" : "Send a test"}
      </button>
      <div role="status">
        {outcome && (
          <p className={`outcome-${outcome.status}`}>
            {outcome.status === "delivered"
              ? "Delivered."
              : `Failed: ${outcome.channels[0]?.error ?? "unknown error"}`}
          </p>
        )}
      </div>
      <Failure error={error} />
    </div>
  );
}
