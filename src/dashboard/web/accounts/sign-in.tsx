import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import type { AssertionJson } from "../../../domain/people/webauthn/ceremony.ts";
import { base } from "../app/base.ts";
import { type Answer, ApiError, api, getData, type Session, type SignInHelp } from "../data/api.ts";
import { queryKeys } from "../data/query-keys.ts";
import { followPerson } from "../languages/choose-language.ts";
import { rich } from "../languages/rich.tsx";
import { fill, texts } from "../languages/texts.ts";
import { CopyableText } from "../ui/clipboard.tsx";
import { describeError, optionsOf, useAction } from "../ui/filters.tsx";
import { Logo } from "../ui/logo.tsx";
import { useTitle } from "../ui/view.tsx";
import { getPasskey, offeredPasskey, passkeyFault } from "./passkey.ts";

/** A key or password goes from its field to the server, and nowhere else. */
export function SignIn() {
  useTitle(texts.signIn.windowTitle);
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
      <SignInCard title={texts.signIn.forgotten.title}>
        <ForgottenPassword />
        <button type="button" className="button-quiet" onClick={() => choose("person")}>
          {texts.signIn.ways.back}
        </button>
        <LinkOfServer summary={texts.signIn.forgotten.noMail} />
      </SignInCard>
    );
  const isByKey = way === "key";
  return (
    <SignInCard title={texts.signIn.title} lead={texts.signIn.lead}>
      {outcome && (
        <Outcome outcome={outcome} provider={provider?.name ?? texts.signIn.ways.unknownProvider} />
      )}
      {isByKey ? <KeyForm /> : offersPassword && <PasswordForm />}
      {provider && (
        <ProviderLink
          provider={provider}
          label={texts.signIn.ways.provider}
          isPrimary={!isByKey && !offersPassword}
          onClick={keepPlace}
        />
      )}
      {help?.methods.includes("passkey") && <Passkey />}
      {(offersPassword || !isByKey) && (
        <button type="button" className="button-quiet" onClick={() => choose(isByKey ? "person" : "key")}>
          {isByKey ? texts.signIn.ways.password : texts.signIn.ways.key}
        </button>
      )}
      {!isByKey && offersPassword && (
        <Forgotten sendsLinks={Boolean(help?.sendsLinks)} onAsk={() => choose("forgotten")} />
      )}
      {isByKey && help && <KeyHelp help={help} />}
    </SignInCard>
  );
}

interface CardProps {
  title: string;
  /** The sentence below the title. */
  lead?: ReactNode;
  children: ReactNode;
}

/** The frame of all views before a session: one card in the middle of the screen. */
export function SignInCard({ title, lead, children }: CardProps) {
  return (
    <main className="sign-in">
      <div className="card sign-in-card">
        <div className="sign-in-head">
          <Logo size={40} />
          <h1>{title}</h1>
          {lead && <p className="text-lead">{lead}</p>}
        </div>
        {children}
      </div>
    </main>
  );
}

/** After a sign-in by the provider, the reader returns there: see `app/main.tsx`. */
function keepPlace(): void {
  const { pathname, search } = location;
  // After a failed sign-in, the previous place counts.
  if (pathname !== `${base}/`) sessionStorage.place = pathname + search;
}

function Passkey() {
  const fault = passkeyFault();
  return fault ? <p className="text-hint">{fault}</p> : <PasskeyForm />;
}

function Forgotten({ sendsLinks, onAsk }: { sendsLinks: boolean; onAsk: () => void }) {
  const text = texts.signIn.ways.forgotten;
  if (!sendsLinks) return <LinkOfServer summary={text} />;
  return (
    <button type="button" className="button-quiet" onClick={onAsk}>
      {text}
    </button>
  );
}

function Outcome({ outcome, provider }: { outcome: string; provider: string }) {
  return (
    <p className="failure" role="alert">
      {fill(outcome === "away" ? texts.signIn.outcome.away : texts.signIn.outcome.failed, { provider })}
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
          {describeRefusal(error, location.origin + base, "passkey")}
        </p>
      )}
      {organizations && (
        <div className="field">
          <label htmlFor="passkey-organization">{texts.signIn.fields.organization}</label>
          <select id="passkey-organization" name="passkeyOrganization">
            {optionsOf(organizations.map(({ id, name }) => ({ value: id, label: name })))}
          </select>
        </div>
      )}
      <button type="submit" className="button-wide" disabled={busy}>
        {organizations ? texts.signIn.continue : texts.signIn.ways.passkey}
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
        <label htmlFor="key">{texts.signIn.fields.key}</label>
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
            {describeRefusal(error, location.origin + base, "key")}
          </p>
        )}
      </div>
      <label className="sign-in-keep">
        <input type="checkbox" name="keep" />
        {texts.signIn.fields.keep}
      </label>
      <button type="submit" className="button-primary button-wide" disabled={busy}>
        {texts.signIn.submit}
      </button>
    </form>
  );
}

/** Where the first key is, and how to get another one. The server names paths only to a browser on its own machine. */
function KeyHelp({ help: { command, initialKeyFile } }: { help: SignInHelp }) {
  const isComplete = command.includes(" --data");
  return (
    <section className="sign-in-help" aria-labelledby="no-key">
      <h2 id="no-key">{texts.signIn.keyHelp.title}</h2>
      {initialKeyFile && <p>{rich(texts.signIn.keyHelp.file, { file: <code>{initialKeyFile}</code> })}</p>}
      <p>{isComplete ? texts.signIn.keyHelp.command : texts.signIn.keyHelp.commandWithFlags}</p>
      <CopyableText text={command} label={texts.signIn.keyHelp.copy} />
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
        <label htmlFor="password">{texts.signIn.fields.password}</label>
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
            {describeRefusal(error, location.origin + base, "password")}
          </p>
        )}
      </div>
      {organizations && (
        <div className="field">
          <label htmlFor="organization">{texts.signIn.fields.organization}</label>
          <select id="organization" name="organizationId" ref={choice}>
            {optionsOf(organizations.map(({ id, name }) => ({ value: id, label: name })))}
          </select>
          <p className="text-hint" role="status">
            {texts.signIn.fields.organizationHint}
          </p>
        </div>
      )}
      <button type="submit" className="button-primary button-wide" disabled={busy}>
        {texts.signIn.submit}
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
      await getData(request);
      const session = await getData(api.session.current.get());
      if (!session || !followPerson(session)) queries.setQueryData(queryKeys.session, session);
    } catch (caught) {
      setError(caught);
      setBusy(false);
    }
  };
  return { error, busy, signIn, forget: () => setError(undefined) };
}

/** Asks the server for a link by e-mail. Nothing says whether the address is known (behavior 19.17). */
function ForgottenPassword() {
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
      <p>{texts.signIn.forgotten.text}</p>
      {/* Behavior 19.8. */}
      <p>{texts.signIn.ends}</p>
      <div className="field">
        <EmailInput onInput={() => setSentTo("")} errorId={error ? "email-error" : undefined} takesFocus />
        {Boolean(error) && (
          <p className="field-error" role="alert" id="email-error">
            {isWrong ? texts.signIn.forgotten.invalid : describeError(error)}
          </p>
        )}
      </div>
      <button type="submit" className="button-primary button-wide" disabled={busy}>
        {texts.signIn.forgotten.submit}
      </button>
      <p role="status">{sentTo && fill(texts.signIn.forgotten.sent, { email: sentTo })}</p>
    </form>
  );
}

/** How somebody gets a link without e-mail. @property summary why */
function LinkOfServer({ summary }: { summary: string }) {
  return (
    <details className="sign-in-help">
      <summary>{summary}</summary>
      <p>{texts.signIn.forgotten.byServer}</p>
      <CopyableText text="stillup people link ID" label={texts.signIn.keyHelp.copy} />
      <p>{rich(texts.signIn.forgotten.id, { command: <code>stillup people list</code> })}</p>
    </details>
  );
}

/** The provider by which people sign in, if the server has one. */
export type Provider = NonNullable<SignInHelp["provider"]>;

/** In which ways people sign in here. */
export const signInHelpQuery = queryOptions({
  queryKey: queryKeys.signInHelp,
  queryFn: () => getData(api.session.help.get({ query: { page: location.origin } })),
  // After a sign-out, the file of the first key may be gone.
  gcTime: 0,
});

interface Props {
  provider: Provider;
  /** With the place of the name of the provider. */
  label: string;
  /** Whether it is the main action. */
  isPrimary: boolean;
  onClick?: () => void;
}

/** Leads to the provider, for a sign-in. */
export function ProviderLink({ provider: { name, url }, label, isPrimary, onClick }: Props) {
  return (
    <a className={`button button-wide ${isPrimary ? "button-primary" : ""}`} href={url} onClick={onClick}>
      {fill<string>(label, { provider: name })}
    </a>
  );
}

/** Result of a sign-in at the provider that created no session. It is read from the URL, then removed from it (behavior 19.96). */
export function useProviderOutcome(): string | null {
  const [outcome] = useState(() => new URLSearchParams(location.search).get("sign-in"));
  useEffect(() => {
    if (outcome !== null) history.replaceState(null, "", location.pathname);
  }, [outcome]);
  return outcome;
}

/** Why a sign-in failed. A server refuses one from a page of another address than its own. @param origin of the page */
export function describeRefusal(error: unknown, origin: string, way: "key" | "password" | "passkey"): string {
  if (!(error instanceof ApiError)) return describeError(error);
  if (error.status === 401) return texts.signIn.refused[way];
  if (error.status === 429 && way === "password")
    return fill(texts.signIn.refused.tooMany, { reason: describeError(error) });
  if (error.status !== 403) return describeError(error);
  return fill(texts.signIn.refused.origin, { origin });
}

/** The organizations of which somebody with the right password must choose one; undefined for another error. */
export function organizationsIn(error: unknown): { id: string; name: string }[] | undefined {
  return error instanceof ApiError ? (error.body as Refusal).organizations : undefined;
}

interface Refusal {
  organizations?: { id: string; name: string }[];
}

interface EmailInputProps {
  onInput: () => void;
  /** The ID of the error that the address, or the whole form, has. */
  errorId: string | undefined;
  /** Whether it gets the focus when it appears. */
  takesFocus?: boolean;
}

/** The e-mail address of somebody who signs in, as password managers know it. */
function EmailInput({ onInput, errorId, takesFocus = false }: EmailInputProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (takesFocus) input.current?.focus();
  }, [takesFocus]);
  return (
    <>
      <label htmlFor="email">{texts.signIn.fields.email}</label>
      <input
        ref={input}
        id="email"
        name="email"
        type="email"
        autoComplete="username webauthn"
        autoCapitalize="none"
        spellCheck={false}
        onInput={onInput}
        aria-invalid={errorId !== undefined}
        aria-describedby={errorId}
      />
    </>
  );
}
