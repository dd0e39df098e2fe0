import { type Confirmation, UNCONFIRMED } from "../../../domain/monitors/confirmation.ts";
import type { MonitorType } from "../../../domain/monitors/monitor.ts";
import { SelectField } from "../form/fields.tsx";

const MAX_CONFIRMATIONS = 10;

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
            : "The further checks come at most 20 s apart. Until they agree, the status stays and nobody is notified. More of them help if " +
              "a site is often Degraded for a moment."
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
  /** The option without a confirmation. */
  immediate: string;
  /** The events that confirm a change: singular and plural. */
  further: [one: string, several: string];
  hint?: string | undefined;
}

function Choice({ immediate, further, ...field }: ChoiceProps) {
  const others = Array.from({ length: MAX_CONFIRMATIONS }, (_, at) => ({
    value: at + 1,
    label: `After ${at + 1} further ${further[at === 0 ? 0 : 1]}`,
  }));
  return <SelectField {...field} options={[{ value: 0, label: immediate }, ...others]} />;
}

/** Initial values for a new monitor. */
export function offeredNumbers(type: MonitorType): Confirmation {
  return type === "HTTP" ? { ...UNCONFIRMED, confirmations: 1 } : UNCONFIRMED;
}

export function confirmationOf(data: FormData): Confirmation {
  return {
    confirmations: Number(data.get("confirmations") ?? 0),
    recoveries: Number(data.get("recoveries") ?? 0),
  };
}
