import { Refusal } from "../data/api.ts";

/** The words of whatever went wrong, told to screen readers too. */
export function Failure({ error }: { error: unknown }) {
  if (!error) return null;
  return (
    <p className="failure" role="alert">
      {failureWords(error)}
    </p>
  );
}

export function failureWords(error: unknown): string {
  if (error instanceof Refusal) return error.message;
  return "The server could not be reached.";
}
