import { api, getData } from "../data/api.ts";
import { Form, FormFailure, SubmitButton } from "../form/form.tsx";
import { textOf } from "../form/form-values.ts";
import { Card } from "../ui/card.tsx";
import { EmailField } from "./person-fields.tsx";

/** On a server without people: the reader, who has an owner key, becomes the first one. */
export function FirstPerson() {
  const create = async (data: FormData) => {
    const { inviteUrl } = await getData(
      api.people.post({ email: textOf(data, "email") ?? "", role: "owner" }),
    );
    // The base URL may be at another address than this browser, which would lose the cookie.
    location.assign(new URL(inviteUrl).pathname);
  };
  return (
    <Card id="first-person" title="Create your own account">
      <p>
        You are signed in with an API key. With an account of your own you sign in with your e-mail address
        and a password, and can invite others. The key stays valid.
      </p>
      <Form className="form form-fields" check={() => []} onSubmit={create}>
        <EmailField />
        <FormFailure />
        <div className="actions">
          <SubmitButton>Continue</SubmitButton>
        </div>
      </Form>
    </Card>
  );
}
