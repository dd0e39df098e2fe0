import { type FormEvent, useState } from "react";
import { ApiError, api, getData } from "../data/api.ts";
import { CopyableText } from "../ui/clipboard.tsx";
import { describeError, useAction } from "../ui/failure.tsx";
import { EmailInput } from "./email-input.tsx";

/** The warning before a link is used (behavior 19.8). */
export const WHAT_ENDS =
  "When you use the link, your sessions end, and your passkeys and linked identities are removed.";

/** Asks the server for a link by e-mail. Nothing says whether the address is known (behavior 19.17). */
export function ForgottenPassword() {
  const { error, busy, run } = useAction();
  const [sentTo, setSentTo] = useState("");
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const email = String(new FormData(event.currentTarget).get("email")).trim();
    setSentTo("");
    void run(async () => {
      await getData(api.session.link.post({ email }));
      setSentTo(email);
    });
  };
  const isWrong = error instanceof ApiError && error.status === 422;
  return (
    <form onSubmit={submit} noValidate>
      <p>The server sends you a link, with which you set a new one. It works once, within an hour.</p>
      <p>{WHAT_ENDS}</p>
      <div className="field">
        <EmailInput onInput={() => setSentTo("")} errorId={error ? "email-error" : undefined} takesFocus />
        {Boolean(error) && (
          <p className="field-error" role="alert" id="email-error">
            {isWrong ? "Enter your e-mail address." : describeError(error)}
          </p>
        )}
      </div>
      <button type="submit" className="button-primary button-wide" disabled={busy}>
        Send the link
      </button>
      <p role="status">{sentTo && `If somebody signs in here as ${sentTo}, the link is on its way.`}</p>
    </form>
  );
}

/** How somebody gets a link without e-mail. @property summary why */
export function LinkOfServer({ summary }: { summary: string }) {
  return (
    <details className="sign-in-help">
      <summary>{summary}</summary>
      <p>
        Whoever runs this server can make a link for you, with which you set a new password. It works once,
        within an hour:
      </p>
      <CopyableText text="stillup people link ID" label="the command" />
      <p>
        <code>stillup people list</code> shows your ID.
      </p>
    </details>
  );
}
