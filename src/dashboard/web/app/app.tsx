import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { LiveUpdates } from "../data/live-updates.tsx";
import { ClockProvider } from "../ui/time/clock.tsx";
import { ViewMemoryProvider } from "../ui/view/view-memory.tsx";
import { Layout } from "./layout.tsx";
import { LazyView, PreloadViews } from "./lazy-views.tsx";
import { Routes } from "./routes.tsx";
import { SessionGate } from "./session.tsx";

export function App({ queries }: { queries: QueryClient }) {
  return (
    <QueryClientProvider client={queries}>
      <ClockProvider>
        <ViewMemoryProvider>
          <SessionGate>
            <LiveUpdates>
              <Layout>
                <LazyView>
                  <Routes />
                </LazyView>
                <PreloadViews />
              </Layout>
            </LiveUpdates>
          </SessionGate>
        </ViewMemoryProvider>
      </ClockProvider>
    </QueryClientProvider>
  );
}
