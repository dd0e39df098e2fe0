import { type Confirmation, UNCONFIRMED } from "../../../domain/monitors/confirmation.ts";
import type { MonitorType } from "../../../domain/monitors/monitor.ts";
import { Field } from "../form/fields.tsx";

const MOST = 10;

/** How many further checks confirm a change of the status. */
export function ConfirmationFields({ type, numbers }: { type: MonitorType; numbers: Confirmation }) {
  const isJob = type === "SCHEDULED";
  return (
    <div className="field-halves">
      <Choice
        name="confirmations"
        label="Confirm before notifying"
        value={numbers.confirmations}
        immediate={isJob ? "Immediately, after one failure or missed run" : "Immediately, after one check"}
        further={isJob ? ["failure or missed run", "failures or missed runs"] : ["check", "checks"]}
        hint={
          isJob
            ? undefined
            : "The further checks come at most 20 s apart. Until they agree, the status stays and nobody is notified."
        }
      />
      <Choice
        name="recoveries"
        label="Confirm a recovery"
        value={numbers.recoveries}
        immediate={isJob ? "Immediately, after one success" : "Immediately, after one check"}
        further={isJob ? ["success", "successes"] : ["check", "checks"]}
      />
    </div>
  );
}

interface ChoiceProps {
  name: keyof Confirmation;
  label: string;
  value: number;
  /** What happens without a confirmation. */
  immediate: string;
  /** What confirms a change, for one and for several. */
  further: [one: string, several: string];
  hint?: string | undefined;
}

function Choice({ name, label, value, immediate, further, hint }: ChoiceProps) {
  return (
    <Field name={name} label={label} {...(hint !== undefined && { hint })}>
      {(props) => (
        <select {...props} defaultValue={value}>
          <option value={0}>{immediate}</option>
          {Array.from({ length: MOST }, (_, at) => at + 1).map((count) => (
            <option key={count} value={count}>
              After {count} further {further[count === 1 ? 0 : 1]}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** What a new monitor is offered. */
export function offeredNumbers(type: MonitorType): Confirmation {
  return type === "HTTP" ? { ...UNCONFIRMED, confirmations: 1 } : UNCONFIRMED;
}

export function confirmationOf(data: FormData): Confirmation {
  return {
    confirmations: Number(data.get("confirmations") ?? 0),
    recoveries: Number(data.get("recoveries") ?? 0),
  };
}
