import { type ReactNode, useEffect, useRef, useState } from "react";
import type { Hours, Weekday } from "../../../../domain/alerts/hours.ts";
import { reportChange } from "../../form/form.tsx";
import { ZoneInput } from "../../form/monitor-picker.tsx";
import { useRestoredValues } from "../../form/use-draft.tsx";

type Window = Hours["windows"][number];

const WEEK: readonly Weekday[] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

/** The hours that a form offers first. */
export const WORKDAYS: Window = { days: WEEK.slice(0, 5), from: "08:00", to: "18:00" };

interface Props {
  /** The name of the form value, which is JSON. */
  name: string;
  /** The name of the channel. */
  channel: string;
  hours: Hours | undefined;
  /** The option without hours. */
  none?: string;
}

/** In which hours a channel is notified of trouble (behavior 23.9). */
export function HoursFields({ name, channel, hours: stored, none = "At all times" }: Props) {
  const element = useRef<HTMLInputElement>(null);
  const [restored] = useRestoredValues(name) ?? [];
  const [hours, setHours] = useState(restored === undefined ? stored : hoursIn(restored));
  const value = hours ? JSON.stringify(hours) : "";
  useEffect(() => reportChange(element.current), [value]);
  const choose = (choice: string) => {
    const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const { windows = [WORKDAYS], ...others } = hours ?? { timezone };
    setHours(choice === "" ? undefined : { ...others, windows, outside: choice as Hours["outside"] });
  };
  return (
    <>
      <input type="hidden" name={name} value={value} ref={element} />
      <select
        aria-label={`Hours for ${channel}`}
        value={hours?.outside ?? ""}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      >
        <option value="">{none}</option>
        <option value="hold">Hold outside hours</option>
        <option value="drop">Drop outside hours</option>
      </select>
      {hours && (
        <WindowsFields
          of={channel}
          windows={hours.windows}
          onChange={(windows) => setHours({ ...hours, windows })}
        >
          <ZoneInput
            aria-label="Time zone"
            value={hours.timezone}
            onChange={({ currentTarget }) => setHours({ ...hours, timezone: currentTarget.value })}
          />
        </WindowsFields>
      )}
    </>
  );
}

interface WindowsProps {
  /** Whose hours they are. */
  of: string;
  windows: Window[];
  onChange: (windows: Window[]) => void;
  /** A control beside the button that adds hours. */
  children?: ReactNode;
}

/** The windows in which something counts. */
export function WindowsFields({ of, windows, onChange, children }: WindowsProps) {
  return (
    <fieldset className="binding-hours">
      <legend className="visually-hidden">Hours for {of}</legend>
      {windows.map((window, at) => (
        <WindowFields
          key={at}
          number={at + 1}
          window={window}
          onChange={(changed) => onChange(windows.with(at, changed))}
          onRemove={windows.length > 1 ? () => onChange(windows.toSpliced(at, 1)) : undefined}
        />
      ))}
      <div className="binding-window">
        {windows.length < 20 && (
          <button type="button" className="button-small" onClick={() => onChange([...windows, WORKDAYS])}>
            Add hours
          </button>
        )}
        {children}
      </div>
    </fieldset>
  );
}

interface WindowProps {
  number: number;
  window: Window;
  onChange: (window: Window) => void;
  /** Undefined for the only one. */
  onRemove: (() => void) | undefined;
}

function WindowFields({ number, window, onChange, onRemove }: WindowProps) {
  const { days, from, to } = window;
  const toggle = (day: Weekday) => {
    const after = WEEK.filter((one) => (one === day) !== days.includes(one));
    // At least one day stays.
    if (after.length > 0) onChange({ ...window, days: after });
  };
  return (
    <div className="binding-hours">
      <div className="binding-window">
        {WEEK.map((day) => (
          <label key={day} className="binding-day">
            <input type="checkbox" checked={days.includes(day)} onChange={() => toggle(day)} />
            {labelOf(day)}
          </label>
        ))}
      </div>
      <div className="binding-window">
        <input
          type="time"
          aria-label={`From ${number}`}
          value={from}
          onChange={({ currentTarget: { value } }) => value && onChange({ ...window, from: value })}
        />
        <input
          type="time"
          aria-label={`To ${number}`}
          // The control has no 24:00.
          value={to.replace("24:", "00:")}
          onChange={({ currentTarget: { value } }) =>
            value && onChange({ ...window, to: value.replace("00:00", "24:00") })
          }
        />
        {onRemove && (
          <button type="button" className="button-quiet" onClick={onRemove}>
            Remove<span className="visually-hidden"> hours {number}</span>
          </button>
        )}
      </div>
    </div>
  );
}

/** The hours in a form value; undefined for all times. */
export function hoursIn(value: FormDataEntryValue | null): Hours | undefined {
  return value ? JSON.parse(String(value)) : undefined;
}

/** For example `Mon–Fri 08:00–18:00, Europe/Berlin`. */
export function describeHours({ windows, timezone }: Hours): string {
  return [...windows.map(({ days, from, to }) => `${describeDays(days)} ${from}–${to}`), timezone].join(", ");
}

/** Three days or more that follow one another are a range. */
function describeDays(days: readonly Weekday[]): string {
  const ranges: Weekday[][] = [];
  for (const [at, day] of WEEK.entries()) {
    if (!days.includes(day)) continue;
    const last = ranges.at(-1);
    const before = WEEK[at - 1];
    if (last && before && last.includes(before)) last.push(day);
    else ranges.push([day]);
  }
  return ranges
    .map((range) => {
      const labels = range.map(labelOf);
      return labels.length > 2 ? `${labels[0]}–${labels.at(-1)}` : labels.join(", ");
    })
    .join(", ");
}

function labelOf(day: Weekday): string {
  return day.replace(/^./, (first) => first.toUpperCase());
}
