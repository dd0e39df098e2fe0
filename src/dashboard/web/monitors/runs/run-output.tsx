import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { MAX_OUTPUT } from "../../../../domain/heartbeats/run-output.ts";
import type { JobRun } from "../../data/api.ts";
import { formatBytes } from "../../server/format-bytes.ts";
import { Dialog, DialogActions, DialogButton } from "../../ui/dialog.tsx";
import { Failure } from "../../ui/failure.tsx";
import { dateFormat } from "../../ui/time.tsx";
import { outputPath, outputQuery } from "./run-queries.ts";
import { terminalText } from "./terminal-text.ts";

interface Props {
  monitorId: string;
  run: JobRun;
}

const timeFormat = dateFormat({ dateStyle: "medium", timeStyle: "medium" });

/** Shows the output of a run (behavior 18.63). */
export function OutputButton(props: Props) {
  const { startedAt, outputBytes } = props.run;
  const size = formatBytes(outputBytes);
  return (
    <DialogButton
      label={
        <>
          <span className="run-label">Output, </span>
          {size}
        </>
      }
      className="button-small"
      name={`Output, ${size}, of the run of ${timeFormat.format(Date.parse(startedAt))}`}
    >
      {(onClose) => <OutputDialog {...props} onClose={onClose} />}
    </DialogButton>
  );
}

/** Bytes of UTF-8: an output that was cut may be shorter by less than this. */
const MAX_CHARACTER = 4;

function OutputDialog({ monitorId, run, onClose }: Props & { onClose: () => void }) {
  const { data, error } = useQuery(outputQuery(monitorId, run));
  return (
    <Dialog title="Output" onClose={onClose}>
      <Failure error={error} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach what scrolls */}
      <section className="run-output" aria-label="Output" aria-busy={data === undefined} tabIndex={0}>
        {data !== undefined && <Output text={data} />}
      </section>
      {run.outputBytes > MAX_OUTPUT - MAX_CHARACTER && (
        <p className="text-hint">It may be longer: {formatBytes(MAX_OUTPUT)} of an output are kept.</p>
      )}
      <DialogActions close="Close" onClose={onClose}>
        <a className="button" href={outputPath(monitorId, run.id)} download>
          Download
        </a>
      </DialogActions>
    </Dialog>
  );
}

/** As text: nothing that a job prints becomes an element. */
function Output({ text }: { text: string }) {
  const parts = useMemo(() => terminalText(text), [text]);
  return (
    <pre>
      {parts.map(({ text, className }, at) => (
        <span key={at} className={className}>
          {text}
        </span>
      ))}
    </pre>
  );
}
