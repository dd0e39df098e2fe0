import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { ApiError, api, getData } from "../data/api.ts";
import { queryKeys } from "../data/query-keys.ts";
import { describeError } from "../ui/failure.tsx";
import { Logo } from "../ui/logo.tsx";
import { useTitle } from "../ui/view.tsx";

/** The key goes from the field to the server, and nowhere else. */
export function SignIn() {
  useTitle("Sign in");
  const queries = useQueryClient();
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const key = String(new FormData(event.currentTarget).get("key") ?? "");
    setBusy(true);
    try {
      queries.setQueryData(queryKeys.session, await getData(api.session.post({ key })));
    } catch (caught) {
      setError(describeRefusal(caught));
      setBusy(false);
    }
  };
  return (
    <main className="sign-in">
      <form onSubmit={submit} noValidate>
        <Logo size={44} />
        <h1>Sign in to stillup</h1>
        <div className="field">
          <label htmlFor="key">API key</label>
          <input
            id="key"
            name="key"
            type="password"
            autoComplete="off"
            spellCheck={false}
            aria-describedby="key-hint"
            aria-invalid={error !== undefined}
          />
          {error && (
            <p className="field-error" role="alert">
              {error}
            </p>
          )}
        </div>
        <button type="submit" className="button-primary button-wide" disabled={busy}>
          Sign in
        </button>
        <p className="text-hint" id="key-hint">
          The first start of the server wrote a key to <code>data/initial-owner-key</code>. The browser does
          not keep the key, only a session of 12 hours.
        </p>
      </form>
    </main>
  );
}

function describeRefusal(error: unknown): string {
  if (error instanceof ApiError && error.status === 401)
    return "Invalid key: it is unknown, expired or deleted.";
  return describeError(error);
}
