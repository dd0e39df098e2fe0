import { useIsFetching } from "@tanstack/react-query";
import { Component, lazy, type ReactNode, Suspense, useEffect } from "react";
import { View } from "../ui/view.tsx";

/* The views that one comes to from the first: their scripts are fetched once that stands. */

const load = {
  channel: () => import("../channel/channel-page.tsx"),
  channelForm: () => import("../channel/channel-form.tsx"),
  channels: () => import("../channel/channel-list.tsx"),
  events: () => import("../events/events.tsx"),
  keys: () => import("../account/api-keys.tsx"),
  monitor: () => import("../monitor/monitor-page.tsx"),
  monitorForm: () => import("../monitor/monitor-form.tsx"),
  settings: () => import("../account/settings.tsx"),
};

export const ChannelView = lazy(async () => ({ default: (await load.channel()).ChannelView }));
export const ChannelForm = lazy(async () => ({ default: (await load.channelForm()).ChannelForm }));
export const Channels = lazy(async () => ({ default: (await load.channels()).Channels }));
export const Events = lazy(async () => ({ default: (await load.events()).Events }));
export const Keys = lazy(async () => ({ default: (await load.keys()).Keys }));
export const MonitorView = lazy(async () => ({ default: (await load.monitor()).MonitorView }));
export const MonitorEditor = lazy(async () => ({ default: (await load.monitorForm()).MonitorEditor }));
export const NewMonitor = lazy(async () => ({ default: (await load.monitorForm()).NewMonitor }));
export const Settings = lazy(async () => ({ default: (await load.settings()).Settings }));

/** How long nothing is fetched before it counts as quiet: what the first view shows may still have to be drawn. */
const QUIET = 500;

/** Fetches all of them once nothing else is fetched, so that none has to be waited for. */
export function FetchViews() {
  const idle = useIsFetching() === 0;
  useEffect(() => {
    if (!idle) return undefined;
    const timer = setTimeout(() => {
      // What fails is tried again, and told, where it is needed.
      for (const one of Object.values(load)) one().catch(() => {});
    }, QUIET);
    return () => clearTimeout(timer);
  }, [idle]);
  return null;
}

/** Stands for a view until its script is there, and says so where it can't be had: after an update it has another name. */
export class Later extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return <Suspense>{this.props.children}</Suspense>;
    return (
      <View title="This view can’t be shown">
        <p>The server has been updated, can’t be reached, or sent what this page does not understand.</p>
        <div className="actions">
          <button type="button" className="primary" onClick={() => location.reload()}>
            Load the page again
          </button>
        </div>
      </View>
    );
  }
}
