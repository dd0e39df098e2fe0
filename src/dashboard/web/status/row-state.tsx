import type { ReactNode } from "react";
import type { DisplayState } from "../../../domain/monitors/display-state.ts";
import { StatusMark } from "./status-mark.tsx";

interface Props {
  state: DisplayState;
  label: string;
  /** Since when, or for how long. */
  children?: ReactNode;
}

/** The state of an item of a list. */
export function RowState({ state, label, children }: Props) {
  return (
    <div className="list-row-state">
      <StatusMark state={state} />
      <span>
        <span className={`status-text state-${state}`}>{label}</span>
        {children && <span className="list-row-since">{children}</span>}
      </span>
    </div>
  );
}
