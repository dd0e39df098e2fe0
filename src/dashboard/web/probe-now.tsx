import { useRef, useState } from "react";
import type { MonitorType } from "../../domain/monitor.ts";
import type { Status } from "../../domain/status.ts";
import { ask, type Config } from "./api.ts";
import { configOf } from "./config-fields.tsx";
import { focusWrong, type Refused, refusedBy } from "./fields.tsx";
import { StatusMark } from "./status-mark.tsx";
import { latencyWords, moodOfStatus, reasonWords, wordsOf } from "./words.ts";

interface Seen {
  status: Status;
  latencyMs: number | null;
  detail: Config | null;
}

/** Shows what a check of the form's values sees before they are saved. */
export function ProbeNow({
  type,
  onRefused,
}: {
  type: MonitorType;
  onRefused: (refused: Refused | null) => void;
}) {
  const button = useRef<HTMLButtonElement>(null);
  const [busy, setBusy] = useState(false);
  const [seen, setSeen] = useState<Seen | null>(null);
  const probe = async () => {
    const form = button.current?.form;
    if (!form) return;
    setBusy(true);
    setSeen(null);
    try {
      const config = configOf(type, new FormData(form));
      setSeen(await ask<Seen>("POST", "/probe", { type, config }));
      onRefused(null);
    } catch (error) {
      onRefused(
        refusedBy(error, [...form.elements].map((one) => one.getAttribute("name") ?? "").filter(Boolean)),
      );
      focusWrong(form);
    }
    setBusy(false);
  };
  return (
    <div className="probe">
      <button ref={button} type="button" disabled={busy} onClick={probe}>
        {busy ? "Checking…" : "Check now"}
      </button>
      <div role="status">
        {seen && (
          <p className="seen">
            <StatusMark mood={moodOfStatus(seen.status)} />
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
