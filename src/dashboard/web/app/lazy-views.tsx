import { useIsFetching } from "@tanstack/react-query";
import { Component, type ComponentType, lazy, type ReactNode, Suspense, useEffect } from "react";
import type { TextFile } from "../../languages/files.ts";
import { texts, withTexts } from "../languages/texts.ts";
import { View } from "../ui/view.tsx";

export const LIST_TEXTS = ["shared"] as const;
export const FORM_TEXTS = ["shared", "account", "forms", "faults"] as const;

/** Load the scripts of all views except the overview, after the first view is shown. */
const loaders: (() => Promise<unknown>)[] = [];

/** A view with a script and with texts of its own. */
export function lazyView<Props>(load: () => Promise<ComponentType<Props>>, ...files: TextFile[]) {
  const loadBoth = () => withTexts(load(), ...files);
  loaders.push(loadBoth);
  return lazy(async () => ({ default: await loadBoth() }));
}

export const FirstMonitor = lazyView(
  async () => (await import("../overview/first-steps.tsx")).FirstMonitor,
  ...FORM_TEXTS,
);
export const SignIn = lazyView(async () => (await import("../accounts/sign-in.tsx")).SignIn, "account");

/** Milliseconds without requests after which the first view counts as complete. It may still have to be rendered. */
const QUIET = 500;

/** Loads the scripts of all views while there are no other requests, so that a reader does not wait for them later. */
export function PreloadViews() {
  const idle = useIsFetching() === 0;
  useEffect(() => {
    if (!idle) return undefined;
    let timer = setTimeout(loadFrom, QUIET, 0);
    function loadFrom(at: number) {
      // A script that fails to load is requested again by its view, which shows the error.
      const next = loaders[at]?.().catch(() => {});
      // The page can answer the reader between two of them.
      void next?.then(() => {
        timer = setTimeout(loadFrom, 0, at + 1);
      });
    }
    return () => clearTimeout(timer);
  }, [idle]);
  return null;
}

/** Shows an error if a view cannot be loaded or rendered. After an update of the server, its script has another name. */
export class LazyView extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return <Suspense fallback={<Loading />}>{this.props.children}</Suspense>;
    const { broken } = texts.app;
    return (
      <View title={broken.title}>
        <p>{broken.text}</p>
        <div className="actions">
          <button type="button" className="button-primary" onClick={() => location.reload()}>
            {broken.reload}
          </button>
        </div>
      </View>
    );
  }
}

/** Before the script of a view is loaded, its title is not known. */
export function Loading() {
  return (
    <main id="main" aria-busy>
      <div className="skeleton" />
    </main>
  );
}
