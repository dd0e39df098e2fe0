import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Caller } from "../../domain/accounts/api-key.ts";
import type { Plan } from "../../domain/accounts/organization.ts";
import { shownMaintenance } from "../../domain/maintenance/maintenance.ts";
import { NewMaintenance } from "../../domain/maintenance/request.ts";
import { type MonitorType, parseConfig } from "../../domain/monitors/monitor.ts";
import { NewSchedule } from "../../domain/on-call/schedule.ts";
import { sealed } from "../../domain/pages/page-password.ts";
import { NewPage } from "../../domain/pages/page-request.ts";
import { NewReportMail } from "../../domain/reports/report-mail.ts";
import { Ref } from "../../domain/schemas/format.ts";
import { parameter } from "../../domain/schemas/schema.ts";
import { invalid } from "../../errors.ts";
import { ChannelBody, channelBody, examples as channelExamples, NewChannel } from "../alerts/channels.ts";
import { authentication, bodyFor } from "../auth/authentication.ts";
import { dataOf, operation } from "../http/openapi.ts";
import type { Services } from "../http/services.ts";
import { MaintenanceBody, examples as maintenanceExamples } from "../maintenance/maintenances.ts";
import {
  CreatedMonitorBody,
  createdMonitorBody,
  MonitorBody,
  monitorBody,
  examples as monitorExamples,
} from "../monitors/monitor-body.ts";
import { NewMonitor } from "../monitors/overview.ts";
import { ScheduleBody, scheduleBody, example as scheduleExample } from "../on-call/schedules.ts";
import { PageBody, pageBody, example as pageExample } from "../pages/pages.ts";
import { ReportMailBody, example as reportExample, reportMailBody } from "../reports/report-mails.ts";

const RefPath = Type.Object({ ref: parameter(Ref, "The name under which a configuration file knows it.") });

/** Behavior 16.4 to 16.9. */
export function byRefRoutes(services: Services) {
  const {
    store,
    clock,
    authenticator,
    bodies,
    alertReview,
    refreshChecks,
    baseUrl,
    registrations,
    accessRules,
    pageLock,
    publicPages,
  } = services;
  const admin = { role: "admin" } as const;
  /** 402 precedes the body, but only what is created needs a subscription. */
  const writing = (kind: "monitors" | "alertChannels") => ({
    ...admin,
    subscription: async ({ organizationId }: Caller, { ref = "" }: { ref?: string }) =>
      !(await store.refs.isUsed(organizationId, { kind, ref })),
  });
  return new Elysia({ prefix: "/api/v1", normalize: false })
    .use(authentication({ authenticator, store }))
    .put(
      "/monitors/by-ref/:ref",
      async ({ authored, caller, params, body, status }) => {
        await accessRules.confirmByRef(caller.organizationId, params.ref, body.config);
        await registrations.confirm(configIn(body, caller.plan));
        const result = await authored().monitors.createOrReplace(caller, withRef(body, params), clock.now());
        await refreshChecks();
        await alertReview.run();
        const calendar = await store.maintenances.findCalendar(caller.organizationId);
        const windows = { calendar, now: clock.now() };
        const shown = await registrations.shown(result.monitor.config);
        return result.isNew
          ? status(201, {
              data: { ...createdMonitorBody(result.monitor, { baseUrl: baseUrl(), ...windows }), ...shown },
            })
          : status(200, { data: { ...monitorBody(result.monitor, windows), ...shown } });
      },
      {
        params: RefPath,
        ...bodyFor({ authenticator, bodies }, NewMonitor, writing("monitors")),
        detail: operation({
          ...described("a monitor", "Its results stay."),
          tag: "Monitors",
          operationId: "putMonitorByRef",
          answer: dataOf(MonitorBody),
          example: { data: monitorExamples.monitor },
          created: {
            answer: { ...dataOf(CreatedMonitorBody), title: "PutMonitorByRefCreatedResponse" },
            example: { data: monitorExamples.created },
          },
          errors: [402, 403, 413, 422],
        }),
      },
    )
    .put(
      "/alerts/by-ref/:ref",
      async ({ authored, caller, params, body, status }) => {
        const result = await authored().channels.createOrReplace(caller, withRef(body, params), clock.now());
        return status(result.isNew ? 201 : 200, { data: channelBody(result.channel) });
      },
      {
        params: RefPath,
        ...bodyFor({ authenticator, bodies }, NewChannel, writing("alertChannels")),
        detail: operation({
          ...described("an alert channel", "Its bindings stay."),
          tag: "Alert channels",
          operationId: "putAlertChannelByRef",
          ...sameAnswer(ChannelBody, channelExamples.channel),
          errors: [402, 403, 413, 422],
        }),
      },
    )
    .put(
      "/maintenances/by-ref/:ref",
      async ({ authored, caller, params, body, status }) => {
        const values = withRef(body, params);
        const result = await authored().maintenances.createOrReplace(
          caller.organizationId,
          values,
          clock.now(),
        );
        await alertReview.run();
        return status(result.isNew ? 201 : 200, { data: shownMaintenance(result.maintenance) });
      },
      {
        params: RefPath,
        ...bodyFor({ authenticator, bodies }, NewMaintenance, admin),
        detail: operation({
          ...described("a maintenance", "Windows that are defined as before stay as they are."),
          tag: "Maintenances",
          operationId: "putMaintenanceByRef",
          ...sameAnswer(MaintenanceBody, maintenanceExamples.maintenance),
          errors: [403, 413, 422],
        }),
      },
    )
    .put(
      "/schedules/by-ref/:ref",
      async ({ authored, caller, params, body, status }) => {
        const values = withRef(body, params);
        const result = await authored().schedules.createOrReplace(caller.organizationId, values, clock.now());
        return status(result.isNew ? 201 : 200, { data: scheduleBody(result.schedule) });
      },
      {
        params: RefPath,
        ...bodyFor({ authenticator, bodies }, NewSchedule, admin),
        detail: operation({
          ...described("a schedule", "Its overrides stay."),
          tag: "On call",
          operationId: "putScheduleByRef",
          ...sameAnswer(ScheduleBody, scheduleExample),
          errors: [403, 413, 422],
        }),
      },
    )
    .put(
      "/reports/mails/by-ref/:ref",
      async ({ authored, caller, params, body, status }) => {
        const values = withRef(body, params);
        const result = await authored().reportMails.createOrReplace(
          caller.organizationId,
          values,
          clock.now(),
        );
        return status(result.isNew ? 201 : 200, { data: reportMailBody(result.report) });
      },
      {
        params: RefPath,
        ...bodyFor({ authenticator, bodies }, NewReportMail, admin),
        detail: operation({
          ...described("a report by mail", "A period that is done stays done."),
          tag: "Outages",
          operationId: "putReportMailByRef",
          ...sameAnswer(ReportMailBody, reportExample),
          errors: [403, 413, 422],
        }),
      },
    )
    .put(
      "/pages/by-ref/:ref",
      async ({ authored, caller, params, body, status }) => {
        const { ref } = withRef(body, params);
        const stored = body.password
          ? await authored().pages.findPasswordHash(caller.organizationId, params)
          : null;
        const values = { ...(await sealed(body, stored, pageLock.seal)), ref };
        const result = await authored().pages.createOrReplace(caller.organizationId, values, clock.now());
        return status(result.isNew ? 201 : 200, { data: pageBody(publicPages, result.page) });
      },
      {
        params: RefPath,
        ...bodyFor({ authenticator, bodies }, NewPage, admin),
        detail: operation({
          ...described("a public page", "A component without `id` keeps that of the same monitor."),
          tag: "Public pages",
          operationId: "putPageByRef",
          ...sameAnswer(PageBody, pageExample),
          errors: [403, 413, 422],
        }),
      },
    );
}

/** The config of a request, as it will be stored; without secrets. @throws AppError `invalid` */
function configIn({ type, config }: { type: MonitorType; config: unknown }, plan: Plan): object {
  return type === "TLS" ? parseConfig(type, config, plan) : {};
}

/** @throws AppError `invalid` if the body has another ref */
function withRef<Body extends { ref?: string }>(body: Body, { ref }: { ref: string }) {
  if (body.ref === undefined || body.ref === ref) return { ...body, ref };
  throw invalid(`ref must be left out or be that of the path, ${ref}`);
}

/** @param thing with its article @param what stays when it is replaced */
function described(thing: string, what: string) {
  return {
    summary: `Create or replace ${thing} by its ref`,
    description:
      `Creates ${thing} if none has this \`ref\`, else replaces its values in full: what is not sent gets the default of a new ` +
      `one. ${what}`,
  };
}

/** The same response for 200 and 201. */
function sameAnswer(schema: Parameters<typeof dataOf>[0], example: object) {
  const body = { answer: dataOf(schema), example: { data: example } };
  return { ...body, created: body };
}
