import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { providerName } from "../../../domain/people/provider-name.ts";
import { createPasskey, passkeyFault } from "../accounts/passkey.ts";
import { type Provider, signInHelpQuery, useProviderOutcome } from "../accounts/sign-in.tsx";
import { base } from "../app/base.ts";
import { forgetDrafts, useSession } from "../app/session.tsx";
import {
  ApiError,
  api,
  getData,
  type Identity,
  type Me,
  type OwnSession,
  type Passkey,
} from "../data/api.ts";
import { meQuery, queryKeys } from "../data/query-keys.ts";
import { useChange } from "../data/use-change.ts";
import { rawTextOf, textOf } from "../form/field-errors.ts";
import { Field, SelectField } from "../form/fields.tsx";
import { Form, FormFailure, SubmitButton } from "../form/form.tsx";
import { named } from "../languages/rich.tsx";
import { Card, Fact } from "../ui/card.tsx";
import { ConfirmButton } from "../ui/dialog.tsx";
import { Failure, useAction } from "../ui/filters.tsx";
import { List, ListRow } from "../ui/list.tsx";
import { Time, TimeSince } from "../ui/time.tsx";
import { View } from "../ui/view.tsx";
import { ownSessionsQuery, SignInAgain, useFreshSignIn } from "./fresh-sign-in.tsx";
import { OwnChannels } from "./own-channels.tsx";
import { describeMethods } from "./person-words.ts";

/** The account of the reader. A key has none. */
export function Profile() {
  const isPerson = useSession()?.personId !== undefined;
  if (isPerson) return <PersonProfile />;
  return (
    <View title="Profile">
      <p>
        You are signed in with an API key, which has no profile. <Link href="/settings/people">People</Link>{" "}
        have one: they sign in with their e-mail address.
      </p>
    </View>
  );
}

/** The ways to sign in, the sessions and the organization. */
function PersonProfile() {
  const { data, error } = useQuery(meQuery);
  const help = useQuery(signInHelpQuery);
  if (!data || !help.data) return <View title="Profile" error={error ?? help.error} />;
  const { provider } = help.data;
  const { name, email, role, methods, organization, organizations } = data;
  return (
    <View title="Profile">
      <section className="card" aria-label="Facts">
        <dl className="facts">
          <Fact name="Name">{name ?? "–"}</Fact>
          <Fact name="E-mail">{email}</Fact>
          <Fact name="Organization">{organization.name}</Fact>
          <Fact name="Role">{role}</Fact>
          <Fact name="Signs in with">{describeMethods(methods) || "–"}</Fact>
        </dl>
      </section>
      {organizations.length > 1 && <SwitchOrganization me={data} />}
      <OwnChannels me={data} />
      <OwnIdentities provider={provider} />
      {!provider?.only && <ChangePassword me={data} />}
      {!provider?.only && <OwnPasskeys />}
      <OwnSessions />
    </View>
  );
}

function SwitchOrganization({ me: { organization, organizations } }: { me: Me }) {
  const change = async (data: FormData) => {
    await getData(api.session.patch({ organizationId: textOf(data, "organizationId") ?? "" }));
    // Everything that is shown, and the drafts, are of the other organization.
    forgetDrafts();
    location.assign(`${base}/`);
  };
  return (
    <Card id="organization" title="Organization">
      <Form className="form form-fields" check={() => []} onSubmit={change}>
        <SelectField
          name="organizationId"
          label="Show"
          value={organization.id}
          options={organizations.map(({ id, name, role }) => ({ value: id, label: `${name} (${role})` }))}
        />
        <FormFailure />
        <div className="actions">
          <SubmitButton>Switch</SubmitButton>
        </div>
      </Form>
    </Card>
  );
}

function ChangePassword({ me: { email, methods } }: { me: Me }) {
  const hasOne = methods.some((method) => method === "password");
  const [times, setTimes] = useState(0);
  const change = useChange(queryKeys.me);
  const save = async (data: FormData) => {
    const current = hasOne ? (rawTextOf(data, "current") ?? "") : undefined;
    const password = rawTextOf(data, "password") ?? "";
    await change(api.me.password.post({ ...(current !== undefined && { current }), password }));
    setTimes(times + 1);
  };
  return (
    <Card id="password" title="Password">
      {/* After a change, the fields are new and empty. */}
      <Form key={times} className="form form-fields" check={() => []} onSubmit={save}>
        {/* Says to password managers whose password it is. */}
        <input hidden autoComplete="username" value={email} readOnly />
        {hasOne && (
          <Field name="current" label="Present password">
            {(props) => <input {...props} type="password" autoComplete="current-password" />}
          </Field>
        )}
        <Field name="password" label="New password" hint="At least 12 characters. Your other sessions end.">
          {(props) => <input {...props} type="password" autoComplete="new-password" />}
        </Field>
        <FormFailure />
        <div className="actions">
          <SubmitButton>{hasOne ? "Change the password" : "Set a password"}</SubmitButton>
          <span role="status">{times > 0 && "Changed. Your other sessions have ended."}</span>
        </div>
      </Form>
    </Card>
  );
}

/** Where the reader is signed in. */
function OwnSessions() {
  const { data, error } = useQuery(ownSessionsQuery);
  return (
    <Card id="sessions" title="Sessions">
      <p>Where you are signed in. A session ends 30 days after its last use.</p>
      <List
        items={data}
        error={error}
        label="Sessions"
        row={(session) => <SessionRow key={session.id} session={session} />}
      />
    </Card>
  );
}

function SessionRow({
  session: { id, createdAt, lastSeenAt, address, userAgent, current },
}: {
  session: OwnSession;
}) {
  const change = useChange(queryKeys.ownSessions);
  const { error, busy, run } = useAction();
  const browser = describeBrowser(userAgent);
  return (
    <ListRow
      title={current ? `${browser}, this session` : browser}
      details={
        <span className="list-row-note">
          {address}, since <Time at={createdAt} only="date" />
          <Failure error={error} />
        </span>
      }
    >
      <p className="text-muted">
        used <TimeSince at={lastSeenAt} short /> ago
      </p>
      {!current && (
        <button
          type="button"
          aria-disabled={busy}
          aria-label={`End the session of ${browser} at ${address}`}
          onClick={() => run(() => change(api.me.sessions({ id }).delete()))}
        >
          End
        </button>
      )}
    </ListRow>
  );
}

/** The passkeys of the reader, or why there can't be any. */
function OwnPasskeys() {
  const fault = passkeyFault();
  const { data, error } = useQuery({
    queryKey: queryKeys.passkeys,
    queryFn: () => getData(api.me.passkeys.get()),
    enabled: fault === undefined,
  });
  const change = useChange(queryKeys.me);
  const action = useAction();
  const isFresh = useFreshSignIn();
  const add = async () => {
    const credential = await createPasskey(await getData(api.me.passkeys.options.post()));
    await change(api.me.passkeys.post({ credential, name: describeBrowser(navigator.userAgent) }));
  };
  const reason =
    error instanceof ApiError && error.status === 404
      ? "The server needs an https URL with a host name as its base URL."
      : fault;
  const lead = <p>Sign in with the fingerprint, face or PIN of a device, without a password.</p>;
  if (reason)
    return (
      <Card id="passkeys" title="Passkeys">
        {lead}
        <p className="text-hint">{reason}</p>
      </Card>
    );
  return (
    <Card id="passkeys" title="Passkeys">
      {lead}
      <List
        items={data}
        error={error}
        label="Passkeys"
        row={(passkey) => <PasskeyRow key={passkey.id} passkey={passkey} />}
      />
      <Failure error={action.error} />
      {isFresh && !isFresh() ? (
        <SignInAgain to="To add a passkey" />
      ) : (
        <div className="actions">
          <button type="button" aria-disabled={action.busy} onClick={() => action.run(add)}>
            Add a passkey
          </button>
        </div>
      )}
    </Card>
  );
}

function PasskeyRow({ passkey: { id, name, createdAt, lastUsedAt } }: { passkey: Passkey }) {
  const change = useChange(queryKeys.me);
  return (
    <ListRow
      title={name}
      details={
        <span className="list-row-note">
          added <Time at={createdAt} only="date" />
        </span>
      }
    >
      <p className="text-muted">
        {lastUsedAt ? (
          <>
            used <TimeSince at={lastUsedAt} short /> ago
          </>
        ) : (
          "not used yet"
        )}
      </p>
      <ConfirmButton
        label="Remove"
        className="button-danger-quiet"
        name={`Remove the passkey ${name}`}
        title={named("Remove the passkey “{name}”?", name)}
        onConfirm={() => change(api.me.passkeys({ id }).delete())}
      >
        You can&apos;t sign in with it any more then. Delete it on the device too.
      </ConfirmButton>
    </ListRow>
  );
}

/** The names by which browsers know themselves, the most specific name first: Edge also has the names of Chrome and Safari. */
const browsers: [pattern: RegExp, name: string][] = [
  [/Edg(?:e|A|iOS)?\//, "Edge"],
  [/OPR\//, "Opera"],
  [/Firefox\/|FxiOS\//, "Firefox"],
  [/Chrome\/|CriOS\/|HeadlessChrome\//, "Chrome"],
  [/Safari\//, "Safari"],
];

const systems: [pattern: RegExp, name: string][] = [
  [/iPhone/, "iPhone"],
  [/iPad/, "iPad"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/Mac OS X/, "macOS"],
  [/CrOS/, "ChromeOS"],
  [/Linux/, "Linux"],
];

/** A header `User-Agent` in words, such as `Firefox on Linux`. Another client than a browser: the header itself. */
export function describeBrowser(userAgent: string): string {
  const nameIn = (names: typeof browsers) => names.find(([pattern]) => pattern.test(userAgent))?.[1];
  const browser = nameIn(browsers);
  const system = nameIn(systems);
  if (!browser) return userAgent || "An unknown client";
  return system ? `${browser} on ${system}` : browser;
}

/** The identities of the reader at providers, which can be unlinked also if the server has no provider any more. */
function OwnIdentities({ provider }: { provider: Provider | null }) {
  const { data, error } = useQuery({
    queryKey: queryKeys.identities,
    queryFn: () => getData(api.me.identities.get()),
  });
  const outcome = useProviderOutcome();
  if (!provider && !data?.length) return null;
  const title = provider ? `Sign-in with ${provider.name}` : "Linked identities";
  return (
    <Card id="provider" title={title}>
      {provider && outcome && outcome !== "linked" && (
        <p className="failure" role="alert">
          {outcome === "away"
            ? `${provider.name} can't be used now. Try it again later.`
            : `${provider.name} was not linked: it did not sign you in, or somebody else has linked it. The log of the server has the reason.`}
        </p>
      )}
      {provider && data && <p role="status">{describeLink(provider, data)}</p>}
      {(error || Boolean(data?.length)) && (
        <List
          items={data}
          error={error}
          label="Linked identities"
          row={(identity) => <IdentityRow key={identity.id} identity={identity} />}
        />
      )}
      {provider && data && !isLinked(provider, data) && <LinkProvider provider={provider} />}
    </Card>
  );
}

/** The server may have had another provider before. */
function isLinked({ name }: Provider, identities: readonly Identity[]): boolean {
  return identities.some(({ issuer }) => providerName(issuer) === name);
}

function describeLink(provider: Provider, identities: readonly Identity[]): string {
  const { name } = provider;
  return isLinked(provider, identities)
    ? `${name} is linked. You can sign in with it.`
    : `Link ${name}, to sign in with it.`;
}

function LinkProvider({ provider: { name, url } }: { provider: Provider }) {
  const isFresh = useFreshSignIn();
  const [, lookAgain] = useState(0);
  const { origin } = new URL(url);
  // The session is only at the address of the page, and the provider returns to the base URL.
  if (origin !== location.origin)
    return (
      <p className="text-hint">
        To link it, sign in at <a href={origin + base}>{origin + base}</a>: the provider returns to there.
      </p>
    );
  if (isFresh && !isFresh()) return <SignInAgain to={`To link ${name}`} />;
  return (
    <div className="actions">
      <a
        className="button"
        href={`${url}?link=1`}
        onClick={(event) => {
          if (!isFresh || isFresh()) return;
          event.preventDefault();
          lookAgain(Date.now());
        }}
      >
        {`Link ${name}`}
      </a>
    </div>
  );
}

function IdentityRow({ identity: { id, issuer, createdAt, lastUsedAt } }: { identity: Identity }) {
  const change = useChange(queryKeys.me);
  const name = providerName(issuer);
  return (
    <ListRow
      title={name}
      details={
        <span className="list-row-note">
          linked <Time at={createdAt} only="date" />
        </span>
      }
    >
      <p className="text-muted">
        {lastUsedAt ? (
          <>
            used <TimeSince at={lastUsedAt} short /> ago
          </>
        ) : (
          "not used yet"
        )}
      </p>
      <ConfirmButton
        label="Unlink"
        className="button-danger-quiet"
        name={`Unlink ${name}`}
        title={named("Unlink “{name}”?", name)}
        onConfirm={() => change(api.me.identities({ id }).delete())}
      >
        You can&apos;t sign in with it any more then.
      </ConfirmButton>
    </ListRow>
  );
}
