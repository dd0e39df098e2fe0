import { useEffect, useRef, useState } from "react";
import { statusWords } from "../../../domain/checks/status-phrases.ts";
import { displayStateOfStatus } from "../../../domain/monitors/display-state.ts";
import { kindById, type MonitorKind } from "../../../domain/monitors/kinds/kinds.ts";
import type { ProbedType } from "../../../domain/monitors/monitor.ts";
import { api, type CheckPreview, type Config, getData, type Monitor } from "../data/api.ts";
import { reportChange, useForm } from "../form/form.tsx";
import { fill, texts } from "../languages/texts.ts";
import { describeDetail, listOfAll } from "../status/result-detail.ts";
import { StatusMark } from "../status/status-mark.tsx";
import { hasSteps, StepTable } from "../status/step-table.tsx";
import { isUnfollowedRedirect, redirectsField } from "../status/unfollowed-redirect.ts";
import { Fact } from "../ui/card.tsx";
import { formatLatency } from "../ui/durations.ts";
import { configOf } from "./config/config-values.ts";

/** @property shown the config that the form shows @property monitor whose secrets the form may keep */
interface Props {
  kind: MonitorKind;
  shown: Config;
  monitor: Monitor | undefined;
}

/** Checks the values in the form before they are saved. */
export function CheckNow({ kind, shown, monitor }: Props) {
  const [busy, setBusy] = useState(false);
  const [preview, setPreview] = useState<CheckPreview | null>(null);
  const { attempt } = useForm();
  const button = useRef<HTMLButtonElement>(null);
  /** Counts the values of the form. */
  const version = useRef(0);
  useEffect(() => {
    // A result, also one that comes later, is about the previous values of the form.
    const form = button.current?.form;
    const forget = () => {
      version.current++;
      setPreview(null);
    };
    for (const type of ["input", "change"]) form?.addEventListener(type, forget);
    return () => {
      for (const type of ["input", "change"]) form?.removeEventListener(type, forget);
    };
  }, []);
  const check = async (data: FormData) => {
    setBusy(true);
    setPreview(null);
    const config = configOf(kind, data, shown);
    const type = kindById(kind).type as ProbedType;
    const checked = version.current;
    try {
      const result = await getData(
        api.probe.post({ type, config, ...(monitor && { monitorId: monitor.id }) }),
      );
      if (version.current === checked) setPreview(result);
    } finally {
      setBusy(false);
    }
  };
  const words = texts.monitorForm.checkNow;
  return (
    <div className="action-outcome">
      <button ref={button} type="button" disabled={busy} onClick={() => attempt(check, "config.")}>
        {busy ? words.checking : words.button}
      </button>
      <div role="status">
        {preview && (
          <p className="check-now-preview">
            <StatusMark state={displayStateOfStatus(preview.status)} />
            <b>{texts.status.label[preview.status]}</b>
            {preview.latencyMs !== null && <span>{formatLatency(preview.latencyMs)}</span>}
            <span className="text-muted">{describePreview(preview)}</span>
          </p>
        )}
      </div>
      {isUnfollowedRedirect(preview?.detail) && (
        <button
          type="button"
          onClick={({ currentTarget }) => {
            followRedirects(currentTarget.form, redirectsField(preview?.detail));
            void attempt(check, "config.");
          }}
        >
          {words.followRedirects}
        </button>
      )}
      {preview?.detail && hasSteps(preview.detail) && <StepTable detail={preview.detail} />}
      {preview?.answer && <CheckedAnswer answer={preview.answer} />}
    </div>
  );
}

/** As many as a new monitor is offered. @param name of the field */
function followRedirects(form: HTMLFormElement | null, name: string): void {
  const field = form?.elements.namedItem(name);
  if (!(field instanceof HTMLInputElement)) return;
  field.value = "5";
  reportChange(field);
}

function describePreview({ detail, failedExpectation }: CheckPreview): string {
  if (failedExpectation === null) return describeFound(detail);
  return fill(texts.monitorForm.checkNow.failedExpectation, { expectation: failedExpectation });
}

function describeFound(detail: Config | null): string {
  const reason = describeDetail(detail);
  if (reason) return reason;
  if (detail && Array.isArray(detail.values)) return listOfAll(detail, "values");
  const { validUntil, answeredWith } = texts.monitorForm.checkNow;
  if (typeof detail?.validTo === "string") return fill(validUntil, { day: detail.validTo.slice(0, 10) });
  const code = detail?.statusCode;
  return typeof code === "number" ? fill(answeredWith, { code: String(code) }) : "";
}

type Answer = NonNullable<CheckPreview["answer"]>;

/** The answer of a server to a check that is not stored. */
function CheckedAnswer({ answer }: { answer: Answer }) {
  const { statusCode, durationMs, isPrivate } = answer;
  const words = texts.monitorForm.answer;
  return (
    <section className="checked-answer" aria-label={words.label}>
      <dl className="facts">
        <Fact name={words.status}>{statusWords(statusCode)}</Fact>
        <Fact name={words.duration}>{formatLatency(durationMs)}</Fact>
      </dl>
      {!isPrivate && <Content answer={answer} />}
      <p className="text-hint">
        {isPrivate && `${words.isPrivate} `}
        {words.notStored}
      </p>
    </section>
  );
}

function Content({ answer: { headers, body, isBodyCut } }: { answer: Answer }) {
  const words = texts.monitorForm.answer;
  return (
    <>
      <details open>
        <summary>{fill(words.headers, { count: headers.length })}</summary>
        <pre>{headers.map(({ name, value }) => `${name}: ${value}`).join("\n")}</pre>
      </details>
      <details open>
        <summary>{isBodyCut ? words.bodyStart : words.body}</summary>
        <pre>{describeBody(body)}</pre>
      </details>
    </>
  );
}

function describeBody(body: string | null): string {
  const { bodyUnreadable, bodyEmpty } = texts.monitorForm.answer;
  if (body === null) return bodyUnreadable;
  return body === "" ? bodyEmpty : body;
}
