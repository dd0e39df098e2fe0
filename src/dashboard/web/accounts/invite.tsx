import { type ReactNode, useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import { placeOf } from "../../../domain/accounts/organization.ts";
import { emailKey } from "../../../domain/people/person.ts";
import { base } from "../app/base.ts";
import { ApiError, api, getData, type Invite, type Me, type SignInHelp } from "../data/api.ts";
import { rawTextOf, textOf } from "../form/field-errors.ts";
import { Field } from "../form/fields.tsx";
import { Form, FormFailure, SubmitButton } from "../form/form.tsx";
import { rich } from "../languages/rich.tsx";
import { fill, texts } from "../languages/texts.ts";
import { Failure, useAction } from "../ui/filters.tsx";
import { useTitle } from "../ui/view.tsx";
import { createPasskey, getPasskey, passkeyFault } from "./passkey.ts";
import { ProviderLink, SignInCard } from "./sign-in.tsx";

/** Shows an invitation, or a link of the command line, to somebody who need not be signed in. */
export function showInvite(root: Element): void {
  createRoot(root).render(<InvitePage token={location.pathname.slice(base.length).split("/")[2] ?? ""} />);
}

function InvitePage({ token }: { token: string }) {
  const [found, setFound] = useState<Omit<Props, "token"> & { help: SignInHelp }>();
  const [error, setError] = useState<unknown>();
  useTitle(texts.signIn.invite.windowTitle);
  useEffect(() => {
    const help = getData(api.session.help.get({ query: {} }));
    Promise.all([getData(api.invites({ token }).get()), help, findReader()]).then(
      ([invite, help, reader]) => setFound({ invite, help, reader }),
      setError,
    );
  }, [token]);
  if (error) return <Unusable error={error} />;
  return found ? <Acceptance token={token} {...found} /> : <main className="sign-in" aria-busy />;
}

/** The person who is signed in, if there is one. */
async function findReader(): Promise<Me | null> {
  const session = await getData(api.session.current.get()).catch(() => null);
  return session?.personId ? getData(api.me.get()).catch(() => null) : null;
}

function Unusable({ error }: { error: unknown }) {
  const isUnknown = error instanceof ApiError && error.status === 404;
  return (
    <SignInCard title={isUnknown ? texts.signIn.invite.invalidTitle : texts.signIn.invite.unavailableTitle}>
      {isUnknown ? (
        <p>{rich(texts.signIn.invite.invalid, { link: (text) => <a href={`${base}/`}>{text}</a> })}</p>
      ) : (
        <Failure error={error} />
      )}
    </SignInCard>
  );
}

interface Props {
  token: string;
  /** Without a role, it is a link that sets a new password. */
  invite: Invite;
  reader: Me | null;
}

function Acceptance({ help: { provider }, ...props }: Props & { help: SignInHelp }) {
  const { invite, reader } = props;
  const { organization, email, role } = invite;
  const isReader = reader !== null && emailKey(reader.email) === emailKey(email);
  const [byOtherWay, setByOtherWay] = useState(false);
  if (role === null)
    return (
      <SignInCard title={texts.signIn.invite.passwordTitle} lead={texts.signIn.ends}>
        <OwnWay {...props} />
      </SignInCard>
    );
  const byProvider = provider && (
    <ProviderLink
      provider={provider}
      label={texts.signIn.invite.byProvider}
      isPrimary={provider.only}
      onClick={() => {
        sessionStorage.place = location.pathname;
      }}
    />
  );
  return (
    <SignInCard
      title={fill(texts.signIn.invite.title, { organization: placeOf(organization) })}
      lead={texts.signIn.invite.lead}
    >
      <p>{texts.signIn.invite.role[role]}</p>
      {isReader && !byOtherWay ? (
        <AsReader {...props} onOtherWay={() => setByOtherWay(true)} />
      ) : (
        <>
          {provider?.only && (
            <p>{fill(texts.signIn.invite.onlyProvider, { provider: provider.name, email })}</p>
          )}
          {provider?.only ? byProvider : <OwnWay {...props}>{byProvider}</OwnWay>}
        </>
      )}
    </SignInCard>
  );
}

/** Somebody who is signed in accepts with the session. */
function AsReader({ token, invite: { email }, onOtherWay }: Props & { onOtherWay: () => void }) {
  const { error, busy, run } = useAction();
  const accept = async () => {
    await getData(api.invites({ token }).post({}));
    location.replace(`${base}/`);
  };
  return (
    <>
      <p>{fill(texts.signIn.invite.signedIn, { email })}</p>
      <Failure error={error} />
      <button
        type="button"
        className="button-primary button-wide"
        aria-disabled={busy}
        onClick={() => run(accept)}
      >
        {texts.signIn.invite.accept}
      </button>
      <button type="button" className="button-quiet" onClick={onOtherWay}>
        {texts.signIn.invite.otherWay}
      </button>
    </>
  );
}

/** An error beside the field of the password. */
function refusedPassword(text: string): ApiError {
  return new ApiError(401, text, {}, { code: "", field: "password", values: {}, sentence: text });
}

/** A new password or passkey, or one that the person has. @property children another way, which is shown after it */
function OwnWay({ token, invite: { email, role }, children }: Props & { children?: ReactNode }) {
  const isLink = role === null;
  const [hasAccount, setHasAccount] = useState(false);
  const [byPasskey, setByPasskey] = useState(false);
  // A link needs a name only if the person has never accepted an invitation.
  const [needsName, setNeedsName] = useState(!isLink);
  const linkAction = byPasskey ? texts.signIn.invite.addPasskey : texts.signIn.invite.setPassword;
  const accept = async (data: FormData) => {
    const name = textOf(data, "name");
    const named = name !== undefined && { name };
    const way = byPasskey
      ? { passkey: await passkeyFor(token, { ...named }) }
      : { password: rawTextOf(data, "password") ?? "" };
    await getData(api.invites({ token }).post({ ...named, ...way })).catch((caught) => {
      if (caught instanceof ApiError && caught.fault?.code === "required" && caught.fault.field === "name")
        setNeedsName(true);
      if (byPasskey || !(caught instanceof ApiError) || caught.status !== 401) throw caught;
      if (isLink) throw new ApiError(401, texts.signIn.invite.disabled);
      setHasAccount(true);
      throw refusedPassword(fill(texts.signIn.invite.otherPassword, { email }));
    });
    location.replace(`${base}/`);
  };
  return (
    <>
      <Form check={() => []} onSubmit={accept}>
        <Field name="email" label={texts.signIn.fields.email}>
          {(props) => <input {...props} type="email" autoComplete="username" value={email} readOnly />}
        </Field>
        {needsName && !hasAccount && (
          <Field name="name" label={texts.signIn.invite.name}>
            {(props) => <input {...props} autoComplete="name" />}
          </Field>
        )}
        {byPasskey ? (
          <p>{texts.signIn.invite.passkeyHint}</p>
        ) : hasAccount ? (
          <Field
            name="password"
            label={texts.signIn.invite.ownPassword}
            hint={texts.signIn.invite.ownPasswordHint}
          >
            {(props) => <input {...props} type="password" autoComplete="current-password" />}
          </Field>
        ) : (
          <Field
            name="password"
            label={texts.signIn.invite.newPassword}
            hint={texts.signIn.invite.newPasswordHint}
          >
            {(props) => <input {...props} type="password" autoComplete="new-password" />}
          </Field>
        )}
        <FormFailure />
        <SubmitButton>{isLink ? linkAction : texts.signIn.invite.accept}</SubmitButton>
      </Form>
      {children}
      {!passkeyFault() && (
        <button type="button" className="button-quiet" onClick={() => setByPasskey(!byPasskey)}>
          {byPasskey ? texts.signIn.invite.byPassword : texts.signIn.invite.byPasskey}
        </button>
      )}
      {!isLink && (
        <button type="button" className="button-quiet" onClick={() => setHasAccount(!hasAccount)}>
          {hasAccount ? texts.signIn.invite.noAccount : texts.signIn.invite.hasAccount}
        </button>
      )}
    </>
  );
}

/** A new passkey for somebody without a way to sign in, and otherwise the use of one. */
async function passkeyFor(token: string, named: { name?: string }) {
  const options = await getData(api.invites({ token })["passkey-options"].post(named));
  return "user" in options ? createPasskey(options) : getPasskey(options);
}
