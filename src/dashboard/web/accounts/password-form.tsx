import { type FormEvent, useEffect, useRef } from "react";
import { api } from "../data/api.ts";
import { optionsOf } from "../ui/filters.tsx";
import { EmailInput } from "./email-input.tsx";
import { describeRefusal, organizationsIn } from "./sign-in-refusal.ts";
import { useSignIn } from "./use-sign-in.ts";

/** E-mail and password. Somebody who is in several organizations then chooses one. */
export function PasswordForm() {
  const { error, busy, signIn, forget } = useSignIn();
  const organizations = organizationsIn(error);
  const choice = useRef<HTMLSelectElement>(null);
  const mustChoose = organizations !== undefined;
  useEffect(() => {
    if (mustChoose) choice.current?.focus();
  }, [mustChoose]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const organizationId = data.get("organizationId");
    void signIn(
      api.session.post({
        email: String(data.get("email") ?? "").trim(),
        password: String(data.get("password") ?? ""),
        ...(organizationId !== null && { organizationId: String(organizationId) }),
      }),
    );
  };
  const isWrong = error !== undefined && !mustChoose;
  const errorId = isWrong ? "password-error" : undefined;
  return (
    <form onSubmit={submit} noValidate>
      <div className="field">
        <EmailInput onInput={forget} errorId={errorId} />
      </div>
      <div className="field">
        <label htmlFor="password">Password</label>
        <input
          id="password"
          name="password"
          type="password"
          autoComplete="current-password"
          onInput={forget}
          aria-invalid={isWrong}
          aria-describedby={errorId}
        />
        {isWrong && (
          <p className="field-error" role="alert" id="password-error">
            {describeRefusal(error, location.origin, "password")}
          </p>
        )}
      </div>
      {organizations && (
        <div className="field">
          <label htmlFor="organization">Organization</label>
          <select id="organization" name="organizationId" ref={choice}>
            {optionsOf(organizations.map(({ id, name }) => ({ value: id, label: name })))}
          </select>
          <p className="text-hint" role="status">
            You are in several. You can switch later, in your profile.
          </p>
        </div>
      )}
      <button type="submit" className="button-primary button-wide" disabled={busy}>
        Sign in
      </button>
    </form>
  );
}
