import { useState } from "react";
import { api, type Me } from "../data/api.ts";
import { queryKeys } from "../data/query-keys.ts";
import { useChange } from "../data/use-change.ts";
import { Field } from "../form/fields.tsx";
import { Form, FormFailure, SubmitButton } from "../form/form.tsx";
import { rawTextOf } from "../form/form-values.ts";
import { Card } from "../ui/card.tsx";

export function ChangePassword({ me: { email, methods } }: { me: Me }) {
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
