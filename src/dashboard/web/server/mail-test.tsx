import { useState } from "react";
import { api, getData, type MailTest } from "../data/api.ts";
import { Field } from "../form/fields.tsx";
import { Form, FormFailure, SubmitButton } from "../form/form.tsx";
import { textOf } from "../form/form-values.ts";

/** Sends one e-mail to an address. */
export function MailTestForm() {
  const [sent, setSent] = useState<{ to: string; test: MailTest }>();
  const send = async (data: FormData) => {
    const to = textOf(data, "to") ?? "";
    setSent(undefined);
    setSent({ to, test: await getData(api.server["mail-test"].post({ to })) });
  };
  return (
    <Form className="form" check={(data) => (textOf(data, "to") ? [] : ["to is required"])} onSubmit={send}>
      <Field name="to" label="Send a test e-mail to">
        {(props) => <input {...props} type="email" autoComplete="email" maxLength={254} />}
      </Field>
      <FormFailure />
      <div className="actions">
        <SubmitButton>Send a test e-mail</SubmitButton>
      </div>
      <div role="status">{sent && <Outcome {...sent} />}</div>
    </Form>
  );
}

function Outcome({ to, test: { outcome, error, advice } }: { to: string; test: MailTest }) {
  if (outcome === "delivered") return <p>The mail server accepted the e-mail to {to}.</p>;
  return (
    <>
      <p className="failure">Not sent: {error}.</p>
      {advice && <p>{advice}</p>}
    </>
  );
}
