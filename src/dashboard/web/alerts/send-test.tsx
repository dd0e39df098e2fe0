import { useState } from "react";
import { type AlertOutcome, api, getData } from "../data/api.ts";
import { Failure, useAction } from "../ui/failure.tsx";

/** Sends a sample notification and shows its outcome. */
export function SendTest({ id }: { id: string }) {
  const { error, busy, run } = useAction();
  const [outcome, setOutcome] = useState<AlertOutcome | null>(null);
  const send = async () => {
    setOutcome(null);
    setOutcome(await getData(api.alerts({ id }).test.post()));
  };
  return (
    <div className="action-outcome">
      <button type="button" disabled={busy} onClick={() => run(send)}>
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
      <Failure error={busy ? undefined : error} />
    </div>
  );
}
