import type { DisplayState } from "../../../domain/monitors/display-state.ts";
import type { Status } from "../../../domain/monitors/status.ts";
import { StatusMark } from "./status-mark.tsx";
import { wordsOf } from "./status-names.ts";

/** A status as it stands in tables: shape, word, colour. */
export function StatusWord({ mood, status }: { mood: DisplayState; status: Status }) {
  return (
    <span className="status-word">
      <StatusMark mood={mood} size={13} />
      {wordsOf(status)}
    </span>
  );
}
