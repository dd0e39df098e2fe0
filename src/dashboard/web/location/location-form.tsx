import { NameField } from "../form/fields.tsx";
import { Form, FormFailure, SubmitButton } from "../form/form.tsx";
import { textOf } from "../form/form-values.ts";
import { nameFaults } from "../form/validation.ts";

interface Props {
  /** The name of the location to rename. */
  name?: string;
  /** The label of the button that sends the form. */
  action: string;
  onSubmit: (name: string) => Promise<unknown>;
  onCancel: () => void;
}

export function LocationForm({ name, action, onSubmit, onCancel }: Props) {
  const nameOf = (data: FormData) => textOf(data, "name") ?? "";
  return (
    <Form check={(data) => nameFaults(nameOf(data))} onSubmit={(data) => onSubmit(nameOf(data))}>
      <NameField value={name} />
      <FormFailure />
      <div className="actions actions-end">
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
        <SubmitButton>{action}</SubmitButton>
      </div>
    </Form>
  );
}
