import type { ReactNode } from "react";
import { useMay } from "../app/session.tsx";
import { View } from "../ui/view.tsx";
import { Form, FormFailure, SubmitButton } from "./form.tsx";

interface Props {
  /** What is made or changed here. */
  noun: string;
  /** The name of what is changed; none where it is made. */
  name: string | undefined;
  /** All that is wrong with the values, in sentences of the API. */
  check: (data: FormData) => string[];
  onSubmit: (data: FormData) => Promise<unknown>;
  /** A link or a button. */
  cancel: ReactNode;
  /** What can be done with the values besides saving them. */
  tools?: ReactNode;
  children: ReactNode;
}

/** The view in which something is made or changed, by who may. */
export function Editor({ noun, name, check, onSubmit, cancel, tools, children }: Props) {
  const mayWrite = useMay("admin");
  const isNew = name === undefined;
  return (
    <View title={isNew ? `New ${noun}` : `Edit ${name}`}>
      {mayWrite ? (
        <Form className="form card" check={check} onSubmit={onSubmit}>
          {children}
          <FormFailure />
          {tools}
          <div className="actions">
            <SubmitButton>{isNew ? `Create ${noun}` : "Save"}</SubmitButton>
            {cancel}
          </div>
        </Form>
      ) : (
        <p>Only an admin or owner may do this.</p>
      )}
    </View>
  );
}
