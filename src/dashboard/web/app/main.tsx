import { QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createRoot } from "react-dom/client";
import { ApiError, api, getData } from "../data/api.ts";
import { LiveUpdates } from "../data/live-updates.tsx";
import { queryKeys } from "../data/query-keys.ts";
import { prefetchOverview } from "../overview/overview-queries.ts";
import { ClockProvider } from "../ui/time.tsx";
import { ViewMemoryProvider } from "../ui/view.tsx";
import { Layout } from "./layout.tsx";
import { LazyView, PreloadViews } from "./lazy-views.tsx";
import { Routes } from "./routes.tsx";
import { SessionGate, sessionQuery } from "./session.tsx";

/** Fetches what the first view shows before it is rendered. Until then, the reader sees what index.html has. */
async function start(): Promise<void> {
  const { pathname, search } = location;
  const root = document.getElementById("root") as HTMLElement;
  if (pathname.startsWith("/wall")) return (await import("../wall/wall.tsx")).showWall(root);
  if (pathname.startsWith("/invite/")) return (await import("../accounts/invite.tsx")).showInvite(root);
  const queries = createQueryClient();
  const session = await queries.fetchQuery(sessionQuery).catch(() => null);
  const isAway = pathname.startsWith("/sign-in/oidc");
  // Somebody who is signed in has come back from linking the provider, and reads in the profile how that ended (behavior 19.96).
  if (isAway || (pathname === "/" && search.startsWith("?sign-in=")))
    history.replaceState(
      null,
      "",
      (session?.personId ? "/profile" : "/") + (isAway ? "?sign-in=away" : search),
    );
  if (session && pathname + search === "/" && sessionStorage.place) {
    // Where the reader was before a sign-in by the provider, which leads to the start (behavior 19.64, 19.97).
    const { place } = sessionStorage;
    delete sessionStorage.place;
    if (await isOpenInvite(place)) return location.replace(place);
    if (!place.startsWith("/invite/")) history.replaceState(null, "", place);
  }
  if (session && location.pathname === "/")
    // After an error, the view fetches again and shows the error.
    await prefetchOverview(queries, session.role, new URLSearchParams(search)).catch(() => {});
  createRoot(root).render(<App queries={queries} />);
  // Browsers have it only over HTTPS and on localhost.
  navigator.serviceWorker?.register("/service-worker.js").catch(() => {});
}

/** The sign-in has redeemed the invitation of a new person. Everybody else accepts it now, on its page (behavior 19.66). */
async function isOpenInvite(place: string): Promise<boolean> {
  const [, token] = /^\/invite\/([^/?]+)/.exec(place) ?? [];
  if (token === undefined) return false;
  return getData(api.invites({ token }).get()).then(
    () => true,
    () => false,
  );
}

function createQueryClient(): QueryClient {
  const queries: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      // A rejected session leads to the sign-in form from every view.
      onError(error) {
        if (error instanceof ApiError && error.status === 401) queries.setQueryData(queryKeys.session, null);
      },
    }),
    defaultOptions: {
      queries: { retry: false, staleTime: 2000, refetchOnWindowFocus: true },
    },
  });
  return queries;
}

void start();

function App({ queries }: { queries: QueryClient }) {
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
