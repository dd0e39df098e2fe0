import { type ReactNode, useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import { placeOf } from "../../../domain/accounts/organization.ts";
import type { Role } from "../../../domain/accounts/role.ts";
import { emailKey } from "../../../domain/people/person.ts";
import { base } from "../app/base.ts";
import { ApiError, api, getData, type Invite, type Me, type SignInHelp } from "../data/api.ts";
import { rawTextOf, textOf } from "../form/field-errors.ts";
import { Field } from "../form/fields.tsx";
import { Form, FormFailure, SubmitButton } from "../form/form.tsx";
import { Failure, useAction } from "../ui/filters.tsx";
import { useTitle } from "../ui/view.tsx";
import { createPasskey, getPasskey, passkeyFault } from "./passkey.ts";
import { ProviderLink, SignInCard, WHAT_ENDS } from "./sign-in.tsx";

/** Shows an invitation, or a link of the command line, to somebody who need not be signed in. */
export function showInvite(root: Element): void {
  createRoot(root).render(<InvitePage token={location.pathname.slice(base.length).split("/")[2] ?? ""} />);
}

function InvitePage({ token }: { token: string }) {
  const [found, setFound] = useState<Omit<Props, "token"> & { help: SignInHelp }>();
  const [error, setError] = useState<unknown>();
  useTitle("Invitation");
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
    <SignInCard title={isUnknown ? "This link is not valid" : "This link cannot be opened now"}>
      {isUnknown ? (
        <p>
          It was used already, replaced by a newer one, or has expired. An owner of your organization can
          invite you again. If you have accepted the invitation, <a href={`${base}/`}>sign in</a>.
        </p>
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
      <SignInCard title="Set a new password" lead={WHAT_ENDS}>
        <OwnWay {...props} />
      </SignInCard>
    );
  const byProvider = provider && (
    <ProviderLink
      provider={provider}
      label="Accept with"
      isPrimary={provider.only}
      onClick={() => {
        sessionStorage.place = location.pathname;
      }}
    />
  );
  return (
    <SignInCard
      title={`Join ${placeOf(organization)}`}
      lead="stillup watches websites, servers and jobs, and notifies people when one is down."
    >
      <p>
        You will have the role {role}. {roleMeanings[role]}
      </p>
      {isReader && !byOtherWay ? (
        <AsReader {...props} onOtherWay={() => setByOtherWay(true)} />
      ) : (
        <>
          {provider?.only && (
            <p>
              {provider.name} must know you by the address {email}.
            </p>
          )}
          {provider?.only ? byProvider : <OwnWay {...props}>{byProvider}</OwnWay>}
        </>
      )}
    </SignInCard>
  );
}

/** The rights of each role, in one sentence. */
const roleMeanings: Record<Role, string> = {
  viewer: "A viewer sees everything, and acknowledges outages.",
  admin: "An admin changes monitors, channels and pages too.",
  owner: "An owner may do everything, and invites people.",
};

/** Somebody who is signed in accepts with the session. */
function AsReader({ token, invite: { email }, onOtherWay }: Props & { onOtherWay: () => void }) {
  const { error, busy, run } = useAction();
  const accept = async () => {
    await getData(api.invites({ token }).post({}));
    location.replace(`${base}/`);
  };
  return (
    <>
      <p>You are signed in as {email}.</p>
      <Failure error={error} />
      <button
        type="button"
        className="button-primary button-wide"
        aria-disabled={busy}
        onClick={() => run(accept)}
      >
        Accept the invitation
      </button>
      <button type="button" className="button-quiet" onClick={onOtherWay}>
        Use another way to sign in
      </button>
    </>
  );
}

/** A new password or passkey, or one that the person has. @property children another way, which is shown after it */
function OwnWay({ token, invite: { email, role }, children }: Props & { children?: ReactNode }) {
  const isLink = role === null;
  const [hasAccount, setHasAccount] = useState(false);
  const [byPasskey, setByPasskey] = useState(false);
  // A link needs a name only if the person has never accepted an invitation.
  const [needsName, setNeedsName] = useState(!isLink);
  const linkAction = byPasskey ? "Add a passkey" : "Set the password";
  const accept = async (data: FormData) => {
    const name = textOf(data, "name");
    const named = name !== undefined && { name };
    const way = byPasskey
      ? { passkey: await passkeyFor(token, { ...named }) }
      : { password: rawTextOf(data, "password") ?? "" };
    await getData(api.invites({ token }).post({ ...named, ...way })).catch((caught) => {
      if (caught instanceof ApiError && caught.message === "name is required") setNeedsName(true);
      if (byPasskey || !(caught instanceof ApiError) || caught.status !== 401) throw caught;
      if (isLink)
        throw new ApiError(401, "You are disabled in each organization: ask an owner to enable you.");
      setHasAccount(true);
      throw new ApiError(401, `password must be the one that ${email} has here already`);
    });
    location.replace(`${base}/`);
  };
  return (
    <>
      <Form check={() => []} onSubmit={accept}>
        <Field name="email" label="E-mail">
          {(props) => <input {...props} type="email" autoComplete="username" value={email} readOnly />}
        </Field>
        {needsName && !hasAccount && (
          <Field name="name" label="Your name">
            {(props) => <input {...props} autoComplete="name" />}
          </Field>
        )}
        {byPasskey ? (
          <p>The browser asks for the fingerprint, face or PIN of your device.</p>
        ) : hasAccount ? (
          <Field
            name="password"
            label="Your password"
            hint="The password that you have here already. If you have forgotten it, get a link for a new one at the sign-in first."
          >
            {(props) => <input {...props} type="password" autoComplete="current-password" />}
          </Field>
        ) : (
          <Field
            name="password"
            label="New password"
            hint="At least 12 characters. A sentence is easy to remember."
          >
            {(props) => <input {...props} type="password" autoComplete="new-password" />}
          </Field>
        )}
        <FormFailure />
        <SubmitButton>{isLink ? linkAction : "Accept the invitation"}</SubmitButton>
      </Form>
      {children}
      {!passkeyFault() && (
        <button type="button" className="button-quiet" onClick={() => setByPasskey(!byPasskey)}>
          {byPasskey ? "Use a password instead" : "Use a passkey instead"}
        </button>
      )}
      {!isLink && (
        <button type="button" className="button-quiet" onClick={() => setHasAccount(!hasAccount)}>
          {hasAccount ? "I have no account on this server yet" : "I have an account on this server already"}
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
