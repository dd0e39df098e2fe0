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
import { LanguagePicker } from "../languages/language-picker.tsx";
import { named, rich } from "../languages/rich.tsx";
import { fill, texts } from "../languages/texts.ts";
import { Card, Fact } from "../ui/card.tsx";
import { ConfirmButton } from "../ui/dialog.tsx";
import { Failure, useAction } from "../ui/filters.tsx";
import { List, ListRow } from "../ui/list.tsx";
import { Time, TimeSince } from "../ui/time.tsx";
import { View } from "../ui/view.tsx";
import { ownSessionsQuery, SignInAgain, useFreshSignIn } from "./fresh-sign-in.tsx";
import { describeMethods } from "./method-words.ts";
import { OwnChannels } from "./own-channels.tsx";

/** The account of the reader. A key has none. */
export function Profile() {
  const isPerson = useSession()?.personId !== undefined;
  if (isPerson) return <PersonProfile />;
  return (
    <View title={texts.people.profile.title}>
      <p>
        {rich(texts.people.profile.ofKey, { link: (text) => <Link href="/settings/people">{text}</Link> })}
      </p>
      <LanguagePicker />
    </View>
  );
}

/** The ways to sign in, the sessions and the organization. */
function PersonProfile() {
  const { data, error } = useQuery(meQuery);
  const help = useQuery(signInHelpQuery);
  if (!data || !help.data) return <View title={texts.people.profile.title} error={error ?? help.error} />;
  const { provider } = help.data;
  const { name, email, role, methods, organization, organizations } = data;
  return (
    <View title={texts.people.profile.title}>
      <section className="card" aria-label={texts.people.profile.facts}>
        <dl className="facts">
          <Fact name={texts.people.profile.name}>{name ?? "–"}</Fact>
          <Fact name={texts.people.profile.email}>{email}</Fact>
          <Fact name={texts.people.profile.organization}>{organization.name}</Fact>
          <Fact name={texts.people.profile.role}>{texts.common.role[role]}</Fact>
          <Fact name={texts.people.profile.methods}>{describeMethods(methods) || "–"}</Fact>
        </dl>
      </section>
      <Card id="language" title={texts.people.language.title}>
        <LanguagePicker />
      </Card>
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
    <Card id="organization" title={texts.people.switch.title}>
      <Form className="form form-fields" check={() => []} onSubmit={change}>
        <SelectField
          name="organizationId"
          label={texts.people.switch.label}
          value={organization.id}
          options={organizations.map(({ id, name, role }) => ({
            value: id,
            label: fill(texts.people.switch.option, { name, role: texts.common.role[role] }),
          }))}
        />
        <FormFailure />
        <div className="actions">
          <SubmitButton>{texts.people.switch.submit}</SubmitButton>
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
    <Card id="password" title={texts.people.password.title}>
      {/* After a change, the fields are new and empty. */}
      <Form key={times} className="form form-fields" check={() => []} onSubmit={save}>
        {/* Says to password managers whose password it is. */}
        <input hidden autoComplete="username" value={email} readOnly />
        {hasOne && (
          <Field name="current" label={texts.people.password.current}>
            {(props) => <input {...props} type="password" autoComplete="current-password" />}
          </Field>
        )}
        <Field name="password" label={texts.people.password.new} hint={texts.people.password.hint}>
          {(props) => <input {...props} type="password" autoComplete="new-password" />}
        </Field>
        <FormFailure />
        <div className="actions">
          <SubmitButton>{hasOne ? texts.people.password.change : texts.people.password.set}</SubmitButton>
          <span role="status">{times > 0 && texts.people.password.done}</span>
        </div>
      </Form>
    </Card>
  );
}

/** Where the reader is signed in. */
function OwnSessions() {
  const { data, error } = useQuery(ownSessionsQuery);
  return (
    <Card id="sessions" title={texts.people.sessions.title}>
      <p>{texts.people.sessions.lead}</p>
      <List
        items={data}
        error={error}
        label={texts.people.sessions.title}
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
      title={current ? fill(texts.people.sessions.current, { browser }) : browser}
      details={
        <span className="list-row-note">
          {rich(texts.people.sessions.since, { address, time: <Time at={createdAt} only="date" /> })}
          <Failure error={error} />
        </span>
      }
    >
      <p className="text-muted">
        {rich(texts.people.sessions.used, { ago: <TimeSince at={lastSeenAt} short /> })}
      </p>
      {!current && (
        <button
          type="button"
          aria-disabled={busy}
          aria-label={fill(texts.people.sessions.endLabel, { browser, address })}
          onClick={() => run(() => change(api.me.sessions({ id }).delete()))}
        >
          {texts.people.sessions.end}
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
  const reason = error instanceof ApiError && error.status === 404 ? texts.people.passkeys.noOrigin : fault;
  const lead = <p>{texts.people.passkeys.lead}</p>;
  if (reason)
    return (
      <Card id="passkeys" title={texts.people.passkeys.title}>
        {lead}
        <p className="text-hint">{reason}</p>
      </Card>
    );
  return (
    <Card id="passkeys" title={texts.people.passkeys.title}>
      {lead}
      <List
        items={data}
        error={error}
        label={texts.people.passkeys.title}
        row={(passkey) => <PasskeyRow key={passkey.id} passkey={passkey} />}
      />
      <Failure error={action.error} />
      {isFresh && !isFresh() ? (
        <SignInAgain
          text={texts.people.signInAgain.passkeyText}
          label={texts.people.signInAgain.passkeyLabel}
        />
      ) : (
        <div className="actions">
          <button type="button" aria-disabled={action.busy} onClick={() => action.run(add)}>
            {texts.people.passkeys.add}
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
          {rich(texts.people.passkeys.added, { time: <Time at={createdAt} only="date" /> })}
        </span>
      }
    >
      <p className="text-muted">
        <LastUse at={lastUsedAt} />
      </p>
      <ConfirmButton
        label={texts.people.passkeys.remove}
        className="button-danger-quiet"
        name={fill(texts.people.passkeys.removeLabel, { name })}
        title={named(texts.people.passkeys.question, name)}
        onConfirm={() => change(api.me.passkeys({ id }).delete())}
      >
        {texts.people.passkeys.removeText}
      </ConfirmButton>
    </ListRow>
  );
}

function LastUse({ at }: { at: string | null }) {
  if (at === null) return texts.people.passkeys.notUsed;
  return rich(texts.people.passkeys.used, { ago: <TimeSince at={at} short /> });
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
  if (!browser) return userAgent || texts.people.sessions.unknown;
  return system ? fill(texts.people.sessions.browser, { browser, system }) : browser;
}

/** The identities of the reader at providers, which can be unlinked also if the server has no provider any more. */
function OwnIdentities({ provider }: { provider: Provider | null }) {
  const { data, error } = useQuery({
    queryKey: queryKeys.identities,
    queryFn: () => getData(api.me.identities.get()),
  });
  const outcome = useProviderOutcome();
  if (!provider && !data?.length) return null;
  const title = provider
    ? fill(texts.people.identities.providerTitle, { provider: provider.name })
    : texts.people.identities.title;
  return (
    <Card id="provider" title={title}>
      {provider && outcome && outcome !== "linked" && (
        <p className="failure" role="alert">
          {fill(outcome === "away" ? texts.people.identities.away : texts.people.identities.failed, {
            provider: provider.name,
          })}
        </p>
      )}
      {provider && data && <p role="status">{describeLink(provider, data)}</p>}
      {(error || Boolean(data?.length)) && (
        <List
          items={data}
          error={error}
          label={texts.people.identities.title}
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
  return fill(
    isLinked(provider, identities) ? texts.people.identities.linked : texts.people.identities.toLink,
    { provider: name },
  );
}

function LinkProvider({ provider: { name, url } }: { provider: Provider }) {
  const isFresh = useFreshSignIn();
  const [, lookAgain] = useState(0);
  const { origin } = new URL(url);
  // The session is only at the address of the page, and the provider returns to the base URL.
  if (origin !== location.origin)
    return (
      <p className="text-hint">
        {rich(texts.people.identities.otherOrigin, { link: <a href={origin + base}>{origin + base}</a> })}
      </p>
    );
  if (isFresh && !isFresh())
    return (
      <SignInAgain
        text={fill(texts.people.signInAgain.linkText, { provider: name })}
        label={fill(texts.people.signInAgain.linkLabel, { provider: name })}
      />
    );
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
        {fill(texts.people.identities.link, { provider: name })}
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
          {rich(texts.people.identities.linkedSince, { time: <Time at={createdAt} only="date" /> })}
        </span>
      }
    >
      <p className="text-muted">
        <LastUse at={lastUsedAt} />
      </p>
      <ConfirmButton
        label={texts.people.identities.unlink}
        className="button-danger-quiet"
        name={fill(texts.people.identities.unlinkLabel, { name })}
        title={named(texts.people.identities.question, name)}
        onConfirm={() => change(api.me.identities({ id }).delete())}
      >
        {texts.people.identities.unlinkText}
      </ConfirmButton>
    </ListRow>
  );
}
