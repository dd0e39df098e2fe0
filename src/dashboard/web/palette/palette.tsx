import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { useLocation } from "wouter";
import { displayStateOf } from "../../../domain/monitors/display-state.ts";
import { base } from "../app/base.ts";
import { menuViews } from "../app/menu.tsx";
import { useHasRole, useSession } from "../app/session.tsx";
import { chooseTheme, THEMES } from "../app/theme.ts";
import type { MonitorSummary } from "../data/api.ts";
import { foundMonitorsQuery } from "../data/monitor-search.ts";
import { useSettled } from "../data/use-settled.ts";
import { locale } from "../languages/locale.ts";
import { texts } from "../languages/texts.ts";
import { monitorStatusLabel, StatusMark } from "../status/status-mark.tsx";
import { describeError } from "../ui/filters.tsx";

/** Goes to any view and any monitor, and runs actions, by their names. */
export function Palette({ onClose }: { onClose: () => void }) {
  const [, navigate] = useLocation();
  const [text, setText] = useState("");
  const [active, setActive] = useState(0);
  const dialog = useRef<HTMLDialogElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const { options, status } = useOptions(text);
  useEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: "nearest" });
  }, [active]);
  const choose = (option: Option | undefined) => {
    if (!option) return;
    onClose();
    if (typeof option.to === "string") navigate(option.to);
    else option.to();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined && event.key !== "Enter") return;
    event.preventDefault();
    if (step === undefined) choose(options[active]);
    else if (options.length > 0) setActive((active + step + options.length) % options.length);
  };
  const optionId = (at: number) => `${id}-${at}`;
  return (
    <dialog ref={dialog} className="palette" aria-label={texts.palette.label} onClose={onClose}>
      <input
        type="search"
        role="combobox"
        aria-label={texts.palette.field}
        placeholder={texts.palette.placeholder}
        aria-expanded
        aria-autocomplete="list"
        aria-controls={id}
        aria-activedescendant={options.length > 0 ? optionId(active) : undefined}
        autoComplete="off"
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div ref={list} id={id} role="listbox" aria-label={texts.palette.found} className="palette-found">
        {options.map((option, at) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above handles the keys
          // biome-ignore lint/a11y/useFocusableInteractive: the field above keeps the focus
          <div
            key={option.key}
            id={optionId(at)}
            role="option"
            aria-selected={at === active}
            onClick={() => choose(option)}
            onPointerMove={() => setActive(at)}
          >
            {option.monitor && <StatusMark state={displayStateOf(option.monitor)} size={14} />}
            <bdi>{option.label}</bdi>
            <span className="text-muted">{option.note}</span>
          </div>
        ))}
      </div>
      <p role="status" className="text-hint">
        {status}
      </p>
    </dialog>
  );
}

interface Option extends Pick<Command, "label" | "to"> {
  key: string;
  /** Shown after the label. */
  note: string;
  monitor?: MonitorSummary;
}

/** The options for a text: monitors first, once the server has found them. */
function useOptions(text: string): { options: Option[]; status: string } {
  const mayWrite = useHasRole("admin");
  const isPerson = useSession()?.personId !== undefined;
  const settled = useSettled(text.trim());
  const { data, error } = useQuery({
    ...foundMonitorsQuery(settled, [], "trouble"),
    enabled: settled !== "",
  });
  const commands = matching(commandsFor({ mayWrite, isPerson }), text).map(
    ({ kind, ...command }): Option => ({
      ...command,
      key: `${kind} ${command.label}`,
      note: texts.palette.kinds[kind],
    }),
  );
  const isFound = text.trim() !== "" && settled !== "";
  const monitors = (isFound && data?.found.map(optionOf)) || [];
  const options = [...monitors, ...commands];
  if (error) return { options, status: describeError(error) };
  return {
    options,
    status: options.length === 0 && settled === text.trim() && data ? texts.palette.nothing : "",
  };
}

function optionOf(monitor: MonitorSummary): Option {
  const { id, name } = monitor;
  return { key: id, label: name, to: `/monitors/${id}`, note: monitorStatusLabel(monitor), monitor };
}

/** An entry of the palette beside monitors: a view, or an action. */
interface Command {
  label: string;
  kind: keyof typeof texts.palette.kinds;
  /** The path of a view of the page, or what is done. */
  to: string | (() => void);
}

/** @property mayWrite whether the reader may create things @property isPerson whether the reader has a profile */
export function commandsFor({ mayWrite, isPerson }: { mayWrite: boolean; isPerson: boolean }): Command[] {
  const { views, actions, themes } = texts.palette;
  const creation: Command[] = [
    { label: actions.newMonitor, kind: "action", to: "/monitors/new" },
    { label: actions.newChannel, kind: "action", to: "/channels/new" },
    { label: actions.newMaintenance, kind: "action", to: "/maintenances/new" },
  ];
  return [
    ...menuViews.map(
      ({ path, name }): Command => ({
        label: texts.app.menu.views[name],
        kind: "view",
        to: path === "/wall" ? () => location.assign(base + path) : path,
      }),
    ),
    { label: views.hindsight, kind: "view", to: "/hindsight" },
    ...(isPerson ? [{ label: views.profile, kind: "view", to: "/profile" } as const] : []),
    ...(mayWrite ? creation : []),
    ...THEMES.map(
      (theme): Command => ({
        label: themes[theme],
        kind: "action",
        to: () => chooseTheme(theme),
      }),
    ),
  ];
}

/** The commands that have all words of a text in their label, in any order. An empty text has no words. */
export function matching(commands: readonly Command[], text: string): Command[] {
  const words = lowered(text).split(/\s+/).filter(Boolean);
  return commands.filter(({ label }) => words.every((word) => lowered(label).includes(word)));
}

/** Turkish has other pairs of letters. */
function lowered(text: string): string {
  return text.toLocaleLowerCase(locale);
}
