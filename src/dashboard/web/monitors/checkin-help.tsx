import { useState } from "react";
import { useSearchParams } from "wouter";
import { hasLatency } from "../../../domain/monitors/kinds/kinds.ts";
import { RANGES, type ReportRange } from "../../../domain/results/range.ts";
import type { Config, Monitor, Report } from "../data/api.ts";
import { rich } from "../languages/rich.tsx";
import { fill, texts } from "../languages/texts.ts";
import { HistoryBar } from "../status/status-bars.tsx";
import { describeSchedule } from "../status/target.ts";
import { Card, Fact } from "../ui/card.tsx";
import { CopyableText } from "../ui/clipboard.tsx";
import { Segments } from "../ui/filters.tsx";
import { percentOrDash } from "../ui/numbers.ts";
import { Time, TimeSince } from "../ui/time.tsx";
import { LatencySection } from "./latency/latency-section.tsx";

/** The check-ins of a job, and how the job can send them. */
export function CheckinHelp({ report, config }: { report: Report; config: Config }) {
  const { checkinUrl, lastCheckinAt, learnedPeriod, deadline } = report;
  const cron = typeof config.cron === "string" ? config.cron : undefined;
  const [scheduler, setScheduler] = useState<Scheduler>("cron");
  const words = texts.monitors.checkin;
  return (
    <Card id="checkin" title={words.title}>
      <dl className="facts">
        <Fact name={words.schedule}>{describeSchedule(config, learnedPeriod)}</Fact>
        <Fact name={words.last}>
          {lastCheckinAt ? rich(words.ago, { duration: <TimeSince at={lastCheckinAt} /> }) : words.never}
        </Fact>
        <Fact name={words.deadline}>{deadline ? <Time at={deadline} /> : words.noDeadline}</Fact>
      </dl>
      <p className="checkin-label">{words.url}</p>
      <CopyableText text={checkinUrl} label={words.copyUrl} />
      <p className="text-hint">{rich(words.hint, { parameter: <code>?status=fail</code> })}</p>
      <fieldset className="segments checkin-tabs">
        <legend className="visually-hidden">{words.commands}</legend>
        {SCHEDULERS.map((one) => (
          <button key={one} type="button" aria-pressed={one === scheduler} onClick={() => setScheduler(one)}>
            {one}
          </button>
        ))}
      </fieldset>
      {commandsOf(scheduler, checkinUrl, cron).map(({ by, text }) => (
        <div key={by} className="checkin-command">
          <p>
            {by === STILLUP_RUN
              ? rich(words.withStillup, { program: <code>{by}</code>, hint: textHint })
              : rich(words.with, { program: <code>{by}</code> })}
          </p>
          <CopyableText text={text} label={fill(words.copyCommand, { program: by })} />
        </div>
      ))}
    </Card>
  );
}

function textHint(text: string) {
  return <span className="text-hint">{text}</span>;
}

/** A command that runs a job and reports its start, its end and its exit code. */
interface JobCommand {
  /** The program that reports. */
  by: string;
  text: string;
}

const CURL = "curl -fsS -m 10 -o /dev/null";

const STILLUP_RUN = "stillup run";

/** Also for a shell that exits at the first failure, as GitHub Actions has. */
const curlScript = (url: string) => [
  `c="${CURL}"`,
  `$c ${url}/start || true`,
  "e=0; your-job || e=$?",
  `$c --retry 5 ${url}/$e || true`,
  "exit $e",
];

const indented = (lines: readonly string[], by: string) => lines.map((line) => by + line).join("\n");

interface Job {
  url: string;
  /** The schedule of the job, if it is known. */
  cron: string;
}

const commands = {
  cron: ({ url, cron }: Job) => ({
    stillup: `${cron} stillup run --url ${url} -- your-job`,
    curl: `${cron} c="${CURL}"; $c ${url}/start; your-job; $c --retry 5 ${url}/$?`,
  }),
  systemd: ({ url }: Job) => ({
    stillup: `ExecStart=stillup run --url ${url} -- your-job`,
    curl: [
      `ExecStartPre=-${CURL} ${url}/start`,
      "ExecStart=your-job",
      `ExecStopPost=/bin/sh -c '[ "$EXIT_CODE" = exited ] && e=$EXIT_STATUS || e=fail; ${CURL} --retry 5 ${url}/$e'`,
    ].join("\n"),
  }),
  Kubernetes: ({ url }: Job) => ({
    stillup: `command: ["stillup", "run", "--url", "${url}", "--", "your-job"]`,
    curl: `command: ["/bin/sh", "-c"]\nargs:\n  - |\n${indented(curlScript(url), "    ")}`,
  }),
  "GitHub Actions": ({ url }: Job) => ({
    stillup: `# The secret CHECKIN_URL: ${url}\n- run: stillup run --url \${{ secrets.CHECKIN_URL }} -- your-job`,
    curl: `# The secret CHECKIN_URL: ${url}\n- env:\n    CHECKIN: \${{ secrets.CHECKIN_URL }}\n  run: |\n${indented(curlScript("$CHECKIN"), "    ")}`,
  }),
  Windows: ({ url }: Job) => ({
    PowerShell: `$url = '${url}'
function Report($what, $waits = 0) {
  foreach ($wait in $waits) {
    try { Invoke-RestMethod "$url/$what" -TimeoutSec 10 | Out-Null; break } catch { Start-Sleep $wait }
  }
}
Report start
& your-job.exe
Report $(if ($LASTEXITCODE -in 0..255) { $LASTEXITCODE } else { 'fail' }) (1, 2, 4, 8, 16, 0)`,
  }),
  Python: ({ url }: Job) => ({
    stillup: `stillup run --url ${url} -- python3 your-job.py`,
    Python: `import urllib.request

def report(what):
    try:
        urllib.request.urlopen("${url}/" + what, timeout=10).close()
    except OSError as error:
        print(error)

report("start")
try:
    your_job()
except BaseException:
    report("fail")
    raise
report("0")`,
  }),
} satisfies Record<string, (job: Job) => Record<string, string>>;

/** A program that starts jobs. */
type Scheduler = keyof typeof commands;

export const SCHEDULERS = Object.keys(commands) as Scheduler[];

/** Ready-made commands of a job, `stillup run` first (behavior 18.67). @param url of its check-ins */
export function commandsOf(scheduler: Scheduler, url: string, cron = "0 3 * * *"): JobCommand[] {
  return Object.entries(commands[scheduler]({ url, cron })).map(([program, text]) =>
    program === "stillup" ? { by: STILLUP_RUN, text } : { by: program, text },
  );
}

/** A range up to now, or a time that the reader selected; ISO 8601. @property to without it, until now */
export type Shown = { range: ReportRange } | { from: string; to?: string };

const REPORT_RANGES = ["1h", "6h", ...RANGES] as const;

/** A shorter time shows too little; milliseconds. */
const SHORTEST = 5 * 60_000;

interface Props {
  monitor: Monitor;
  shown: Shown;
  /** Undefined while it is loaded. */
  report: Report | undefined;
  onRange: (range: ReportRange) => void;
}

const HOUR = 3_600_000;

/** The range that a reader sees first: of a new monitor, no more than it has. @param now milliseconds since 1970 */
export function firstRange(createdAt: string, now: number): ReportRange {
  const age = now - Date.parse(createdAt);
  if (age < HOUR) return "1h";
  return age < 6 * HOUR ? "6h" : "1d";
}

/** The history and the latencies. A selected time is in the address, so that it can be shared, and live updates keep it. */
export function HistoryCard({ monitor: { id, type, createdAt }, shown, report, onRange }: Props) {
  const [, setParams] = useSearchParams();
  const select = (time: { from: number; to: number } | null) =>
    setParams(
      (before) => {
        for (const [name, value] of Object.entries(time ? widened(time) : { from: null, to: null })) {
          if (value) before.set(name, value);
          else before.delete(name);
        }
        return before;
      },
      { replace: true },
    );
  const openBar = (at: number) => {
    const [from, to] = [at, at + 1].map((index) =>
      Date.parse(report?.buckets[index] ?? report?.stretch.to ?? ""),
    );
    select({ from: from ?? 0, to: to ?? 0 });
  };
  const isRange = "range" in shown;
  const words = texts.monitors.history;
  const { legend, short, names } = texts.ui.range;
  return (
    <Card
      id="history"
      title={hasLatency(type) ? words.titleWithLatency : words.title}
      aside={
        <Segments
          legend={legend}
          value={isRange ? shown.range : ""}
          options={REPORT_RANGES.map((range) => ({ value: range, label: short[range], name: names[range] }))}
          onChange={(range) => {
            onRange(range);
            if (!isRange) select(null);
          }}
        />
      }
    >
      {!isRange && report && (
        <p className="history-selected">
          <span>
            {rich(words.selected, {
              from: <Time at={report.stretch.from} only="minute" />,
              to: <Time at={report.stretch.to} only="minute" />,
            })}
          </span>
          <button type="button" className="button-small" onClick={() => select(null)}>
            {words.resetZoom}
          </button>
        </p>
      )}
      {report && (
        <div className={hasLatency(type) ? "history-body" : "history-body history-body-low"}>
          <div className="history-charts">
            <HistoryBar
              type={type}
              history={report.history}
              buckets={report.buckets}
              focusable
              onOpen={openBar}
              {...(hasLatency(type) && { latencies: latenciesOf(report) })}
            />
            <LatencySection id={id} type={type} createdAt={createdAt} report={report} onZoom={select} />
          </div>
          <dl className="uptimes" aria-label={words.uptimes}>
            {RANGES.map((range) => (
              <div key={range}>
                <dt>{fill(words.uptime, { range: names[range] })}</dt>
                <dd>{percentOrDash(report.uptime[range])}</dd>
              </div>
            ))}
          </dl>
        </div>
      )}
    </Card>
  );
}

/** The mean latency of each bucket of the history; null without one. */
export function latenciesOf({
  buckets,
  latencies,
}: Pick<Report, "buckets" | "latencies">): (number | null)[] {
  const ends = [...buckets.slice(1), "9999"];
  let at = 0;
  return ends.map((end) => {
    const inside: number[] = [];
    for (; (latencies[at]?.start ?? end) < end; at++) inside.push(latencies[at]?.mean ?? 0);
    return inside.length === 0 ? null : inside.reduce((sum, one) => sum + one, 0) / inside.length;
  });
}

function widened({ from, to }: { from: number; to: number }): { from: string; to: string } {
  const missing = Math.max(0, SHORTEST - (to - from)) / 2;
  const iso = (time: number) => new Date(Math.round(time)).toISOString();
  return { from: iso(from - missing), to: iso(to + missing) };
}
