import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useEffect, useRef, useState } from "react";
import type { AssertionJson } from "../../../domain/people/webauthn/ceremony.ts";
import { type Answer, api, getData, type Session, type SignInHelp } from "../data/api.ts";
import { queryKeys } from "../data/query-keys.ts";
import { CopyableText } from "../ui/clipboard.tsx";
import { optionsOf } from "../ui/filters.tsx";
import { Logo } from "../ui/logo.tsx";
import { useTitle } from "../ui/view.tsx";
import { EmailInput } from "./email-input.tsx";
import { ForgottenPassword, LinkOfServer } from "./forgotten-password.tsx";
import { getPasskey, offeredPasskey, passkeyFault } from "./passkey.ts";
import { ProviderLink, signInHelpQuery, useProviderOutcome } from "./provider.tsx";
import { describeRefusal, organizationsIn } from "./sign-in-refusal.ts";

/** A key or password goes from its field to the server, and nowhere else. */
export function SignIn() {
  useTitle("Sign in");
  const { data: help, isPending } = useQuery(signInHelpQuery);
  const outcome = useProviderOutcome();
  const [chosen, choose] = useState<"key" | "person" | "forgotten">();
  const provider = help?.provider;
  const offersPassword = !help || help.methods.includes("password");
  const way = chosen ?? (offersPassword || provider ? "person" : "key");
  // All at once, so that nothing moves.
  if (isPending) return <main className="sign-in" aria-busy />;
  if (way === "forgotten")
    return (
      <main className="sign-in">
        <Logo size={44} />
        <h1>Get a new password</h1>
        <ForgottenPassword />
        <button type="button" className="button-quiet" onClick={() => choose("person")}>
          Back to the sign-in
        </button>
        <LinkOfServer summary="No e-mail?" />
      </main>
    );
  const isByKey = way === "key";
  return (
    <main className="sign-in">
      <Logo size={44} />
      <h1>Sign in to stillup</h1>
      {outcome && <Outcome outcome={outcome} provider={provider?.name ?? "your provider"} />}
      {isByKey ? <KeyForm /> : offersPassword && <PasswordForm />}
      {provider && (
        <ProviderLink
          provider={provider}
          label="Sign in with"
          isPrimary={!isByKey && !offersPassword}
          onClick={keepPlace}
        />
      )}
      {help?.methods.includes("passkey") && <Passkey />}
      {(offersPassword || !isByKey) && (
        <button type="button" className="button-quiet" onClick={() => choose(isByKey ? "person" : "key")}>
          {isByKey ? "Use e-mail and password instead" : "Use an API key instead"}
        </button>
      )}
      {!isByKey && offersPassword && (
        <Forgotten sendsLinks={Boolean(help?.sendsLinks)} onAsk={() => choose("forgotten")} />
      )}
      {isByKey && help && <KeyHelp help={help} />}
    </main>
  );
}

/** After a sign-in by the provider, the reader returns there: see `app/main.tsx`. */
function keepPlace(): void {
  const { pathname, search } = location;
  // After a failed sign-in, the previous place counts.
  if (pathname !== "/") sessionStorage.place = pathname + search;
}

function Passkey() {
  const fault = passkeyFault();
  return fault ? <p className="sign-in-text text-hint">{fault}</p> : <PasskeyForm />;
}

function Forgotten({ sendsLinks, onAsk }: { sendsLinks: boolean; onAsk: () => void }) {
  const text = "Forgot your password?";
  if (!sendsLinks) return <LinkOfServer summary={text} />;
  return (
    <button type="button" className="button-quiet" onClick={onAsk}>
      {text}
    </button>
  );
}

function Outcome({ outcome, provider }: { outcome: string; provider: string }) {
  return (
    <p className="failure sign-in-text" role="alert">
      {outcome === "away"
        ? `${provider} can't be used now. Try it again later, or sign in another way.`
        : `The sign-in with ${provider} failed. It is for people who are invited with the e-mail address that they have there, ` +
          "or who have linked it in their profile. The log of the server has the reason."}
    </p>
  );
}

const loadOptions = () => getData(api.session["passkey-options"].post());

/**
 * Signs in with a passkey: by its button, or in the field of the e-mail address, where the browser offers passkeys too. Somebody who
 * is in several organizations then chooses one.
 */
function PasskeyForm() {
  const { error, busy, signIn } = useSignIn();
  const organizations = organizationsIn(error);
  /** The server takes it again with the organization. */
  const answered = useRef<AssertionJson>(undefined);
  const offer = useRef<AbortController>(undefined);
  const post = async (passkey: AssertionJson, organizationId?: string) => {
    answered.current = passkey;
    return api.session.post({ passkey, ...(organizationId !== undefined && { organizationId }) });
  };
  useEffect(() => {
    const controller = new AbortController();
    offer.current = controller;
    // The button remains if the browser or the server offers nothing.
    offeredPasskey(loadOptions, controller.signal).then(
      (passkey) => signIn(post(passkey)),
      () => {},
    );
    return () => controller.abort();
  }, []);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const chosen = new FormData(event.currentTarget).get("passkeyOrganization");
    if (chosen !== null && answered.current) return void signIn(post(answered.current, String(chosen)));
    // A browser asks for one passkey at a time.
    offer.current?.abort();
    void signIn(loadOptions().then(getPasskey).then(post));
  };
  return (
    <form onSubmit={submit} noValidate>
      {error !== undefined && !organizations && (
        <p className="field-error" role="alert">
          {describeRefusal(error, location.origin, "passkey")}
        </p>
      )}
      {organizations && (
        <div className="field">
          <label htmlFor="passkey-organization">Organization</label>
          <select id="passkey-organization" name="passkeyOrganization">
            {optionsOf(organizations.map(({ id, name }) => ({ value: id, label: name })))}
          </select>
        </div>
      )}
      <button type="submit" className="button-wide" disabled={busy}>
        {organizations ? "Continue" : "Sign in with a passkey"}
      </button>
    </form>
  );
}

function KeyForm() {
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
function KeyHelp({ help: { command, initialKeyFile } }: { help: SignInHelp }) {
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

/** E-mail and password. Somebody who is in several organizations then chooses one. */
function PasswordForm() {
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

/** A function that signs in with a request, and the error of the last attempt until it is forgotten. */
function useSignIn() {
  const queries = useQueryClient();
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const signIn = async (request: Promise<Answer<{ readonly data: Session }>>) => {
    setBusy(true);
    try {
      queries.setQueryData(queryKeys.session, await getData(request));
    } catch (caught) {
      setError(caught);
      setBusy(false);
    }
  };
  return { error, busy, signIn, forget: () => setError(undefined) };
}
