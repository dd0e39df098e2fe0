import { type ReactNode, useEffect, useRef, useState } from "react";
import type { Hours, Weekday } from "../../../../domain/alerts/hours.ts";
import { reportChange } from "../../form/form.tsx";
import { ZoneInput } from "../../form/monitor-picker.tsx";
import { useRestoredValues } from "../../form/use-draft.tsx";
import { locale } from "../../languages/locale.ts";
import { hidden, rich } from "../../languages/rich.tsx";
import { fill, texts } from "../../languages/texts.ts";

type Window = Hours["windows"][number];

const WEEK: readonly Weekday[] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

/** The hours that a form offers first. */
export const WORKDAYS: Window = { days: WEEK.slice(0, 5), from: "08:00", to: "18:00" };

interface Props {
  /** The name of the form value, which is JSON. */
  name: string;
  /** For screen readers: whose hours they are. */
  label: string;
  hours: Hours | undefined;
  /** The option without hours. */
  none?: string;
}

/** In which hours a channel is notified of trouble (behavior 23.9). */
export function HoursFields({ name, label, hours: stored, none = texts.bindings.hours.always }: Props) {
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
        aria-label={label}
        value={hours?.outside ?? ""}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      >
        <option value="">{none}</option>
        <option value="hold">{texts.bindings.hours.hold}</option>
        <option value="drop">{texts.bindings.hours.drop}</option>
      </select>
      {hours && (
        <WindowsFields
          label={label}
          windows={hours.windows}
          onChange={(windows) => setHours({ ...hours, windows })}
        >
          <ZoneInput
            aria-label={texts.bindings.hours.timezone}
            value={hours.timezone}
            onChange={({ currentTarget }) => setHours({ ...hours, timezone: currentTarget.value })}
          />
        </WindowsFields>
      )}
    </>
  );
}

interface WindowsProps {
  /** For screen readers: whose hours they are. */
  label: string;
  windows: Window[];
  onChange: (windows: Window[]) => void;
  /** A control beside the button that adds hours. */
  children?: ReactNode;
}

/** The windows in which something counts. */
export function WindowsFields({ label, windows, onChange, children }: WindowsProps) {
  return (
    <fieldset className="binding-hours">
      <legend className="visually-hidden">{label}</legend>
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
            {texts.bindings.hours.add}
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
          aria-label={fill(texts.bindings.hours.from, { number })}
          value={from}
          onChange={({ currentTarget: { value } }) => value && onChange({ ...window, from: value })}
        />
        <input
          type="time"
          aria-label={fill(texts.bindings.hours.to, { number })}
          // The control has no 24:00.
          value={to.replace("24:", "00:")}
          onChange={({ currentTarget: { value } }) =>
            value && onChange({ ...window, to: value.replace("00:00", "24:00") })
          }
        />
        {onRemove && (
          <button type="button" className="button-quiet" onClick={onRemove}>
            {rich(texts.bindings.hours.remove, { hidden, number })}
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
  const parts = windows.map(({ days, from, to }) =>
    fill(texts.bindings.hours.window, {
      days: describeDays(days),
      times: fill(texts.bindings.hours.range, { from, to }),
    }),
  );
  return [...parts, timezone].join(texts.common.comma);
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
      const [from = "", to = ""] = [labels[0], labels.at(-1)];
      return labels.length > 2
        ? fill(texts.bindings.hours.range, { from, to })
        : labels.join(texts.common.comma);
    })
    .join(texts.common.comma);
}

function labelOf(day: Weekday): string {
  names ??= new Intl.DateTimeFormat(locale, { weekday: "short" });
  // The first of January 2024 was a Monday.
  return names.format(new Date(2024, 0, 1 + WEEK.indexOf(day)));
}

/** Created at its first use. */
let names: Intl.DateTimeFormat | undefined;
