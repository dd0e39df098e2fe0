import { queryOptions } from "@tanstack/react-query";
import { api, ask } from "./api.ts";

/* What more than one view asks for. */

export const organizationQuery = queryOptions({
  queryKey: ["organization"],
  queryFn: () => ask(api.organization.get()),
});

export const channelsQuery = queryOptions({
  queryKey: ["channels"],
  queryFn: () => ask(api.alerts.get()),
});
