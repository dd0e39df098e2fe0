import { QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createRoot } from "react-dom/client";
import { Link, Route, Switch } from "wouter";
import { Refusal } from "../data/api.ts";
import { Live } from "../data/live-updates.tsx";
import { Overview } from "../overview/overview.tsx";
import { prefetchOverview } from "../overview/overview-queries.ts";
import { View } from "../ui/view.tsx";
import { Frame } from "./layout.tsx";
import {
  ChannelForm,
  Channels,
  ChannelView,
  Events,
  FetchViews,
  Keys,
  Later,
  MonitorEditor,
  MonitorView,
  NewMonitor,
  Settings,
} from "./lazy-views.tsx";
import { SessionGate, sessionQuery } from "./session.tsx";

const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: endSession }),
  defaultOptions: {
    queries: { retry: false, staleTime: 2000, refetchOnWindowFocus: true },
  },
});

/** A refused session shows the way in at once, wherever one is. */
function endSession(error: unknown): void {
  if (error instanceof Refusal && error.status === 401) queries.setQueryData(["session"], null);
}

function App() {
  return (
    <QueryClientProvider client={queries}>
      <SessionGate>
        <Live>
          <Frame>
            <Later>
              <Switch>
                <Route path="/" component={Home} />
                <Route path="/monitors/new" component={NewMonitor} />
                <Route path="/monitors/:id/edit">{({ id }) => <MonitorEditor key={id} id={id} />}</Route>
                <Route path="/monitors/:id">{({ id }) => <MonitorView key={id} id={id} />}</Route>
                <Route path="/events" component={Events} />
                <Route path="/channels" component={Channels} />
                <Route path="/channels/new">{() => <ChannelForm />}</Route>
                <Route path="/channels/:id">{({ id }) => <ChannelView key={id} id={id} />}</Route>
                <Route path="/keys" component={Keys} />
                <Route path="/settings" component={Settings} />
                <Route>
                  <View title="Not found">
                    <p>
                      There is nothing at this address. <Link href="/">Back to the overview</Link>
                    </p>
                  </View>
                </Route>
              </Switch>
            </Later>
            <FetchViews />
          </Frame>
        </Live>
      </SessionGate>
    </QueryClientProvider>
  );
}

/**
 * Stands between the router and a view that draws itself anew again and again: the router keeps the element it was given,
 * and that would keep, by its first drawing, every row that is gone. What is loaded later has such a one already.
 */
function Home() {
  return <Overview />;
}

/** Asks for what the first view shows, so that it is drawn once; meanwhile what stands in the page itself is seen. */
async function start(): Promise<void> {
  const { pathname, search } = location;
  const session = await queries.fetchQuery(sessionQuery).catch(() => null);
  if (session && pathname === "/")
    // What fails is asked for again, and told, by the view itself.
    await prefetchOverview(queries, new URLSearchParams(search)).catch(() => {});
  const root = document.getElementById("root");
  if (root) createRoot(root).render(<App />);
}

/** A link leads to the top of a view; the way back leads to where one was. The router tells of the former by this event. */
addEventListener("pushState", () => scrollTo(0, 0));

void start();
