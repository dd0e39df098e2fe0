import { useQuery } from "@tanstack/react-query";
import { Link, useLocation } from "wouter";
import { useHasRole } from "../app/session.tsx";
import { api, type Outage, type Page, type PageOutage } from "../data/api.ts";
import { changedByPage } from "../data/query-keys.ts";
import { useChange } from "../data/use-change.ts";
import { rich } from "../languages/rich.tsx";
import { fill, texts } from "../languages/texts.ts";
import { pagesQuery } from "../pages/page-fields.tsx";
import { Card } from "../ui/card.tsx";
import { Failure, useAction } from "../ui/filters.tsx";
import { componentNames, describeOutage, pageOutagesQuery } from "./incident-words.ts";

/** The public pages that show the monitor of an outage, and what they make of it; nothing without any (behavior 15.97). */
export function PublicOutage({ outage }: { outage: Outage }) {
  const { data = [] } = useQuery(pagesQuery);
  const pages = data.filter(({ components }) =>
    components.some(({ monitorId }) => monitorId === outage.monitor.id),
  );
  if (pages.length === 0) return null;
  return (
    <Card id="public-pages" title={texts.incidents.publicPages.title}>
      <ul className="public-outages">
        {pages.map((page) => (
          <OnPage key={page.id} page={page} outage={outage} />
        ))}
      </ul>
    </Card>
  );
}

function OnPage({ page, outage }: { page: Page; outage: Outage }) {
  const mayWrite = useHasRole("admin");
  const { data } = useQuery(pageOutagesQuery(page.id));
  const shown = data?.find(({ id }) => id === outage.id);
  const names = componentNames(page, new Map([[outage.monitor.id, outage.monitor.name]]));
  return (
    <li className="public-outage">
      <p>
        <Link href={`/pages/${page.id}/incidents`}>{page.title}</Link>
        {data && (
          <span className="list-row-detail">
            {shown ? (
              <Shown incidentId={shown.incidentId} pageId={page.id} />
            ) : (
              texts.incidents.publicPages.tooShort
            )}
          </span>
        )}
      </p>
      {mayWrite && shown?.incidentId === null && (
        <TurnIntoIncident
          pageId={page.id}
          names={names}
          outage={shown}
          label={fill(texts.incidents.outage.turnNameOnPage, {
            title: describeOutage(shown, names).title,
            page: page.title,
          })}
        />
      )}
    </li>
  );
}

function Shown({ incidentId, pageId }: { incidentId: string | null; pageId: string }) {
  const { shown, shownAs } = texts.incidents.publicPages;
  if (incidentId === null) return shown;
  return rich(shownAs, {
    link: (text) => <Link href={`/pages/${pageId}/incidents/${incidentId}`}>{text}</Link>,
  });
}

interface Props {
  pageId: string;
  names: ReadonlyMap<string, string>;
  outage: Pick<PageOutage, "id" | "isDown" | "componentIds">;
  /** The name of the button for screen readers. */
  label: string;
}

/** Creates an incident in place of an outage, and opens it, so that the reader can write its first update (behavior 15.97). */
export function TurnIntoIncident({ pageId, names, outage, label }: Props) {
  const [, navigate] = useLocation();
  const change = useChange(...changedByPage);
  const { error, busy, run } = useAction();
  const turn = async () => {
    const values = { ...describeOutage(outage, names), outageId: outage.id };
    const { id } = await change(api.pages({ id: pageId }).incidents.post(values));
    navigate(`/pages/${pageId}/incidents/${id}`);
  };
  return (
    <div className="list-row-action">
      <button type="button" aria-label={label} aria-disabled={busy} onClick={() => run(turn)}>
        {texts.incidents.outage.turn}
      </button>
      <Failure error={error} />
    </div>
  );
}
