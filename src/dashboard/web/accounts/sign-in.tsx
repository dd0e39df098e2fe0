import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, getData } from "../data/api.ts";
import { queryKeys } from "../data/query-keys.ts";
import { CopyableText } from "../ui/clipboard.tsx";
import { Logo } from "../ui/logo.tsx";
import { useTitle } from "../ui/view.tsx";
import { describeRefusal } from "./sign-in-refusal.ts";

/** The key goes from the field to the server, and nowhere else. */
export function SignIn() {
  useTitle("Sign in");
  const queries = useQueryClient();
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const key = String(data.get("key") ?? "");
    setBusy(true);
    try {
      const session = await getData(api.session.post({ key, keep: data.has("keep") }));
      queries.setQueryData(queryKeys.session, session);
    } catch (caught) {
      setError(describeRefusal(caught, location.origin));
      setBusy(false);
    }
  };
  return (
    <main className="sign-in">
      <form onSubmit={submit} noValidate>
        <Logo size={44} />
        <h1>Sign in to stillup</h1>
        {/* Password managers keep a password only beside a name. */}
        <input
          className="visually-hidden"
          name="username"
          autoComplete="username"
          value="stillup"
          readOnly
          tabIndex={-1}
          aria-hidden="true"
        />
        <div className="field">
          <label htmlFor="key">API key</label>
          <input
            id="key"
            name="key"
            type="password"
            autoComplete="current-password"
            spellCheck={false}
            aria-describedby={error ? "key-error" : undefined}
            aria-invalid={error !== undefined}
          />
          {error && (
            <p className="field-error" role="alert" id="key-error">
              {error}
            </p>
          )}
        </div>
        <label className="sign-in-keep">
          <input type="checkbox" name="keep" />
          Keep me signed in for 30 days
        </label>
        <button type="submit" className="button-primary button-wide" disabled={busy}>
          Sign in
        </button>
      </form>
      <KeyHelp />
    </main>
  );
}

/** Where the first key is, and how to get another one. The server names paths only to a browser on its own machine. */
function KeyHelp() {
  const { data } = useQuery({
    queryKey: [...queryKeys.session, "help"],
    queryFn: () => getData(api.session.help.get({ query: { page: location.origin } })),
    // After a sign-out, the file may be gone.
    gcTime: 0,
  });
  if (!data) return null;
  const { command, initialKeyFile } = data;
  const isComplete = command.includes(" --data");
  return (
    <section className="sign-in-help" aria-labelledby="no-key">
      <h2 id="no-key">No key?</h2>
      {initialKeyFile && (
        <p>
          The first start of the server wrote one to <code>{initialKeyFile}</code>.
        </p>
      )}
      <p>
        To create one, run this on the server, as the user that runs stillup
        {isComplete ? "" : ", with the same --data-dir or --database-url as the server"}:
      </p>
      <CopyableText text={command} label="the command" />
    </section>
  );
}
