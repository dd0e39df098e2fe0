import { ROLES, type Role } from "../../../domain/accounts/role.ts";
import { SelectField, TextField } from "../form/fields.tsx";

export function RoleField({ value = "viewer" }: { value?: Role }) {
  return (
    <SelectField
      name="role"
      label="Role"
      hint="Viewers read, and acknowledge outages. Admins also write. Owners also manage people and keys."
      value={value}
      options={ROLES.map((role) => ({ value: role, label: role }))}
    />
  );
}

export function EmailField() {
  return <TextField name="email" label="E-mail" kind="email" />;
}
