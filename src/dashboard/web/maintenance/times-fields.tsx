import { RadioList } from "../form/choices.tsx";
import { TextField, TimeField } from "../form/fields.tsx";
import { ZoneField } from "../form/zone-field.tsx";
import { optionsOf } from "../ui/filters.tsx";
import type { TimesBody } from "./maintenance-values.ts";
import { isForever, type Kind, splitDuration, UNITS } from "./maintenance-values.ts";

interface Props {
  kind: Kind;
  onKind: (kind: Kind) => void;
  stored: TimesBody | undefined;
}

const KINDS: { value: Kind; label: string }[] = [
  { value: "once", label: "Once" },
  { value: "repeated", label: "Repeated, by a cron expression" },
];

/** When a maintenance has windows. */
export function TimesFields({ kind, onKind, stored }: Props) {
  return (
    <>
      <RadioList legend="When" name="kind" options={KINDS} value={kind} onChange={onKind} />
      {kind === "once" ? <OnceFields stored={stored} /> : <RepeatedFields stored={stored} />}
    </>
  );
}

const HOUR = 3_600_000;
const STEP = 300_000;

/** A new one is offered the next hour, from a time that is easy to read. */
function offeredTimes(now: number): { startsAt: string; endsAt: string } {
  const start = Math.ceil(now / STEP) * STEP;
  return { startsAt: new Date(start).toISOString(), endsAt: new Date(start + HOUR).toISOString() };
}

function OnceFields({ stored }: Pick<Props, "stored">) {
  const offered = offeredTimes(Date.now());
  return (
    <div className="field-halves">
      <TimeField name="startsAt" label="Start" value={stored?.startsAt ?? offered.startsAt} />
      <TimeField name="endsAt" label="End" value={stored?.endsAt ?? offered.endsAt} />
    </div>
  );
}

function RepeatedFields({ stored }: Pick<Props, "stored">) {
  const { count, unit } = splitDuration(stored?.duration ?? undefined);
  const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <>
      <div className="field-halves">
        <TextField
          name="cron"
          label="Cron expression of the starts"
          value={stored?.cron ?? undefined}
          example="0 2 * * 0"
          hint="Minute, hour, day, month, weekday. 0 2 * * 0 is each Sunday at 02:00."
        />
        <ZoneField value={stored?.cron ? (stored.timezone ?? "UTC") : ownZone} />
      </div>
      <div className="field-halves">
        <div className="duration">
          <TextField name="duration" label="Duration" value={count} kind="numeric" />
          <select name="durationUnit" aria-label="Unit of the duration" defaultValue={unit}>
            {optionsOf(Object.keys(UNITS).map((unit) => ({ value: unit, label: unit })))}
          </select>
        </div>
        <TimeField
          name="until"
          label="No start after"
          value={stored?.until && !isForever(stored.until) ? stored.until : undefined}
          hint="In your time zone. If empty: it has no end."
        />
      </div>
    </>
  );
}
