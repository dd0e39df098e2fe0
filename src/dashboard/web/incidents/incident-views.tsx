import { Route, Switch } from "wouter";
import { EditIncident, NewIncident } from "./incident-form.tsx";
import { Incidents } from "./incident-list.tsx";
import { IncidentPage } from "./incident-page.tsx";

/** The views of incidents. */
export function IncidentViews() {
  return (
    <Switch>
      <Route path="/pages/:page/incidents">{({ page }) => <Incidents key={page} pageId={page} />}</Route>
      <Route path="/pages/:page/incidents/new">
        {({ page }) => <NewIncident key={page} pageId={page} />}
      </Route>
      <Route path="/pages/:page/incidents/:id">
        {({ page, id }) => <IncidentPage key={id} pageId={page} id={id} />}
      </Route>
      <Route path="/pages/:page/incidents/:id/edit">
        {({ page, id }) => <EditIncident key={id} pageId={page} id={id} />}
      </Route>
    </Switch>
  );
}
