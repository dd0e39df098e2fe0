import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { MAX_OUTPUT } from "../../../../domain/heartbeats/run-output.ts";
import { base } from "../../app/base.ts";
import { ApiError, api, getAnswer, type JobRun } from "../../data/api.ts";
import { queryKeys } from "../../data/query-keys.ts";
import { rich } from "../../languages/rich.tsx";
import { fill, texts } from "../../languages/texts.ts";
import { formatBytes } from "../../ui/bytes.ts";
import { Dialog, DialogActions, DialogButton } from "../../ui/dialog.tsx";
import { Failure } from "../../ui/filters.tsx";
import { usePages } from "../../ui/list.tsx";
import { formatNumber } from "../../ui/numbers.ts";
import { dateFormat } from "../../ui/time.tsx";

interface Props {
  monitorId: string;
  run: JobRun;
}

const timeFormat = dateFormat({ dateStyle: "medium", timeStyle: "medium" });

/** Shows the output of a run (behavior 18.63). */
export function OutputButton(props: Props) {
  const { startedAt, outputBytes } = props.run;
  const size = formatBytes(outputBytes);
  const { runs, output } = texts.monitors;
  return (
    <DialogButton
      label={rich(runs.output, { label: runLabel, size })}
      className="button-small"
      name={fill(output.open, { size, time: timeFormat.format(Date.parse(startedAt)) })}
    >
      {(onClose) => <OutputDialog {...props} onClose={onClose} />}
    </DialogButton>
  );
}

/** A part of a text in place of the column head, which a phone does not show. */
export function runLabel(text: string) {
  return <span className="run-label">{text}</span>;
}

/** Bytes of UTF-8: an output that was cut may be shorter by less than this. */
const MAX_CHARACTER = 4;

function OutputDialog({ monitorId, run, onClose }: Props & { onClose: () => void }) {
  const { data, error } = useQuery(outputQuery(monitorId, run));
  const { title, cut, download } = texts.monitors.output;
  return (
    <Dialog title={title} onClose={onClose}>
      <Failure error={error} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach what scrolls */}
      <section className="run-output" aria-label={title} aria-busy={data === undefined} tabIndex={0}>
        {data !== undefined && <Output text={data} />}
      </section>
      {run.outputBytes > MAX_OUTPUT - MAX_CHARACTER && (
        <p className="text-hint">{fill(cut, { size: formatBytes(MAX_OUTPUT) })}</p>
      )}
      <DialogActions close={null} onClose={onClose}>
        <a className="button" href={outputPath(monitorId, run.id)} download>
          {download}
        </a>
      </DialogActions>
    </Dialog>
  );
}

/** As text: nothing that a job prints becomes an element. */
function Output({ text }: { text: string }) {
  const parts = useMemo(() => terminalText(text), [text]);
  return (
    <pre dir="auto">
      {parts.map(({ text, className }, at) => (
        <span key={at} className={className}>
          {text}
        </span>
      ))}
    </pre>
  );
}

/** A part of an output in one style. */
interface Styled {
  text: string;
  /** Empty for the plain style. */
  className: string;
}

/**
 * The output of a job as a page can show it, whatever the job printed (behavior 18.64): colors and bold text of a terminal stay, its
 * other escape sequences are left out, and other invisible characters become visible.
 */
export function terminalText(output: string): Styled[] {
  const parts: Styled[] = [];
  let style = PLAIN;
  let end = 0;
  for (const sequence of output.matchAll(SEQUENCE)) {
    add(parts, output.slice(end, sequence.index), style);
    end = sequence.index + sequence[0].length;
    if (sequence[1] !== undefined) style = styleAfter(style, sequence[1]);
  }
  add(parts, output.slice(end), style);
  return parts;
}

/**
 * An escape sequence of a terminal (ECMA-48): one with parameters, whose group 1 has the numbers of a style; a string, such as a title or a
 * link; or a single one. Without an end on its line it is none, so that it hides nothing.
 */
const SEQUENCE = new RegExp(
  [
    String.raw`\x1b\[([\d;:]*)m`,
    String.raw`\x1b\[[0-?]*[ -/]*[@-~]`,
    String.raw`\x1b[\]PX^_][^\x07\x1b\n]*(?:\x07|\x1b\\)`,
    String.raw`\x1b[ -/]*[0-OQ-WYZ\\\x60-~]`,
  ].join("|"),
  "g",
);

interface Style {
  isBold: boolean;
  /** 0 to 7, as in the sequence; null for the color of the text. */
  color: number | null;
}

const PLAIN: Style = { isBold: false, color: null };

const COLORS = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];

/** How many parameters follow one that begins a color of 256, or of red, green and blue. They have no names here. */
const FOLLOWING: Record<number, number> = { 5: 1, 2: 3 };

/** @param parameters such as `1;31` */
function styleAfter(before: Style, parameters: string): Style {
  const codes = parameters.split(";");
  let style = before;
  for (let at = 0; at < codes.length; at++) {
    const code = Number(codes[at]);
    if (code === 0) style = PLAIN;
    else if (code === 1) style = { ...style, isBold: true };
    else if (code === 22) style = { ...style, isBold: false };
    else if (code === 39) style = { ...style, color: null };
    else if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97)) style = { ...style, color: code % 10 };
    else if (code === 38 || code === 48) {
      if (code === 38) style = { ...style, color: null };
      at += 1 + (FOLLOWING[Number(codes[at + 1])] ?? 0);
    }
  }
  return style;
}

function add(parts: Styled[], text: string, { isBold, color }: Style): void {
  if (text === "") return;
  const names = [isBold && "terminal-bold", color !== null && `terminal-${COLORS[color]}`];
  const className = names.filter(Boolean).join(" ");
  const last = parts.at(-1);
  const shown = visible(text);
  if (last?.className === className) last.text += shown;
  else parts.push({ text: shown, className });
}

/** Control characters except tabs and line feeds, and those that change the direction of a text, each with its repetitions. */
const INVISIBLE = /(?![\t\n])([\p{Cc}\p{Bidi_Control}])\1*/gu;

/** Where a terminal goes back to the start of its line, a new line begins here, so that nothing hides what was before it. */
function visible(text: string): string {
  return text.replace(/\r+\n?/g, "\n").replace(INVISIBLE, (run, character: string) => {
    const symbol = symbolOf(character.charCodeAt(0));
    return run.length === 1 ? symbol : `${symbol}×${formatNumber(run.length)} `;
  });
}

/** Such as `\x00` or `\u202e`. Fonts of many systems have no symbols for them. */
function symbolOf(code: number): string {
  const digits = code.toString(16);
  return code < 0x100 ? `\\x${digits.padStart(2, "0")}` : `\\u${digits.padStart(4, "0")}`;
}

/** Milliseconds. A start records no result, so that the change feed does not report it. */
const INTERVAL = 5000;

const PAGE = "10";

/** The runs of a job, latest first. @param isNeeded false for a monitor of another type, which has none */
export function useRuns(id: string, isNeeded: boolean) {
  return usePages<JobRun>({
    queryKey: queryKeys.runs(id),
    load: (query) => getAnswer(api.monitors({ id }).runs.get({ query: { limit: PAGE, ...query } })),
    every: INTERVAL,
    isNeeded,
  });
}

function outputPath(id: string, run: string): string {
  return `${base}/api/v1/monitors/${id}/runs/${run}/output`;
}

function outputQuery(id: string, { id: run, outputBytes }: JobRun) {
  return queryOptions({
    queryKey: queryKeys.runOutput(id, run, outputBytes),
    queryFn: async () => {
      const response = await fetch(outputPath(id, run));
      if (!response.ok) throw new ApiError(response.status, (await response.json()).error);
      return response.text();
    },
    placeholderData: keepPreviousData,
  });
}
