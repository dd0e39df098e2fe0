import { isRow, type KumaData, NO_DATA, type Row } from "./data.ts";

/**
 * The rows in a JSON backup of Uptime Kuma 1, which has monitors, notifications and tags (behavior 16.95).
 *
 * @returns undefined for a value that is no backup
 */
export function readBackup(value: unknown): KumaData | undefined {
  if (!isRow(value) || !Array.isArray(value.monitorList)) return undefined;
  const monitors = value.monitorList.filter(isRow).map(asRow);
  const notifications = Array.isArray(value.notificationList) ? value.notificationList : [];
  return {
    ...NO_DATA,
    monitors,
    notifications: notifications.filter(isRow).map(asRow),
    monitorNotifications: monitors.flatMap(notificationsOf),
    ...tagsOf(monitors),
  };
}

/** Converts the names of the backup to names of columns: `retryInterval` is `retry_interval`. */
function asRow(entry: Row): Row {
  const columns = Object.entries(entry).map(([name, value]) => [
    name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    value,
  ]);
  const row: Row = Object.fromEntries(columns);
  // The backup counts a monitor in a paused group as active.
  return "accepted_statuscodes" in row
    ? { ...row, accepted_statuscodes_json: row.accepted_statuscodes }
    : row;
}

/** `notificationIDList` is `{ "3": true }`. */
function notificationsOf(monitor: Row): Row[] {
  const list = monitor.notification_i_d_list;
  if (!isRow(list)) return [];
  const ids = Object.keys(list).filter((id) => list[id] === true);
  return ids.map((id) => ({ monitor_id: monitor.id, notification_id: Number(id) }));
}

/** The tags of a monitor are entries with the name and the value. Here each is a tag of its own. */
function tagsOf(monitors: readonly Row[]): Pick<KumaData, "tags" | "monitorTags"> {
  const uses = monitors.flatMap(({ id, tags }) =>
    Array.isArray(tags) ? tags.filter(isRow).map(({ name, value }) => ({ monitor: id, name, value })) : [],
  );
  return {
    tags: uses.map(({ name }, at) => ({ id: at, name })),
    monitorTags: uses.map(({ monitor, value }, at) => ({ monitor_id: monitor, tag_id: at, value })),
  };
}
