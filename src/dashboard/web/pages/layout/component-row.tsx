import type { MonitorType } from "../../../../domain/monitors/monitor.ts";
import type { Status } from "../../../../domain/monitors/status.ts";
import { useForm } from "../../form/form.tsx";
import { monitorTypeLabels } from "../../monitor/monitor-types.ts";
import { LayoutRow } from "./layout-row.tsx";
import type { ComponentEntry } from "./page-layout.ts";
import type { LayoutActions } from "./use-layout-actions.ts";

export interface KnownMonitor {
  id: string;
  name: string;
  type: MonitorType;
  tags: readonly string[];
  enabled: boolean;
  status: Status;
  maintenance: object | null;
}

interface Props {
  component: ComponentEntry;
  /** In the list of all components, which the API calls `components`. */
  position: number;
  /** Undefined if it was deleted meanwhile. */
  monitor: KnownMonitor | undefined;
  actions: LayoutActions;
  onRename: (key: string, name: string) => void;
}

export function ComponentRow({ component: { key, name }, position, monitor, actions, onRename }: Props) {
  const field = `components.${position}.name`;
  const error = useForm().errors[field];
  const own = monitor?.name ?? "Deleted monitor";
  return (
    <LayoutRow rowKey={key} name={name.trim() || own} actions={actions} removal="Remove">
      <input
        name={field}
        value={name}
        placeholder={own}
        aria-label={`Name of ${own} on the page`}
        {...(error && { "aria-invalid": true, "aria-describedby": `${field}-error` })}
        onInput={({ currentTarget }) => onRename(key, currentTarget.value)}
        autoComplete="off"
      />
      {error && (
        <p className="field-error" id={`${field}-error`} role="alert">
          {error}
        </p>
      )}
      <p className="text-hint text-wrap">
        {own}
        {monitor && ` · ${monitorTypeLabels[monitor.type].name}`}
      </p>
    </LayoutRow>
  );
}
