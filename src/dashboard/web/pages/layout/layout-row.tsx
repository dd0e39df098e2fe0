import type { KeyboardEvent, ReactNode } from "react";
import { Icon } from "./icons.tsx";
import type { LayoutActions } from "./use-layout-actions.ts";

interface Props {
  rowKey: string;
  /** What screen readers call it. */
  name: string;
  actions: LayoutActions;
  /** What the button that deletes does. */
  removal: string;
  children: ReactNode;
}

/** The row of a component or of the name of a group: a handle, its fields, and buttons that move and delete it. */
export function LayoutRow({ rowKey, name, actions, removal, children }: Props) {
  const { drag, startDrag, step, remove } = actions;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
    event.preventDefault();
    step(rowKey, event.key === "ArrowUp" ? "up" : "down", "handle");
  };
  const marks = [
    "layout-row",
    drag?.key === rowKey && "layout-row-dragged",
    drag?.slot.before === rowKey && "layout-row-target",
  ];
  return (
    <div className={marks.filter(Boolean).join(" ")} data-key={rowKey}>
      <button
        type="button"
        className="button-quiet layout-button layout-handle"
        data-control="handle"
        aria-label={`Move ${name}`}
        aria-describedby="layout-hint"
        onPointerDown={(event) => startDrag(rowKey, event)}
        onKeyDown={onKeyDown}
      >
        <Icon shape="handle" />
      </button>
      <div className="layout-fields">{children}</div>
      <div className="layout-buttons">
        {(["up", "down"] as const).map((direction) => (
          <button
            key={direction}
            type="button"
            className="button-quiet layout-button"
            data-control={direction}
            aria-label={`Move ${name} ${direction}`}
            onClick={() => step(rowKey, direction, direction)}
          >
            <Icon shape={direction} />
          </button>
        ))}
        <button
          type="button"
          className="button-quiet layout-button"
          aria-label={`${removal} ${name}`}
          onClick={() => remove(rowKey, name)}
        >
          <Icon shape="remove" />
        </button>
      </div>
    </div>
  );
}
