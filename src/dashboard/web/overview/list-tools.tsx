import type { MouseEvent } from "react";
import { Failure, useAction } from "../ui/failure.tsx";
import type { SelectMode } from "./bulk/select-mode.tsx";
import { ViewBar } from "./view-bar.tsx";

interface Props {
  mode: SelectMode | null;
  /** False if the reader cannot select monitors. */
  onMode: false | ((mode: SelectMode | null) => void);
}

/** The saved views, and the button that starts the selection of monitors. */
export function ListTools({ mode, onMode }: Props) {
  return (
    <>
      <ViewBar />
      {onMode && <SelectButton mode={mode} onMode={onMode} />}
    </>
  );
}

interface ButtonProps extends Props {
  onMode: (mode: SelectMode | null) => void;
}

function SelectButton({ mode, onMode }: ButtonProps) {
  const { error, run } = useAction();
  const toggle = ({ currentTarget: button }: MouseEvent<HTMLElement>) =>
    run(async () => {
      if (mode) return mode.end();
      const { selectMode } = await import("../app/form-views.ts");
      onMode(selectMode.startSelecting(() => onMode(null), button));
    });
  return (
    <>
      <Failure error={error} />
      <button
        type="button"
        className="button-small select-button"
        aria-pressed={mode !== null}
        onClick={toggle}
      >
        Select
      </button>
    </>
  );
}
