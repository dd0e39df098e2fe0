import { useEffect, useRef } from "react";

/**
 * Returns a function that runs an action which may move the layout. While a mouse button is down, the action waits for
 * the click: otherwise the click would miss its target.
 */
export function useAfterPress(): (action: () => void) => void {
  const press = useRef<{ action?: () => void } | null>(null);
  useEffect(() => {
    const listening = new AbortController();
    const on = (event: "mousedown" | "mouseup", listener: () => void) =>
      addEventListener(event, listener, { capture: true, signal: listening.signal });
    on("mousedown", () => {
      press.current ??= {};
    });
    // The browser dispatches the click after mouseup, before the next timer.
    on("mouseup", () =>
      setTimeout(() => {
        press.current?.action?.();
        press.current = null;
      }),
    );
    return () => listening.abort();
  }, []);
  return (action) => {
    if (press.current) press.current.action = action;
    else action();
  };
}
