import { useForm } from "../../form/form.tsx";
import { LayoutRow } from "./layout-row.tsx";
import type { GroupEntry } from "./page-layout.ts";
import type { LayoutActions } from "./use-layout-actions.ts";

interface Props {
  group: GroupEntry;
  /** Of its first component in the list of all components; undefined without components. */
  position: number | undefined;
  actions: LayoutActions;
  onRename: (key: string, name: string) => void;
}

export function GroupRow({ group: { key, name, components }, position, actions, onRename }: Props) {
  const field = position === undefined ? undefined : `components.${position}.group`;
  const { errors } = useForm();
  const error = field && errors[field];
  return (
    <LayoutRow rowKey={key} name={`the group ${name.trim()}`.trim()} actions={actions} removal="Remove">
      <input
        className="layout-group-name"
        data-control="name"
        name={field}
        value={name}
        placeholder="Name of the group"
        aria-label="Name of the group"
        {...(error && { "aria-invalid": true, "aria-describedby": `${field}-error` })}
        onInput={({ currentTarget }) => onRename(key, currentTarget.value)}
        autoComplete="off"
      />
      {error && (
        <p className="field-error" id={`${field}-error`} role="alert">
          {error}
        </p>
      )}
      {components.length === 0 && (
        <p className="text-hint">Move components into this group. It is not saved while it is empty.</p>
      )}
    </LayoutRow>
  );
}
