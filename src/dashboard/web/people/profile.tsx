import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { signInHelpQuery } from "../accounts/provider.tsx";
import { forgetDrafts, useSession } from "../app/session.tsx";
import { api, getData, type Me } from "../data/api.ts";
import { queryKeys } from "../data/query-keys.ts";
import { SelectField } from "../form/fields.tsx";
import { Form, FormFailure, SubmitButton } from "../form/form.tsx";
import { textOf } from "../form/form-values.ts";
import { Card, Fact } from "../ui/card.tsx";
import { View } from "../ui/view.tsx";
import { ChangePassword } from "./change-password.tsx";
import { OwnPasskeys } from "./own-passkeys.tsx";
import { OwnIdentities } from "./own-provider.tsx";
import { OwnSessions } from "./own-sessions.tsx";
import { describeMethods } from "./person-words.ts";

/** The account of the reader. A key has none. */
export function Profile() {
  const isPerson = useSession()?.personId !== undefined;
  if (isPerson) return <PersonProfile />;
  return (
    <View title="Profile">
      <p>
        You are signed in with an API key, which has no profile. <Link href="/people">People</Link> have one:
        they sign in with their e-mail address.
      </p>
    </View>
  );
}

/** The ways to sign in, the sessions and the organization. */
function PersonProfile() {
  const { data, error } = useQuery({ queryKey: queryKeys.me, queryFn: () => getData(api.me.get()) });
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
    location.assign("/");
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
