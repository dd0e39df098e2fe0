import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";
import { isRightToLeft } from "../languages/locale.ts";
import { texts } from "../languages/texts.ts";
import { dayOf, monthBeside, startOf, weeksOf } from "./days.ts";
import { formatNumber } from "./numbers.ts";
import { dateFormat } from "./time.tsx";

interface MenuProps {
  /** The name of the button for screen readers, before its label. */
  legend: string;
  /** The choice that is in use, in words. */
  label: string;
  options: readonly { value: string; label: string }[];
  /** Empty if none of the options is in use. */
  value: string;
  onChoose: (value: string) => void;
  /** Beside the options. @param close closes the panel, and returns the focus to its button */
  children?: (close: () => void) => ReactNode;
}

/** A button that says which time is shown, and opens a panel to choose another one. It is the same in all views. */
export function TimeMenu({ legend, label, options, value, onChoose, children }: MenuProps) {
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const close = () => {
    setOpen(false);
    root.current?.querySelector("button")?.focus();
  };
  useEffect(() => {
    if (!isOpen) return undefined;
    root.current?.querySelector<HTMLElement>("[role=dialog] button")?.focus();
    const leave = ({ target }: Event) => {
      if (!root.current?.contains(target as Node)) setOpen(false);
    };
    addEventListener("pointerdown", leave);
    addEventListener("focusin", leave);
    return () => {
      removeEventListener("pointerdown", leave);
      removeEventListener("focusin", leave);
    };
  }, [isOpen]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !isOpen) return;
    event.stopPropagation();
    close();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape is pressed on the buttons in it
    <div className="time-range" ref={root} onKeyDown={onKeyDown}>
      <button type="button" aria-haspopup="dialog" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <span className="visually-hidden">{legend}:</span>
        {label}
        <span aria-hidden="true">▾</span>
      </button>
      {isOpen && (
        <div className="time-panel" role="dialog" aria-label={legend}>
          <div className="time-options">
            {options.map((option) => (
              <button
                key={option.value}
                type="button"
                className="button-quiet"
                aria-pressed={option.value === value}
                onClick={() => {
                  close();
                  onChoose(option.value);
                }}
              >
                {option.label}
              </button>
            ))}
          </div>
          {children?.(close)}
        </div>
      )}
    </div>
  );
}

/** A stretch of time. ISO 8601; without an end, it goes on. */
export interface Stretch {
  from?: string;
  to?: string;
}

interface CalendarProps extends Stretch {
  onShow: (stretch: Stretch) => void;
}

const monthFormat = dateFormat({ month: "long", year: "numeric" });
const weekdayFormat = dateFormat({ weekday: "narrow" });
const dayFormat = dateFormat({ dateStyle: "full" });

/** The step to the left: from right to left, the next day is on that side. */
const LEFT = isRightToLeft ? 1 : -1;

/** How many days or months a key moves the focus by. */
const DAY_STEPS: Record<string, number> = { ArrowLeft: LEFT, ArrowRight: -LEFT, ArrowUp: -7, ArrowDown: 7 };
const MONTH_STEPS: Record<string, number> = { PageUp: -1, PageDown: 1 };

/** A month in which the first and the last day are chosen, and the times on them. */
export function StretchCalendar({ from, to, onShow }: CalendarProps) {
  const text = texts.ui.calendar;
  const today = dayOf(Date.now());
  const [first, setFirst] = useState(from === undefined ? "" : dayOf(Date.parse(from)));
  const [last, setLast] = useState(to === undefined ? "" : dayOf(Date.parse(to) - 1));
  const [times, setTimes] = useState({ from: timeOfDay(from, 0, "00:00"), to: timeOfDay(to, -1, "23:59") });
  const [active, setActive] = useState(last || first || today);
  const moves = useRef(false);
  const table = useRef<HTMLTableElement>(null);
  const month = active.slice(0, 7);
  useLayoutEffect(() => {
    if (moves.current) table.current?.querySelector<HTMLElement>(`[data-day="${active}"]`)?.focus();
    moves.current = false;
  }, [active]);
  const goTo = (day: string) => setActive(day > today ? today : day);
  const goBy = (step: number) => {
    const beside = monthBeside(month, step);
    goTo(`${beside}-${beside === today.slice(0, 7) ? today.slice(8) : "01"}`);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const [days, months] = [DAY_STEPS[event.key], MONTH_STEPS[event.key]];
    if (days === undefined && months === undefined) return;
    event.preventDefault();
    moves.current = true;
    if (months !== undefined) goBy(months);
    else goTo(dayOf(startOf(active, days) ?? 0));
  };
  const pick = (day: string) => {
    setActive(day);
    if (first === "" || last !== "" || day < first) {
      setFirst(day);
      setLast("");
    } else setLast(day);
  };
  const chosen = stretchOf({ first, last: last || first, times });
  return (
    <div className="time-calendar">
      <div className="time-month">
        <button
          type="button"
          className="button-quiet"
          aria-label={text.previousMonth}
          onClick={() => goBy(-1)}
        >
          ‹
        </button>
        <b aria-live="polite">{monthFormat.format(startOf(`${month}-01`) ?? 0)}</b>
        <button
          type="button"
          className="button-quiet"
          aria-label={text.nextMonth}
          aria-disabled={month >= today.slice(0, 7)}
          onClick={() => goBy(1)}
        >
          ›
        </button>
      </div>
      <table ref={table} aria-label={text.days} onKeyDown={onKeyDown}>
        <thead>
          <tr>
            {weeksOf(month)[0]?.map(({ start }) => (
              <th key={start} scope="col">
                {weekdayFormat.format(start)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(month).map((week) => (
            <tr key={week[0]?.start}>
              {week.map(({ start, isInMonth }) => {
                const day = dayOf(start);
                if (!isInMonth) return <td key={day} />;
                return (
                  <td key={day}>
                    <button
                      type="button"
                      data-day={day}
                      tabIndex={day === active ? 0 : -1}
                      disabled={day > today}
                      aria-pressed={day === first || (day > first && day <= last)}
                      aria-current={day === today ? "date" : undefined}
                      aria-label={dayFormat.format(start)}
                      onClick={() => pick(day)}
                    >
                      {formatNumber(Number(day.slice(8)))}
                    </button>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      <div className="time-ends">
        {(["from", "to"] as const).map((end) => (
          <label key={end}>
            {end === "from" ? text.from : text.until}
            <input
              type="time"
              value={times[end]}
              onInput={({ currentTarget }) => setTimes({ ...times, [end]: currentTarget.value })}
            />
          </label>
        ))}
        <button
          type="button"
          className="button-primary"
          disabled={chosen === undefined}
          onClick={() => chosen && onShow(chosen)}
        >
          {text.show}
        </button>
      </div>
    </div>
  );
}

const MINUTE = 60_000;

/** @param minutes added to the time @param otherwise without a time */
function timeOfDay(at: string | undefined, minutes: number, otherwise: string): string {
  if (at === undefined) return otherwise;
  return new Date(Date.parse(at) + minutes * MINUTE).toTimeString().slice(0, 5);
}

interface Chosen {
  /** Days such as `2026-11-24`. */
  first: string;
  last: string;
  /** Such as `23:59`: the minute of the end is included. */
  times: { from: string; to: string };
}

/** The stretch between two days with their times, in the reader's zone; undefined if they are none. */
export function stretchOf({ first, last, times }: Chosen): Required<Stretch> | undefined {
  const from = Date.parse(`${first}T${times.from}`);
  const to = new Date(`${last}T${times.to}`);
  // By the clock, so that a day on which clocks change is a whole day.
  to.setMinutes(to.getMinutes() + 1);
  if (!(from < to.getTime())) return undefined;
  return { from: new Date(from).toISOString(), to: to.toISOString() };
}
