import { useEffect, useRef } from "react";
import { kindById, type MonitorKind } from "../../../../domain/monitors/kinds/kinds.ts";
import type { MonitorType } from "../../../../domain/monitors/monitor.ts";
import { NameField } from "../../form/fields.tsx";
import { useFormData } from "../../form/form.tsx";
import { textOf } from "../../form/form-values.ts";

/** A URL without user name and password, and these. */
interface SplitUrl {
  url: string;
  user: string;
  password: string;
}

/** A host name or an IP address, with or without a port, and what may follow it. */
const HOST = /^(?:\[[\da-f:.]+\]|[^\s:/?#@[\]]+)(?::\d+)?(?:[/?#]|$)/i;

/** Adds `https://` to a text that begins with a host, such as `example.com/shop`. */
export function completeUrl(text: string): string {
  return HOST.test(text.replace(USER_INFO, "")) ? `https://${text}` : text;
}

const USER_INFO = /^[^\s/?#@]+:[^\s/?#@]*@/;

/** The user and the password of a URL, which are fields of their own in a config. */
export function splitUrl(text: string): SplitUrl {
  const url = URL.parse(text);
  if (!url || (url.username === "" && url.password === "")) return { url: text, user: "", password: "" };
  const [user, password] = [decoded(url.username), decoded(url.password)];
  url.username = "";
  url.password = "";
  return { url: url.href, user, password };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

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
  const name = names[type]?.(data) ?? textOf(data, "config.host") ?? "";
  return name.slice(0, MAX_NAME);
}

const names: { [Type in MonitorType]?: (data: FormData) => string | undefined } = {
  HTTP: (data) => URL.parse(completeUrl(textOf(data, "config.url") ?? ""))?.hostname.replace(/^www\./, ""),
  TCP: (data) => {
    const [host, port] = ["config.host", "config.port"].map((name) => textOf(data, name));
    return host && port ? `${host}:${port}` : host;
  },
  DNS: (data) => textOf(data, "config.hostname"),
};
