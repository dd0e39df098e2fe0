import { QueryCache, QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query";
import { type ComponentType, lazy, type ReactNode, useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import { Link, Route, Router, Switch, useLocation } from "wouter";
import { ApiError, api, getData } from "../data/api.ts";
import { LiveUpdates, useConnected } from "../data/live-updates.tsx";
import { queryKeys, serverQuery } from "../data/query-keys.ts";
import { followPerson } from "../languages/choose-language.ts";
import { rich } from "../languages/rich.tsx";
import { loadTexts, texts, withTexts } from "../languages/texts.ts";
import { Overview } from "../overview/overview.tsx";
import { prefetchOverview } from "../overview/overview-queries.ts";
import { Logo } from "../ui/logo.tsx";
import { ClockProvider } from "../ui/time.tsx";
import { View, ViewMemoryProvider } from "../ui/view.tsx";
import { base } from "./base.ts";
import { FORM_TEXTS, LazyView, LIST_TEXTS, Loading, lazyView, PreloadViews } from "./lazy-views.tsx";
import { currentView, MenuLink, menu } from "./menu.tsx";
import { SessionGate, sessionQuery, useSession } from "./session.tsx";

const listView = (name: keyof typeof import("./list-views.ts").listViews) =>
  lazyView<{ id: string }>(async () => (await import("./list-views.ts")).listViews[name], ...LIST_TEXTS);
const formView = (name: keyof typeof import("./form-views.ts").formViews) =>
  lazyView<{ id: string }>(async () => (await import("./form-views.ts")).formViews[name], ...FORM_TEXTS);

/** By path. The first one that matches is shown. */
const views: [path: string, view: ComponentType<{ id: string }>][] = [
  ["/monitors/new", formView("NewMonitor")],
  ["/monitors/:id/edit", formView("EditMonitor")],
  ["/monitors/:id", listView("MonitorPage")],
  ["/outages", listView("Outages")],
  ["/outages/:id", listView("OutagePage")],
  ["/events", listView("Events")],
  ["/channels/*?", formView("ChannelViews")],
  ["/on-call/*?", formView("OnCallViews")],
  ["/locations", formView("Locations")],
  ["/maintenances", listView("Maintenances")],
  ["/maintenances/new", formView("NewMaintenance")],
  ["/maintenances/:id/edit", formView("EditMaintenance")],
  ["/pages", listView("Pages")],
  ["/pages/new", formView("NewPage")],
  ["/pages/:id/incidents/*?", formView("IncidentViews")],
  ["/pages/:id", formView("PageEditor")],
  ["/reports", listView("Reports")],
  ["/reports/*?", formView("ReportMails")],
  ["/keys", formView("ApiKeys")],
  ["/settings", formView("Settings")],
  ["/settings/server", formView("ServerView")],
  ["/settings/audit", listView("AuditLog")],
  ["/settings/people", formView("People")],
  ["/profile", formView("Profile")],
  ["/discovery", formView("Discovery")],
  // Few readers open it: its script is not loaded before.
  ["/hindsight", lazy(async () => ({ default: await loadHindsight() }))],
];

async function loadHindsight() {
  const { Hindsight } = await withTexts(import("../hindsight/hindsight.tsx"), ...FORM_TEXTS, "hindsight");
  return Hindsight;
}

function Routes() {
  useScrollToTop();
  return (
    <Switch>
      <Route path="/" component={Home} />
      {views.map(([path, View]) => (
        <Route<{ id: string }> key={path} path={path}>
          {({ id }) => <View key={id} id={id} />}
        </Route>
      ))}
      <Route component={NotFound} />
    </Switch>
  );
}

/**
 * The router keeps the element that it renders. If that were the overview itself, which renders often, its first rendering
 * would keep all deleted rows in memory. Lazy views have such a wrapper already.
 */
function Home() {
  return <Overview />;
}

function NotFound() {
  return (
    <View title={texts.app.notFound.title}>
      <p>{rich(texts.app.notFound.text, { back: (text) => <Link href="/">{text}</Link> })}</p>
    </View>
  );
}

/** A link leads to the top of a view; Back leads to the previous scroll position. The router sends this event for links. */
function useScrollToTop(): void {
  useEffect(() => {
    const toTop = () => scrollTo(0, 0);
    addEventListener("pushState", toTop);
    return () => removeEventListener("pushState", toTop);
  }, []);
}

/**
 * Fetches what the first view shows before it is rendered. Until then, a reader who may be signed in sees the menu and a skeleton, also if
 * the server is slow.
 */
async function start(): Promise<void> {
  const { search } = location;
  // Without the path of the base URL, as at the address on which the server listens, the router knows nothing.
  if (!`${location.pathname}/`.startsWith(`${base}/`))
    return location.replace(base + location.pathname + search);
  const pathname = location.pathname.slice(base.length) || "/";
  const root = document.getElementById("root") as HTMLElement;
  const loading = loadTexts("start");
  if (pathname.startsWith("/wall")) {
    const { showWall } = await withTexts(import("../wall/wall.tsx"), "start", "wall");
    return showWall(root);
  }
  if (pathname.startsWith("/invite/")) {
    const { showInvite } = await withTexts(import("../accounts/invite.tsx"), "start", "shared", "account");
    return showInvite(root);
  }
  const queries = createQueryClient();
  const page = createRoot(root);
  const fetching = queries.fetchQuery(sessionQuery).catch(() => null);
  await loading;
  // The server says so, because scripts cannot read the cookie.
  if ("session" in document.documentElement.dataset) page.render(<App queries={queries} isStarting />);
  const session = await fetching;
  if (session && followPerson(session)) return;
  const isAway = pathname.startsWith("/sign-in/oidc");
  // Somebody who is signed in has come back from linking the provider, and reads in the profile how that ended (behavior 19.96).
  if (isAway || (pathname === "/" && search.startsWith("?sign-in=")))
    history.replaceState(
      null,
      "",
      base + (session?.personId ? "/profile" : "/") + (isAway ? "?sign-in=away" : search),
    );
  if (session && pathname + search === "/" && sessionStorage.place) {
    // Where the reader was before a sign-in by the provider, which leads to the start (behavior 19.64, 19.97).
    const { place } = sessionStorage;
    delete sessionStorage.place;
    if (await isOpenInvite(place)) return location.replace(place);
    if (!place.includes("/invite/")) history.replaceState(null, "", place);
  }
  if (session && location.pathname === `${base}/`)
    // After an error, the view fetches again and shows the error.
    await prefetchOverview(queries, session.role, new URLSearchParams(search)).catch(() => {});
  page.render(<App queries={queries} />);
  // Browsers have it only over HTTPS and on localhost.
  navigator.serviceWorker?.register(`${base}/service-worker.js`).catch(() => {});
}

/** The sign-in has redeemed the invitation of a new person. Everybody else accepts it now, on its page (behavior 19.66). */
async function isOpenInvite(place: string): Promise<boolean> {
  const [, token] = /\/invite\/([^/?]+)/.exec(place) ?? [];
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

function App({ queries, isStarting = false }: { queries: QueryClient; isStarting?: boolean }) {
  return (
    <QueryClientProvider client={queries}>
      <Router base={base}>
        <ClockProvider>
          <ViewMemoryProvider>
            <SessionGate isStarting={isStarting}>
              <LiveUpdates isStarting={isStarting}>
                <Shell>
                  {isStarting ? (
                    <Loading />
                  ) : (
                    <>
                      <LazyView>
                        <Routes />
                      </LazyView>
                      <PreloadViews />
                    </>
                  )}
                </Shell>
              </LiveUpdates>
            </SessionGate>
          </ViewMemoryProvider>
        </ClockProvider>
      </Router>
    </QueryClientProvider>
  );
}

/** The menu beside every view; on a phone, its first part is below, and the rest behind "More". index.html shows its frame first. */
function Shell({ children }: { children: ReactNode }) {
  const [location] = useLocation();
  const session = useSession();
  const tools = useTools();
  const current = currentView(location);
  return (
    <div className="shell">
      <a className="skip-link" href="#main">
        {texts.app.skipLink}
      </a>
      <header className="shell-side">
        <Link href="/" className="shell-brand">
          <Logo size={26} />
          stillup
        </Link>
        <div className="shell-search">{session && tools && <tools.Search />}</div>
        <nav className="shell-nav" aria-label={texts.app.menu.label}>
          {menu.map(({ group, views }) => (
            <div key={group} className="shell-group">
              <p aria-hidden="true">{texts.app.menu.groups[group]}</p>
              <ul aria-label={texts.app.menu.groups[group]}>
                {views.map((view) => (
                  <li key={view.path}>
                    <MenuLink view={view} isCurrent={view.path === current} />
                  </li>
                ))}
              </ul>
            </div>
          ))}
          {session && tools && <tools.More isCurrent={!menu[0].views.some(({ path }) => path === current)} />}
        </nav>
        <div className="shell-account">{session && tools && <tools.Account session={session} />}</div>
      </header>
      <div className="shell-view">
        <ConnectionStatus />
        {children}
      </div>
    </div>
  );
}

/** Their script is loaded after the menu is shown, or as soon as the server can be reached again. */
function useTools() {
  const [tools, setTools] = useState<typeof import("./tools.tsx")>();
  const connected = useConnected();
  useEffect(() => {
    if (connected && !tools) withTexts(import("./tools.tsx"), "tools").then(setTools, () => {});
  }, [connected, tools]);
  return tools;
}

const strong = (text: string) => <strong>{text}</strong>;

/** Warns that the view may be outdated, or that the server can't check anything. */
function ConnectionStatus() {
  const connected = useConnected();
  const { data: server } = useQuery({ ...serverQuery, enabled: useSession() !== null });
  return (
    <div role="status" className="connection">
      {!connected && <p>{rich(texts.app.connectionLost, { b: strong })}</p>}
      {connected && server?.network === "offline" && <p>{rich(texts.app.offline, { b: strong })}</p>}
      {connected && server?.ping === "closed" && (
        <p>
          {rich(texts.app.noPing, { b: strong, setting: <code dir="ltr">net.ipv4.ping_group_range</code> })}
        </p>
      )}
    </div>
  );
}
