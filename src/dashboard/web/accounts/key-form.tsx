import type { FormEvent } from "react";
import { api, type SignInHelp } from "../data/api.ts";
import { CopyableText } from "../ui/clipboard.tsx";
import { describeRefusal } from "./sign-in-refusal.ts";
import { useSignIn } from "./use-sign-in.ts";

export function KeyForm() {
  const { error, busy, signIn } = useSignIn();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    void signIn(api.session.post({ key: String(data.get("key") ?? ""), keep: data.has("keep") }));
  };
  return (
    <form onSubmit={submit} noValidate>
      {/* Password managers keep a password only beside a name. */}
      <input hidden name="username" autoComplete="username" value="stillup" readOnly />
      <div className="field">
        <label htmlFor="key">API key</label>
        <input
          id="key"
          name="key"
          type="password"
          autoComplete="current-password"
          spellCheck={false}
          aria-describedby={error ? "key-error" : undefined}
          aria-invalid={Boolean(error)}
        />
        {Boolean(error) && (
          <p className="field-error" role="alert" id="key-error">
            {describeRefusal(error, location.origin, "key")}
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
  );
}

/** Where the first key is, and how to get another one. The server names paths only to a browser on its own machine. */
export function KeyHelp({ help: { command, initialKeyFile } }: { help: SignInHelp }) {
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
