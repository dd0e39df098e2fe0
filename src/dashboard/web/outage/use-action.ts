import { useState } from "react";

/** Runs an action of a button. @returns the error of the last run, whether one runs, and the function that runs one */
export function useAction() {
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const run = async (action: () => Promise<unknown>) => {
    if (busy) return;
    setBusy(true);
    try {
      await action();
      setError(undefined);
    } catch (caught) {
      setError(caught);
    }
    setBusy(false);
  };
  return { error, busy, run };
}
