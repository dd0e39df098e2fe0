import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { useHasRole } from "../app/session.tsx";
import type { Outage, Page } from "../data/api.ts";
import { pagesQuery } from "../pages/page-queries.ts";
import { pageOutagesQuery } from "./incident-queries.ts";
import { componentNames, describeOutage } from "./incident-words.ts";
import { TurnIntoIncident } from "./turn-into-incident.tsx";

/** The public pages that show the monitor of an outage, and what they make of it; nothing without any (behavior 15.97). */
export function PublicOutage({ outage }: { outage: Outage }) {
  const { data = [] } = useQuery(pagesQuery);
  const pages = data.filter(({ components }) =>
    components.some(({ monitorId }) => monitorId === outage.monitor.id),
  );
  if (pages.length === 0) return null;
  return (
    <section className="card" aria-labelledby="public-pages">
      <h2 id="public-pages">Public pages</h2>
      <ul className="public-outages">
        {pages.map((page) => (
          <OnPage key={page.id} page={page} outage={outage} />
        ))}
      </ul>
    </section>
  );
}

function OnPage({ page, outage }: { page: Page; outage: Outage }) {
  const mayWrite = useHasRole("admin");
  const { data } = useQuery(pageOutagesQuery(page.id));
  const shown = data?.find(({ id }) => id === outage.id);
  const names = componentNames(page, [outage.monitor]);
  return (
    <li className="public-outage">
      <p>
        <Link href={`/pages/${page.id}/incidents`}>{page.title}</Link>
        {data && (
          <span className="list-row-detail">
            {shown ? <Shown incidentId={shown.incidentId} pageId={page.id} /> : "Too short to be shown."}
          </span>
        )}
      </p>
      {mayWrite && shown?.incidentId === null && (
        <TurnIntoIncident
          pageId={page.id}
          names={names}
          outage={shown}
          label={`${describeOutage(shown, names).title}, on ${page.title}`}
        />
      )}
    </li>
  );
}

function Shown({ incidentId, pageId }: { incidentId: string | null; pageId: string }) {
  if (incidentId === null) return "Shown by itself.";
  return (
    <>
      Shown as <Link href={`/pages/${pageId}/incidents/${incidentId}`}>an incident</Link>.
    </>
  );
}
