import { useState } from "react";
import { displayStateOfStatus } from "../../../domain/monitors/display-state.ts";
import type { ProbedType } from "../../../domain/monitors/monitor.ts";
import { api, ask, type Config, type Seen } from "../data/api.ts";
import { useForm } from "../form/form.tsx";
import { reasonWords } from "../status/result-detail.ts";
import { StatusMark } from "../status/status-mark.tsx";
import { wordsOf } from "../status/status-names.ts";
import { latencyWords } from "../ui/numbers.ts";
import { configOf } from "./config-fields.tsx";

/** Shows what a check of the form's values sees before they are saved. */
export function ProbeNow({ type }: { type: ProbedType }) {
  const [busy, setBusy] = useState(false);
  const [seen, setSeen] = useState<Seen | null>(null);
  const { attempt } = useForm();
  const probe = async (data: FormData) => {
    setBusy(true);
    setSeen(null);
    try {
      setSeen(await ask(api.probe.post({ type, config: configOf(type, data) })));
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="probe">
      <button type="button" disabled={busy} onClick={() => attempt(probe, "config.")}>
        {busy ? "Checking…" : "Check now"}
      </button>
      <div role="status">
        {seen && (
          <p className="seen">
            <StatusMark mood={displayStateOfStatus(seen.status)} />
            <b>{wordsOf(seen.status)}</b>
            {seen.latencyMs !== null && <span>{latencyWords(seen.latencyMs)}</span>}
            <span className="muted">{seenWords(seen.detail)}</span>
          </p>
        )}
      </div>
    </div>
  );
}

function seenWords(detail: Config | null): string {
  const reason = reasonWords(detail);
  if (reason) return reason;
  if (Array.isArray(detail?.values)) return detail.values.join(", ");
  if (typeof detail?.validTo === "string") return `valid to ${detail.validTo.slice(0, 10)}`;
  return typeof detail?.statusCode === "number" ? `answered with ${detail.statusCode}` : "";
}
