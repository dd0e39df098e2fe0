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
  if (error instanceof ApiError) return error.message;
  return "Cannot reach the server.";
}
