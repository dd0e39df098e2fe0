import { INCIDENT_LABELS, INCIDENT_STATUSES, type IncidentStatus } from "../../../domain/pages/incident.ts";
import { Field } from "../form/fields.tsx";
import { MarkdownField } from "./markdown-field.tsx";

interface Props {
  /** The status that is selected at first. */
  status: IncidentStatus;
  onStatus?: (status: IncidentStatus) => void;
  hint: string;
}

/** The status and the message of an update. */
export function UpdateFields({ status, onStatus, hint }: Props) {
  return (
    <>
      <Field name="status" label="Status">
        {(props) => (
          <select
            {...props}
            className="incident-select"
            defaultValue={status}
            onChange={({ currentTarget }) => onStatus?.(currentTarget.value as IncidentStatus)}
          >
            {INCIDENT_STATUSES.map((one) => (
              <option key={one} value={one}>
                {INCIDENT_LABELS[one]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <MarkdownField name="body" label="Message" hint={hint} />
    </>
  );
}
