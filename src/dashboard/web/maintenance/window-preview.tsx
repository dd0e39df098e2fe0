import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { type Window, windowsFrom } from "../../../domain/maintenance/windows.ts";
import { selectedCountQuery } from "../data/monitor-lists.ts";
import { useSettled } from "../data/use-settled.ts";
import { useFormData } from "../form/form.tsx";
import { formatCount } from "../ui/numbers.ts";
import { useClock } from "../ui/time.tsx";
import { type Kind, parsedTimes, type TimesBody } from "./maintenance-values.ts";
import { describeDistance, describeSpan, describeWindow, isInReadersTime } from "./maintenance-words.ts";
import { selectorIn } from "./selector-values.ts";

const MAX_WINDOWS = 5;

interface Props {
  kind: Kind;
  /** The times in the form; null if they are not valid. */
  timesIn: (data: FormData) => TimesBody | null;
}

/** The next windows by the values that the form has now, and how many monitors it names (behavior 14.95). */
export function WindowPreview({ kind, timesIn }: Props) {
  const element = useRef<HTMLElement>(null);
  const data = useFormData(element);
  const times = data && timesIn(data);
  return (
    <section className="window-preview" ref={element} aria-labelledby="window-preview">
      <h2 id="window-preview">{kind === "once" ? "The window" : "The next windows"}</h2>
      {times ? <Windows times={times} /> : <p>Complete the times to see when this maintenance is.</p>}
      {data && <Count selector={selectorIn(data)} />}
    </section>
  );
}

function Windows({ times }: { times: TimesBody }) {
  const now = useClock((now) => now);
  const windows = windowsFrom(parsedTimes(times), now, MAX_WINDOWS);
  if (windows.length === 0) return <p>No window is left.</p>;
  return (
    <ol>
      {windows.map((window) => (
        <li key={window.startsAt}>
          <WindowText
            window={window}
            timezone={times.cron === null ? undefined : (times.timezone ?? "UTC")}
            now={now}
          />
        </li>
      ))}
    </ol>
  );
}

interface TextProps {
  window: Window;
  /** The zone of the cron expression; undefined for the reader's zone. */
  timezone: string | undefined;
  now: number;
}

/** In the zone of the cron expression, and in the reader's zone if it differs. */
function WindowText({ window, timezone, now }: TextProps) {
  const inOther = timezone !== undefined && !isInReadersTime(window, timezone);
  return (
    <>
      {describeWindow(window, { timeZone: timezone })}
      {inOther && ` ${timezone}`}
      <span className="text-muted">
        {" "}
        · {describeDistance(window, now)}
        {inOther && ` · your time: ${describeSpan(window)}`}
      </span>
    </>
  );
}

function Count({ selector }: { selector: ReturnType<typeof selectorIn> }) {
  const { data: count } = useQuery(selectedCountQuery(useSettled(selector)));
  if (count === undefined) return null;
  return (
    <p>
      {formatCount(count, "monitor")} {count === 1 ? "is" : "are"} affected now.
    </p>
  );
}
