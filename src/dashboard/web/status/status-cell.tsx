import type { DisplayState } from "../../../domain/monitors/display-state.ts";
import type { Status } from "../../../domain/monitors/status.ts";
import { statusLabel } from "../../../domain/monitors/status.ts";
import { StatusMark } from "./status-mark.tsx";

/** A status in a table: its mark and its label. */
export function StatusCell({ state, status }: { state: DisplayState; status: Status }) {
  return (
    <span className="status-cell">
      <StatusMark state={state} size={13} />
      {statusLabel(status)}
    </span>
  );
}
