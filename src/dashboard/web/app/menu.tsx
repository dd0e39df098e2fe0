import { Link } from "wouter";
import { texts } from "../languages/texts.ts";
import { base } from "./base.ts";

/** A view in the menu. The wall is a document of its own. */
interface MenuView {
  path: string;
  name: keyof typeof texts.app.menu.views;
}

const view = (path: string, name: MenuView["name"]): MenuView => ({ path, name });

/** The views in the menu, by what people do. A phone shows the first group below, and all of them behind "More". */
export const menu: readonly [MenuGroup, ...MenuGroup[]] = [
  {
    group: "watch",
    views: [
      view("/", "overview"),
      view("/outages", "outages"),
      view("/maintenances", "maintenances"),
      view("/events", "events"),
    ],
  },
  {
    group: "share",
    views: [view("/pages", "pages"), view("/reports", "reports"), view("/wall", "wall")],
  },
  {
    group: "setUp",
    views: [
      view("/channels", "channels"),
      view("/on-call", "onCall"),
      view("/locations", "locations"),
      view("/settings/people", "people"),
      view("/keys", "keys"),
      view("/settings", "settings"),
    ],
  },
];

interface MenuGroup {
  group: keyof typeof texts.app.menu.groups;
  views: MenuView[];
}

/** All views of the menu. */
export const menuViews: readonly MenuView[] = menu.flatMap(({ views }) => views);

/** The path of the view to which an address belongs: the longest one that it begins with. Empty if it belongs to none. */
export function currentView(address: string): string {
  if (address === "/" || address.startsWith("/monitors")) return "/";
  const found = menuViews.map(({ path }) => path).filter((path) => path !== "/" && address.startsWith(path));
  return found.reduce((longest, path) => (path.length > longest.length ? path : longest), "");
}

interface Props {
  view: MenuView;
  isCurrent: boolean;
  onClick?: () => void;
}

export function MenuLink({ view: { path, name }, isCurrent, onClick }: Props) {
  const content = (
    <>
      <Icon of={path} />
      {texts.app.menu.views[name]}
    </>
  );
  if (path === "/wall") return <a href={base + path}>{content}</a>;
  return (
    <Link href={path} aria-current={isCurrent ? "page" : undefined} onClick={onClick}>
      {content}
    </Link>
  );
}

/** A drawing of index.html. @property of its name there, such as the path of a view */
export function Icon({ of }: { of: string }) {
  return (
    <svg className="icon" width="20" height="20" aria-hidden="true">
      <use href={`#i${of}`} />
    </svg>
  );
}
