import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Selector } from "../../../domain/monitors/selector.ts";
import { api, getData, type Maintenance, type Monitor } from "../data/api.ts";
import { changedByMaintenance, queryKeys } from "../data/query-keys.ts";
import { useChange } from "../data/use-change.ts";
import { textOf, timeIn } from "../form/field-errors.ts";
import { NameField, TimeField } from "../form/fields.tsx";
import { Form, FormFailure, SubmitButton } from "../form/form.tsx";
import { pageFault } from "../form/page-fault.ts";
import { named } from "../languages/rich.tsx";
import { fill, texts } from "../languages/texts.ts";
import { Dialog, DialogActions } from "../ui/dialog.tsx";
import { Failure, useAction } from "../ui/filters.tsx";
import { Menu } from "../ui/menu.tsx";
import { dateFormat } from "../ui/time.tsx";

const HOUR = 3_600_000;

/** Mutes a monitor: a maintenance of it alone, which begins now (behavior 16.252). */
export function MuteMenu({ monitor }: { monitor: Monitor }) {
  const own = useOwnWindow(monitor);
  const { mute, end } = useMute(monitor, own);
  const { error, run } = useAction();
  const [isOpen, setOpen] = useState(false);
  const morning = nextMorning(Date.now());
  const words = texts.monitors.mute;
  const until = (at: number) => () => run(() => mute({ endsAt: new Date(at).toISOString() }));
  return (
    <>
      <Failure error={error} />
      <Menu
        label={monitor.maintenance ? words.menuMuted : words.menu}
        items={[
          ...(own ? [{ label: words.endNow, onSelect: () => run(end) }] : []),
          { label: words.forAnHour, onSelect: () => until(Date.now() + HOUR)() },
          { label: morning.label, onSelect: until(morning.at) },
          { label: words.asLongAs, onSelect: () => setOpen(true) },
        ]}
      />
      {isOpen && <MuteDialog name={monitor.name} own={own} onMute={mute} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Ends the present window of a monitor, if it is of this monitor alone. */
export function EndMute({ monitor }: { monitor: Monitor }) {
  const own = useOwnWindow(monitor);
  const { end } = useMute(monitor, own);
  const { error, busy, run } = useAction();
  if (!own) return null;
  return (
    <>
      <button type="button" className="button-small" aria-disabled={busy} onClick={() => run(end)}>
        {texts.monitors.mute.end}
      </button>
      <Failure error={error} />
    </>
  );
}

interface DialogProps {
  name: string;
  own: Maintenance | undefined;
  onMute: (window: Window) => Promise<unknown>;
  onClose: () => void;
}

function MuteDialog({ name, own, onMute, onClose }: DialogProps) {
  const words = texts.monitors.mute.dialog;
  const windowIn = (data: FormData) => ({
    title: textOf(data, "title") ?? "",
    endsAt: timeIn(textOf(data, "endsAt")) ?? "",
  });
  const faults = (data: FormData) => {
    const { title, endsAt } = windowIn(data);
    return [
      ...(title === "" ? [pageFault("noTitle", "title", {})] : []),
      ...(Date.parse(endsAt) > Date.now() ? [] : [pageFault("inFuture", "endsAt", {})]),
    ];
  };
  const offered = own?.endsAt ?? new Date(Math.ceil(Date.now() / 300_000) * 300_000 + HOUR).toISOString();
  return (
    <Dialog title={named(words.title, name)} onClose={onClose}>
      <Form check={faults} onSubmit={(data) => onMute(windowIn(data)).then(onClose)}>
        <TimeField name="endsAt" label={words.until} value={offered} />
        <NameField name="title" label={words.name} value={own?.title ?? words.defaultName} />
        <p className="text-hint">{words.hint}</p>
        <FormFailure />
        <DialogActions onClose={onClose}>
          <SubmitButton>{words.submit}</SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

interface Window {
  title?: string;
  /** ISO 8601. */
  endsAt: string;
}

/** @param own the present window of this monitor alone, whose end then changes */
function useMute({ id }: Monitor, own: Maintenance | undefined) {
  const change = useChange(...changedByMaintenance);
  return {
    mute: (window: Window): Promise<unknown> =>
      own
        ? change(api.maintenances({ id: own.id }).patch(window), queryKeys.maintenance(own.id))
        : change(
            api.maintenances.post({
              title: texts.monitors.mute.dialog.defaultName,
              ...window,
              startsAt: new Date().toISOString(),
              selector: { monitorIds: [id] },
            }),
          ),
    end: async (): Promise<unknown> => own && change(api.maintenances({ id: own.id }).end.post()),
  };
}

/** The open window of a monitor, if it has no other monitors and does not recur. */
function useOwnWindow({ id, maintenance }: Monitor): Maintenance | undefined {
  const { data } = useQuery({
    queryKey: queryKeys.maintenances,
    queryFn: () => getData(api.maintenances.get()),
    enabled: maintenance !== null,
  });
  const isOwn = ({ state, cron, selector }: Maintenance) =>
    state === "active" && cron === null && isOnly(selector, id);
  return maintenance === null ? undefined : data?.find(isOwn);
}

/** Whether a selector names this monitor and nothing else. */
export function isOnly({ monitorIds = [], tags = [], all }: Selector, id: string): boolean {
  return monitorIds.length === 1 && monitorIds[0] === id && tags.length === 0 && !all;
}

/** Before this hour, a reader is still awake: the next morning is on the same day. */
const LATE = 5;
const MORNING = 8;

const timeFormat = dateFormat({ timeStyle: "short" });

/** The next morning in the reader's zone. @param now milliseconds since 1970, as `at` */
export function nextMorning(now: number): { at: number; label: string } {
  const isNight = new Date(now).getHours() < LATE;
  const morning = new Date(now);
  morning.setDate(morning.getDate() + (isNight ? 0 : 1));
  morning.setHours(MORNING, 0, 0, 0);
  const time = timeFormat.format(morning);
  const { untilThisMorning, untilTomorrow } = texts.monitors.mute;
  return { at: morning.getTime(), label: fill(isNight ? untilThisMorning : untilTomorrow, { time }) };
}
