import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { Link, useLocation } from "wouter";
import { useConnected } from "../data/live-updates.tsx";
import { serverQuery } from "../data/shared-queries.ts";
import { Logo } from "../ui/logo.tsx";
import { menu, PRIMARY } from "./menu.ts";
import { useSession, useSignOut } from "./session.tsx";

/** The header around every view. index.html shows its first part, and a skeleton, until the script runs. */
export function Layout({ children }: { children: ReactNode }) {
  const [location] = useLocation();
  const session = useSession();
  const signOut = useSignOut();
  const tools = useTools();
  return (
    <>
      <a className="skip-link" href="#main">
        Skip to the content
      </a>
      <header className="header">
        <div className="header-row">
          <Link href="/" className="header-brand">
            <Logo size={26} />
            stillup
          </Link>
          <nav className="header-nav" aria-label="Main">
            {menu.map(([path, name]) => (
              <Link key={path} href={path} aria-current={isCurrent(path, location) ? "page" : undefined}>
                {name}
              </Link>
            ))}
            {tools && (
              <tools.More isCurrent={menu.findIndex(([path]) => isCurrent(path, location)) >= PRIMARY} />
            )}
          </nav>
          <div className="header-session">
            {tools && <tools.Search />}
            {session?.personId ? (
              <Link href="/profile" className="header-role">
                Profile
              </Link>
            ) : (
              <span className="header-role">{session?.role}</span>
            )}
            <button type="button" className="button-quiet" onClick={signOut}>
              Sign out
            </button>
          </div>
        </div>
      </header>
      <ConnectionStatus />
      {children}
    </>
  );
}

/** Their script is loaded after the header is shown, or as soon as the server can be reached again. */
function useTools() {
  const [tools, setTools] = useState<typeof import("./tools.tsx")>();
  const connected = useConnected();
  useEffect(() => {
    if (connected && !tools) import("./tools.tsx").then(setTools, () => {});
  }, [connected, tools]);
  return tools;
}

function isCurrent(path: string, location: string): boolean {
  if (path === "/") return location === "/" || location.startsWith("/monitors");
  return location.startsWith(path);
}

/** Warns that the view may be outdated, or that the server can't check anything. */
function ConnectionStatus() {
  const connected = useConnected();
  const { data: server } = useQuery(serverQuery);
  return (
    <div role="status" className="connection">
      {!connected && (
        <p>
          <strong>Connection lost.</strong> This page may be outdated. Reconnecting…
        </p>
      )}
      {connected && server?.network === "offline" && (
        <p>
          <strong>The network of this server is offline.</strong> Checks without any answer are not recorded,
          and notifications are repeated when it is back.
        </p>
      )}
      {connected && server?.ping === "closed" && (
        <p>
          <strong>This server may not ping.</strong> Monitors that ping are not checked until{" "}
          <code>net.ipv4.ping_group_range</code> has the group of stillup: see its log.
        </p>
      )}
    </div>
  );
}
