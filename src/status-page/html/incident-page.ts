import type { PublicIncident, PublicPage } from "../../domain/pages/public-page.ts";
import { html } from "../../html.ts";
import { htmlDocument, type PageAddress } from "./document.ts";
import { wholeIncident } from "./incidents.ts";

/** The page of one incident, to which feeds and other formats link. @param incident one of the page */
export function renderIncidentPage(
  page: PublicPage,
  { incident, base, url }: PageAddress & { incident: PublicIncident },
): string {
  const text = `${incident.title}. ${page.title}`;
  return htmlDocument({
    title: `${incident.title} – ${page.title}`,
    base,
    head: html`<meta name="description" content="${text}">
<link rel="canonical" href="${url}/incidents/${incident.id}">`,
    body: html`<main class="alone"><p class="back"><a href="${base}/"><bdi>${page.title}</bdi></a></p>
${wholeIncident(incident, page.components)}
</main>
<footer><p>All times are in UTC.</p></footer>`,
  });
}
