import { useEffect, useRef } from "react";
import { kindById, type MonitorKind } from "../../../../domain/monitors/kind.ts";
import type { MonitorType } from "../../../../domain/monitors/monitor.ts";
import { NameField } from "../../form/fields.tsx";
import { useFormData } from "../../form/form.tsx";
import { textOf } from "../../form/form-values.ts";
import { completeUrl } from "./website-url.ts";

/** The name of a new monitor. It follows the target until the reader types another one. */
export function ProposedName({ kind }: { kind: MonitorKind }) {
  const element = useRef<HTMLDivElement>(null);
  const proposed = useRef("");
  const data = useFormData(element);
  useEffect(() => {
    const input = element.current?.querySelector("input");
    if (!input || !data || input.value !== proposed.current) return;
    proposed.current = nameFor(kindById(kind).type, data);
    input.value = proposed.current;
  }, [kind, data]);
  return (
    <div ref={element}>
      <NameField />
    </div>
  );
}

/** The longest name of a monitor. */
const MAX_NAME = 200;

/** A name from the target in a form. Empty without one. */
export function nameFor(type: MonitorType, data: FormData): string {
  return (names[type]?.(data) ?? "").slice(0, MAX_NAME);
}

const names: { [Type in MonitorType]?: (data: FormData) => string | undefined } = {
  HTTP: (data) => URL.parse(completeUrl(textOf(data, "config.url") ?? ""))?.hostname.replace(/^www\./, ""),
  TCP: (data) => {
    const [host, port] = ["config.host", "config.port"].map((name) => textOf(data, name));
    return host && port ? `${host}:${port}` : host;
  },
  TLS: (data) => textOf(data, "config.host"),
  DNS: (data) => textOf(data, "config.hostname"),
};
