import { useState } from "react";
import { ApiError } from "../data/api.ts";

/** An error message, also for screen readers. Nothing without an error. */
export function Failure({ error }: { error: unknown }) {
  if (!error) return null;
  return (
    <p className="failure" role="alert">
      {describeError(error)}
    </p>
  );
}

export function describeError(error: unknown): string {
  if (error instanceof ApiError)
    return error.status === 401 && error.message === "Unauthorized"
      ? "You are signed out. Reload this page to sign in: what you have entered is kept."
      : error.message;
  return "Cannot reach the server.";
}

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
