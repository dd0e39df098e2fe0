import { useQuery } from "@tanstack/react-query";
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { MonitorSummary } from "../data/api.ts";
import { foundMonitorsQuery } from "../data/monitor-search.ts";
import { useSettled } from "../data/use-settled.ts";

interface Options {
  /** IDs of monitors that are not offered. */
  without?: readonly string[];
  /** Whether the first monitors are offered before there is a text. */
  offersFirst?: boolean;
  /** Called by Enter with the first monitor that matches. */
  onChoose: (monitor: MonitorSummary) => void;
}

/**
 * A search for monitors on the server, after the reader has stopped typing. Enter chooses the first monitor, also if it is
 * pressed before the monitors are found.
 *
 * @returns `count` of all monitors that match, also of monitors that are not offered; undefined until it is known
 */
export function useMonitorSearch({ without = [], offersFirst = false, onChoose }: Options) {
  const [text, setText] = useState("");
  const [isEntered, setEntered] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const settled = useSettled(text);
  const isWanted = text.trim() !== "";
  const { data, isPlaceholderData, error } = useQuery({
    ...foundMonitorsQuery(settled, without),
    enabled: settled.trim() !== "" || offersFirst,
  });
  const isCurrent = settled === text && data !== undefined && !isPlaceholderData;
  const first = isCurrent ? data.found[0] : undefined;
  useEffect(() => {
    if (!isEntered || !isCurrent) return;
    setEntered(false);
    if (first && isWanted) onChoose(first);
  }, [isEntered, isCurrent, first, isWanted, onChoose]);
  const clear = () => {
    setText("");
    field.current?.focus();
  };
  const input = {
    ref: field,
    type: "search",
    value: text,
    autoComplete: "off",
    onInput(event: FormEvent<HTMLInputElement>) {
      // It is no field of the form.
      event.stopPropagation();
      setText(event.currentTarget.value);
      setEntered(false);
    },
    onKeyDown(event: KeyboardEvent) {
      if (event.key !== "Enter") return;
      // Otherwise, the browser would send the form.
      event.preventDefault();
      setEntered(true);
    },
  };
  const isShown = isWanted || offersFirst;
  return {
    text,
    input,
    clear,
    // While Enter waits for its monitor, another choice would clear the search.
    found: (isShown && !isEntered && data?.found.filter(({ id }) => !without.includes(id))) || [],
    count: isCurrent ? data.count : undefined,
    isNone: isWanted && isCurrent && data.found.length === 0,
    error,
  };
}
