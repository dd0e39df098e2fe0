import { useState } from "react";
import type { Config } from "../../data/api.ts";
import { TextField } from "../../form/fields.tsx";

const scheduleLabels = {
  learned: "Learned from the check-ins",
  period: "Every …",
  cron: "By a cron expression",
};
type ScheduleKind = keyof typeof scheduleLabels;

export function ScheduleFields({ config }: { config: Config }) {
  const initial = config.cron !== undefined ? "cron" : config.period !== undefined ? "period" : "learned";
  const [kind, setKind] = useState<ScheduleKind>(initial);
  return (
    <>
      <SchedulePicker value={kind} onChange={setKind} />
      {kind === "period" && (
        <TextField
          name="config.period"
          label="Seconds between two check-ins"
          value={config.period}
          kind="numeric"
        />
      )}
      {kind === "cron" && (
        <div className="field-pair">
          <TextField name="config.cron" label="Cron expression" value={config.cron} example="30 2 * * 1-5" />
          <TextField name="config.timezone" label="Time zone" value={config.timezone} example="UTC" />
        </div>
      )}
      <TextField
        name="config.grace"
        label="Grace period, in seconds"
        value={config.grace}
        kind="numeric"
        hint="How late a check-in may be. If empty: a fifth of the time between two check-ins, 1 minute to 1 hour."
      />
    </>
  );
}

function SchedulePicker({
  value,
  onChange,
}: {
  value: ScheduleKind;
  onChange: (kind: ScheduleKind) => void;
}) {
  return (
    <fieldset className="check-list">
      <legend>When the job checks in</legend>
      {(Object.keys(scheduleLabels) as ScheduleKind[]).map((kind) => (
        <label key={kind}>
          <input
            type="radio"
            name="schedule"
            value={kind}
            checked={kind === value}
            onChange={() => onChange(kind)}
          />
          {scheduleLabels[kind]}
        </label>
      ))}
    </fieldset>
  );
}
