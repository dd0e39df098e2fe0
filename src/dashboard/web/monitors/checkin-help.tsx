import { useState } from "react";
import { describeSchedule } from "../../../domain/monitors/target.ts";
import type { Config, Report } from "../data/api.ts";
import { Card, Fact } from "../ui/card.tsx";
import { CopyableText } from "../ui/clipboard.tsx";
import { Time, TimeSince } from "../ui/time.tsx";

/** The check-ins of a job, and how the job can send them. */
export function CheckinHelp({ report, config }: { report: Report; config: Config }) {
  const { checkinUrl, lastCheckinAt, learnedPeriod, deadline } = report;
  const cron = typeof config.cron === "string" ? config.cron : undefined;
  const [tool, setTool] = useState<Tool>("crontab");
  return (
    <Card id="checkin" title="Check-in">
      <dl className="facts">
        <Fact name="Schedule">{describeSchedule(config, learnedPeriod)}</Fact>
        <Fact name="Last check-in">
          {lastCheckinAt ? (
            <>
              <TimeSince at={lastCheckinAt} /> ago
            </>
          ) : (
            "never"
          )}
        </Fact>
        <Fact name="Deadline">{deadline ? <Time at={deadline} /> : "none yet"}</Fact>
      </dl>
      <p className="checkin-label">Check-in URL</p>
      <CopyableText text={checkinUrl} label="the check-in URL" />
      <p className="text-hint">
        Call it after each run of the job, with <code>?status=fail</code> if the job failed. Anyone who knows
        the URL can check in.
      </p>
      <fieldset className="segments checkin-tabs">
        <legend className="visually-hidden">Commands</legend>
        {TOOLS.map((one) => (
          <button key={one} type="button" aria-pressed={one === tool} onClick={() => setTool(one)}>
            {one}
          </button>
        ))}
      </fieldset>
      <CopyableText text={snippets[tool](checkinUrl, cron)} label={`the command for ${tool}`} />
    </Card>
  );
}

const CURL = "curl -fsS -m 10 --retry 5 -o /dev/null";

/** A shell command that checks in with the outcome of a job. @param succeeded a condition in the shell */
const reportCommand = (succeeded: string, url: string) =>
  `if ${succeeded}; then s=ok; else s=fail; fi; ${CURL} "${url}?status=$s"`;

/** Ready-made commands that check in. @param cron the schedule of the job, if known */
const snippets = {
  curl: (url: string) => `${CURL} ${url}`,
  crontab: (url: string, cron = "0 3 * * *") => `${cron} ${reportCommand("your-job", url)}`,
  systemd: (url: string) =>
    `ExecStopPost=/bin/sh -c '${reportCommand('[ "$SERVICE_RESULT" = success ]', url)}'`,
  PowerShell: (url: string) =>
    `& your-job.exe; if ($LASTEXITCODE -eq 0) { $s = 'ok' } else { $s = 'fail' }; foreach ($wait in 1, 2, 4, 8, 16, 0) { try { Invoke-RestMethod -Uri "${url}?status=$s" -TimeoutSec 10; break } catch { Start-Sleep $wait } }`,
};

type Tool = keyof typeof snippets;
const TOOLS = Object.keys(snippets) as Tool[];
