import { useState } from "react";
import { type AlertOutcome, api, getData } from "../data/api.ts";
import { noteTestedChannel } from "../overview/steps-memory.ts";
import { Failure, useAction } from "../ui/failure.tsx";

/** Sends a sample notification and shows its outcome. */
export function SendTest({ id }: { id: string }) {
  const { error, busy, run } = useAction();
  const [outcome, setOutcome] = useState<AlertOutcome | null>(null);
  const send = async () => {
    setOutcome(null);
    const sent = await getData(api.alerts({ id }).test.post());
    if (sent.status === "delivered") noteTestedChannel();
    setOutcome(sent);
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
