import { useState } from "react";
import type { Config, Report } from "../data/api.ts";
import { Copyable } from "../ui/clipboard.tsx";
import { Fact } from "../ui/fact.tsx";
import { Distance, Moment } from "../ui/time.tsx";
import { rhythmWords } from "./monitor-type.ts";

const CURL = "curl -fsS -m 10 --retry 5 -o /dev/null";

/** The shell's way to report how the job ended. */
const reportBy = (fine: string, url: string) =>
  `if ${fine}; then s=ok; else s=fail; fi; ${CURL} "${url}?status=$s"`;

/** How a job reports, ready to be copied. @param cron when it runs, where that is known */
const ways = {
  curl: (url: string) => `${CURL} ${url}`,
  crontab: (url: string, cron = "0 3 * * *") => `${cron} ${reportBy("your-job", url)}`,
  systemd: (url: string) => `ExecStopPost=/bin/sh -c '${reportBy('[ "$SERVICE_RESULT" = success ]', url)}'`,
  PowerShell: (url: string) =>
    `& your-job.exe; if ($LASTEXITCODE -eq 0) { $s = 'ok' } else { $s = 'fail' }; foreach ($wait in 1, 2, 4, 8, 16, 0) { try { Invoke-RestMethod -Uri "${url}?status=$s" -TimeoutSec 10; break } catch { Start-Sleep $wait } }`,
};

type Way = keyof typeof ways;

export function CheckinHelp({ report, config }: { report: Report; config: Config }) {
  const { checkinUrl, lastCheckinAt, learnedPeriod, deadline } = report;
  const cron = typeof config.cron === "string" ? config.cron : undefined;
  const [way, setWay] = useState<Way>("crontab");
  return (
    <section className="card" aria-labelledby="checkin">
      <h2 id="checkin">Checkin</h2>
      <dl className="facts">
        <Fact name="Rhythm">{rhythmWords(config, learnedPeriod)}</Fact>
        <Fact name="Last heard">
          {lastCheckinAt ? (
            <>
              <Distance to={lastCheckinAt} /> ago
            </>
          ) : (
            "never"
          )}
        </Fact>
        <Fact name="Late after">{deadline ? <Moment at={deadline} /> : "no deadline yet"}</Fact>
      </dl>
      <p className="label">Checkin URL</p>
      <Copyable text={checkinUrl} label="the checkin URL" />
      <p className="hint">
        Call it when the job has run, with <code>?status=fail</code> when it has failed. Anyone who knows it
        can check in.
      </p>
      <fieldset className="segments tabs">
        <legend className="unseen">Ready lines</legend>
        {(Object.keys(ways) as Way[]).map((one) => (
          <button key={one} type="button" aria-pressed={one === way} onClick={() => setWay(one)}>
            {one}
          </button>
        ))}
      </fieldset>
      <Copyable text={ways[way](checkinUrl, cron)} label={`the line for ${way}`} />
    </section>
  );
}
