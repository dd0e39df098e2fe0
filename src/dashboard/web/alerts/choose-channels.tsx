import { queryOptions, useQuery } from "@tanstack/react-query";
import { memo, type RefObject, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { Link, useLocation } from "wouter";
import { byName } from "../../../domain/monitors/display-state.ts";
import { searchText } from "../../../domain/overview/selection.ts";
import { api, type Channel, getData, type MonitorSummary } from "../data/api.ts";
import { channelsQuery, queryKeys } from "../data/query-keys.ts";
import { useWithoutHidden } from "../data/use-change.ts";
import { useSettled } from "../data/use-settled.ts";
import { Cancel } from "../form/edit-view.tsx";
import { checkedValues } from "../form/field-errors.ts";
import { FieldError } from "../form/fields.tsx";
import { Form, FormFailure, SubmitButton, useForm } from "../form/form.tsx";
import { pageFault } from "../form/page-fault.ts";
import { fill, plural, texts } from "../languages/texts.ts";
import { among, isSelected, type Selected, Selection } from "../overview/bulk/selection.ts";
import { describeTarget } from "../status/target.ts";
import { View } from "../ui/view.tsx";
import { ChannelChoices, noneFaults, useBinding } from "./channel-monitors.tsx";
import { NewChannelDialog } from "./new-channel.tsx";

type Silent = Pick<MonitorSummary, "id" | "name" | "type" | "config" | "tags">;

/** The enabled monitors of which no channel is enabled, by name. */
const silentQuery = queryOptions({
  queryKey: [...queryKeys.unnotified, "monitors"],
  queryFn: async (): Promise<Silent[]> => {
    const [{ monitors }, { monitorIds }] = await Promise.all([
      getData(api.overview.get()),
      getData(api.alerts.unnotified.get({ query: { list: "true" } })),
    ]);
    const silent = new Set(monitorIds);
    return monitors.filter(({ id }) => silent.has(id)).sort(byName);
  },
});

/** Binds monitors that notify nobody to channels (behavior 16.267). */
export function ChooseView() {
  const { title, nothing, back, lead } = texts.alerts.choose;
  const channels = useQuery(channelsQuery);
  const monitors = useQuery(silentQuery);
  const enabled = useWithoutHidden(channels.data)?.filter((channel) => channel.enabled);
  if (!enabled || !monitors.data) return <View title={title} error={channels.error ?? monitors.error} />;
  if (monitors.data.length === 0) {
    return (
      <View title={title}>
        <p className="text-lead">{nothing}</p>
        <Link href="/">{back}</Link>
      </View>
    );
  }
  return (
    <View title={title}>
      <p className="text-lead">{plural(lead, monitors.data.length)}</p>
      <ChooseForm channels={enabled} monitors={monitors.data} />
    </View>
  );
}

function ChooseForm({ channels, monitors }: { channels: Channel[]; monitors: readonly Silent[] }) {
  const [, navigate] = useLocation();
  const [creates, setCreates] = useState(false);
  const bind = useBinding();
  const [selection] = useState(() => selectionOf(monitors));
  useEffect(() => selection.set(among(selection.current(), idsOf(monitors))), [selection, monitors]);
  const check = (data: FormData) => [
    ...noneFaults(data),
    ...(selection.current().ids.size === 0 ? [pageFault("noMonitor", "selector", {})] : []),
  ];
  const save = async (data: FormData) => {
    const { ids } = selection.current();
    const isAll = ids.size === monitors.length;
    await bind({
      selector: isAll ? { withoutChannels: true } : { monitorIds: [...ids] },
      change: { addChannels: checkedValues(data, "change.addChannels") },
      expectedMatched: ids.size,
    });
    if (isAll) navigate("/", { replace: true });
  };
  return (
    <>
      <Form className="form-columns choose-channels" check={check} onSubmit={save}>
        <div className="form-side card">
          <ChannelChoices channels={channels} />
          {channels.length === 0 && <p className="text-hint">{texts.alerts.choose.noChannels}</p>}
          <button type="button" className="check-list-add" onClick={() => setCreates(true)}>
            {texts.alerts.create}
          </button>
          <FormFailure />
          <div className="actions">
            <SubmitButton>{texts.alerts.choose.submit}</SubmitButton>
            <Cancel to="/" />
          </div>
        </div>
        <SilentMonitors monitors={monitors} selection={selection} />
      </Form>
      {creates && <NewChannelDialog onCreated={() => {}} onClose={() => setCreates(false)} />}
    </>
  );
}

function idsOf(monitors: readonly Silent[]): Set<string> {
  return new Set(monitors.map(({ id }) => id));
}

/** All of them are selected at first. */
function selectionOf(monitors: readonly Silent[]): Selection {
  const selection = new Selection();
  selection.set({ ids: idsOf(monitors) });
  return selection;
}

interface MonitorsProps {
  monitors: readonly Silent[];
  selection: Selection;
}

/** The most monitors whose groups are open before the reader opens them. */
const FEW = 24;

function SilentMonitors({ monitors, selection }: MonitorsProps) {
  const [text, setText] = useState("");
  const settled = useSettled(text);
  const error = useForm().errors.selector;
  const groups = groupsOf(monitors, settled);
  const found = groups.flatMap((group) => group.monitors);
  useEffect(() => {
    selection.shown = found.map(({ id }) => id);
  });
  const isSearch = settled.trim() !== "";
  const words = texts.alerts.choose;
  return (
    <fieldset className="card silent-monitors" {...(error && { "aria-describedby": "silent-error" })}>
      <legend className="visually-hidden">{words.monitors}</legend>
      <input
        type="search"
        aria-label={words.search}
        placeholder={texts.form.picker.placeholder}
        value={text}
        onInput={(event) => {
          // It is no field of the form.
          event.stopPropagation();
          setText(event.currentTarget.value);
        }}
        onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
      />
      <SelectAll {...{ selection, found, isSearch }} count={monitors.length} />
      <FieldError id="silent-error" error={error} />
      {/* Its name receives the error. */}
      <input type="hidden" name="selector" disabled />
      {found.length === 0 && <p className="text-muted">{texts.form.picker.none}</p>}
      <ul className="silent-groups">
        {groups.map((group) => (
          <SilentGroup key={group.tag} {...group} selection={selection} opens={found.length <= FEW} />
        ))}
      </ul>
    </fieldset>
  );
}

/** Monitors below their first tag, by name; those without a tag are last. @param text what they have in their name, target or tags */
export function groupsOf<Of extends Silent>(
  monitors: readonly Of[],
  text: string,
): { tag: string; monitors: Of[] }[] {
  const needle = text.trim().toLowerCase();
  const found = monitors.filter((one) => needle === "" || searchText(one.type, one).includes(needle));
  return Array.from(
    Map.groupBy(found, ({ tags: [first = ""] }) => first),
    ([tag, group]) => ({ tag, monitors: group }),
  ).sort((a, b) => Number(a.tag === "") - Number(b.tag === "") || byName({ name: a.tag }, { name: b.tag }));
}

interface AllProps {
  selection: Selection;
  /** The monitors of the search, or all. */
  found: readonly Silent[];
  isSearch: boolean;
  /** How many notify nobody. */
  count: number;
}

function SelectAll({ selection, found, isSearch, count }: AllProps) {
  const selected = useSelected(selection, ({ ids }) => ids.size);
  const words = texts.alerts.choose;
  return (
    <div className="actions">
      <p role="status">{plural(words.selected, count, { selected })}</p>
      <button
        type="button"
        className="button-quiet button-small"
        onClick={() => select(selection, found, true)}
      >
        {isSearch ? plural(words.selectThese, found.length) : words.selectAll}
      </button>
      <button
        type="button"
        className="button-quiet button-small"
        onClick={() => selection.set({ ids: new Set() })}
      >
        {words.selectNone}
      </button>
    </div>
  );
}

function useSelected<Value>(selection: Selection, of: (selected: Selected) => Value): Value {
  return useSyncExternalStore(selection.subscribe, () => of(selection.current()));
}

function select(selection: Selection, monitors: readonly Silent[], isOn: boolean): void {
  const { ids } = selection.current();
  const these = idsOf(monitors);
  selection.set({ ids: isOn ? ids.union(these) : ids.difference(these) });
}

interface GroupProps {
  tag: string;
  monitors: readonly Silent[];
  selection: Selection;
  /** Whether it is open before the reader opens or closes it. */
  opens: boolean;
}

/** Monitors that an open group shows, and with each click on the button below them. A slow phone renders them in less than 100 ms. */
const SHOWN = 30;

function SilentGroup({ tag, monitors, selection, opens }: GroupProps) {
  const [chosen, setOpen] = useState<boolean>();
  const [most, setMost] = useState(SHOWN);
  const box = useRef<HTMLInputElement>(null);
  const selected = useSelected(selection, ({ ids }) => monitors.filter(({ id }) => ids.has(id)).length);
  const isOpen = chosen ?? opens;
  const words = texts.alerts.choose.group;
  const name = tag || words.noTag;
  const rest = monitors.length - most;
  useMixed(box, selected > 0 && selected < monitors.length);
  return (
    <li>
      <div className="silent-group">
        <label>
          <input
            ref={box}
            type="checkbox"
            checked={selected === monitors.length}
            onChange={() => select(selection, monitors, selected < monitors.length)}
          />
          <b>{name}</b>
          <span className="text-muted">{fill(words.selected, { selected, count: monitors.length })}</span>
        </label>
        <button
          type="button"
          className="button-quiet silent-toggle"
          aria-expanded={isOpen}
          aria-label={fill(words.toggle, { name })}
          onClick={() => setOpen(!isOpen)}
        />
      </div>
      {isOpen && (
        <ul>
          {monitors.slice(0, most).map((monitor) => (
            <SilentMonitor key={monitor.id} monitor={monitor} selection={selection} />
          ))}
        </ul>
      )}
      {isOpen && rest > 0 && (
        <button type="button" className="button-small" onClick={() => setMost(most + SHOWN)}>
          {plural(words.more, rest)}
        </button>
      )}
    </li>
  );
}

/** React has no attribute for a check box that is neither on nor off. */
function useMixed(box: RefObject<HTMLInputElement | null>, isMixed: boolean): void {
  useEffect(() => {
    if (box.current) box.current.indeterminate = isMixed;
  }, [box, isMixed]);
}

const SilentMonitor = memo(function SilentMonitor({
  monitor: { id, name, type, config },
  selection,
}: {
  monitor: Silent;
  selection: Selection;
}) {
  const isChecked = useSelected(selection, (selected) => isSelected(selected, id));
  return (
    <li>
      <label>
        <input
          type="checkbox"
          checked={isChecked}
          onClick={({ shiftKey }) => selection.click(id, shiftKey)}
        />
        <span>
          <bdi>{name}</bdi> <span className="text-muted">{describeTarget(type, config)}</span>
        </span>
      </label>
    </li>
  );
});
