import type { ReactNode } from "react";
import { Link, useLocation } from "wouter";
import { useConnected } from "../data/live-updates.tsx";
import { Logo } from "../ui/logo.tsx";
import { useSession, useSignOut } from "./session.tsx";

const places = [
  ["/", "Overview"],
  ["/events", "Events"],
  ["/channels", "Channels"],
  ["/keys", "API keys"],
  ["/settings", "Settings"],
] as const;

/** What stands around every view. */
export function Frame({ children }: { children: ReactNode }) {
  const [location] = useLocation();
  const session = useSession();
  const signOut = useSignOut();
  return (
    <>
      <a className="skip" href="#main">
        Skip to the content
      </a>
      <header className="top">
        <div className="top-row">
          <Link href="/" className="brand">
            <Logo size={26} />
            stillup
          </Link>
          <nav aria-label="Main">
            {places.map(([path, name]) => (
              <Link key={path} href={path} aria-current={isAt(location, path) ? "page" : undefined}>
                {name}
              </Link>
            ))}
          </nav>
          <div className="who">
            <span className="role">{session?.role}</span>
            <button type="button" className="quiet" onClick={signOut}>
              Sign out
            </button>
          </div>
        </div>
      </header>
      <Connection />
      {children}
    </>
  );
}

function isAt(location: string, path: string): boolean {
  if (path === "/") return location === "/" || location.startsWith("/monitors");
  return location.startsWith(path);
}

/** Says so when what one sees may be old. */
function Connection() {
  const connected = useConnected();
  return (
    <div role="status" className="connection">
      {!connected && (
        <p>
          <strong>Connection lost.</strong> What you see may be old. Trying to reach the server…
        </p>
      )}
    </div>
  );
}
