import { formatRunTime } from "../../../../domain/heartbeats/run-words.ts";
import type { JobRun } from "../../data/api.ts";
import { StatusMark } from "../../status/status-mark.tsx";
import { Time, useClock } from "../../ui/time.tsx";
import { OutputButton } from "./run-output.tsx";
import { lengthOf, outcomes } from "./run-words.ts";

interface Props {
  monitorId: string;
  run: JobRun;
  /** The length of the longest run of the list, in milliseconds. */
  longest: number;
}

/** The form of the IDs that `stillup run` makes, in which a reader sees nothing. */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** One run, with a bar for its length. */
export function RunRow({ monitorId, run, longest }: Props) {
  const { rid, startedAt, outcome, exitCode, outputBytes } = run;
  const { label, state, effect } = outcomes[outcome];
  return (
    <tr className="run-row">
      <td className="run-start">
        <Time at={startedAt} />
        {rid !== null && !UUID.test(rid) && <code className="run-id">{rid}</code>}
      </td>
      <td title={effect}>
        <span className="status-cell">
          <StatusMark state={state} size={13} />
          {label}
        </span>
      </td>
      <td className="table-number">
        {exitCode !== null && (
          <>
            <span className="run-label">exit code </span>
            {exitCode}
          </>
        )}
      </td>
      <td>{outputBytes > 0 && <OutputButton monitorId={monitorId} run={run} />}</td>
      <td className="table-detail">
        <Length run={run} longest={longest} />
      </td>
    </tr>
  );
}

function Length({ run, longest }: Omit<Props, "monitorId">) {
  const length = useClock((now) => lengthOf(run, now));
  if (length === null) return "–";
  return (
    <div className="run-length">
      <span>{formatRunTime(length)}</span>
      <svg
        className={`run-bar run-bar-${run.outcome}`}
        viewBox="0 0 100 8"
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <rect width={Math.max(0.5, (100 * length) / longest)} height="8" />
      </svg>
    </div>
  );
}
