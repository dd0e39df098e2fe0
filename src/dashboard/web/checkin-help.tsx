import { useState } from "react";
import type { Config, Report } from "./api.ts";
import { Fact } from "./facts.tsx";
import { Copyable } from "./parts.tsx";
import { Distance, Moment } from "./time.tsx";
import { rhythmWords } from "./words.ts";

const CURL = "curl -fsS -m 10 --retry 5 -o /dev/null";

/** How a job reports, ready to be copied. */
const ways = {
  curl: (url: string) => `${CURL} ${url}`,
  crontab: (url: string) =>
    `0 3 * * * if your-job; then ${CURL} ${url}; else ${CURL} '${url}?status=fail'; fi`,
  systemd: (url: string) => `ExecStartPost=/usr/bin/${CURL} ${url}`,
  PowerShell: (url: string) =>
    `Invoke-RestMethod -Uri ${url} -TimeoutSec 10 -MaximumRetryCount 5 -RetryIntervalSec 2`,
};

type Way = keyof typeof ways;

export function CheckinHelp({ report, config }: { report: Report; config: Config }) {
  const { checkinUrl, lastCheckinAt, learnedPeriod, deadline } = report;
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
        Call it when the job has run, with <code>?status=fail</code> when it has failed. Who knows it can
        check in.
      </p>
      <fieldset className="segments tabs">
        <legend className="unseen">Ready lines</legend>
        {(Object.keys(ways) as Way[]).map((one) => (
          <button key={one} type="button" aria-pressed={one === way} onClick={() => setWay(one)}>
            {one}
          </button>
        ))}
      </fieldset>
      <Copyable text={ways[way](checkinUrl)} label={`the line for ${way}`} />
    </section>
  );
}
