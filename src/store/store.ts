import type { Author } from "../domain/accounts/audit.ts";
import {
  createApiKey,
  createDefaultOrganization,
  deleteApiKey,
  findCaller,
  isFirstStart,
  listApiKeys,
  saveLastUses,
  updateApiKey,
} from "./accounts/api-keys.ts";
import {
  createOrganization,
  findSettings,
  listOrganizations,
  updateOrganization,
  updateSettings,
} from "./accounts/organizations.ts";
import {
  createSession,
  createWallLink,
  deleteSession,
  deleteWallLink,
  findSessionCaller,
  findWallLink,
  listWallLinks,
} from "./accounts/sessions.ts";
import { findPushKeys, storePushKeys } from "./alerts/bindings.ts";
import {
  createChannel,
  deleteChannel,
  disableGoneChannel,
  findChannel,
  listChannels,
  listCountedChannels,
  listMonitorIds,
  updateChannel,
} from "./alerts/channels.ts";
import { countPending, listDeliveries } from "./alerts/deliveries.ts";
import { createOrReplaceChannel } from "./alerts/pending-delivery.ts";
import { countUnnotified } from "./alerts/unnotified.ts";
import { listAuditEntries, pruneAuditEntries } from "./audit/audit-entries.ts";
import { applyConfiguration } from "./configuration/apply-configuration.ts";
import { exportConfiguration, storeRefs } from "./configuration/read-configuration.ts";
import type { Engine } from "./engine.ts";
import type { EngineQueries } from "./engine-queries.ts";
import { listFailureShares } from "./locations/failure-shares.ts";
import {
  createLocation,
  deleteLocation,
  findLocation,
  listLocations,
  listReports,
  updateLocation,
} from "./locations/locations.ts";
import { listWatched } from "./locations/watch.ts";
import { findMarker, findProbe, findRechecks, findWork, noteSeen } from "./locations/work.ts";
import { findCalendar } from "./maintenance/calendars.ts";
import {
  createMaintenance,
  createOrReplaceMaintenance,
  deleteMaintenance,
  endMaintenance,
  findMaintenance,
  listMaintenances,
  updateMaintenance,
} from "./maintenance/maintenances.ts";
import { pruneMaintenanceRuns } from "./maintenance/runs.ts";
import { listWatchedOrganizations, noteWindows } from "./maintenance/stored-maintenance.ts";
import { countBlind, listBlindOrganizations, storeBlindness } from "./monitors/blindness.ts";
import { changeInBulk } from "./monitors/bulk-changes.ts";
import { findRunOutput, listRuns } from "./monitors/job-runs.ts";
import { listCertificateExpiries } from "./monitors/monitor-report.ts";
import {
  createMonitor,
  createOrReplaceMonitor,
  findIdByPushToken,
  pauseAllMonitors,
  updateMonitor,
} from "./monitors/monitor-requests.ts";
import { countStatuses, deleteMonitor, findConfig, findMonitor, requestCheck } from "./monitors/monitors.ts";
import {
  type ChangeMarkers,
  findSettingMarkers,
  findStateMarkers,
  listRelated,
} from "./monitors/related-monitors.ts";
import { anyPingsHere } from "./monitors/update-monitors.ts";
import { joinNodes, leaveNodes, listNodes, listRetentions, noteNode } from "./nodes.ts";
import { exportOutages } from "./outages/exported-outages.ts";
import { findAttendance, findTimeline, listUnattended } from "./outages/outage-timeline.ts";
import {
  acknowledgeOutage,
  findOutage,
  findOutageReport,
  listOutages,
  listOutagesWithDetails,
  unacknowledgeOutage,
} from "./outages/outages.ts";
import { countPageMails, findMail, hasMails, listDueMails, recordMail } from "./pages/due-mails.ts";
import { listSettledCounts, readPageFacts } from "./pages/facts.ts";
import { deleteIncidentUpdate, editIncidentUpdate } from "./pages/incident-rows.ts";
import {
  addIncidentUpdate,
  createIncident,
  deleteIncident,
  findIncident,
  listIncidents,
  updateIncident,
} from "./pages/incidents.ts";
import { announce, listAnnouncingPages, listWatchedPages, pruneAnnouncements } from "./pages/page-events.ts";
import { listPageOutages } from "./pages/page-outages.ts";
import { findPageMarkers, keepReleased, pruneReleased } from "./pages/page-rows.ts";
import {
  createOrReplacePage,
  createPage,
  deletePage,
  findPage,
  findPasswordHash,
  listPages,
  updatePage,
} from "./pages/pages.ts";
import {
  confirmSubscription,
  deleteSubscription,
  findSubscription,
  pruneSubscribers,
  requestSubscription,
} from "./pages/subscribers.ts";
import {
  assertMaySignIn,
  deleteIdentity,
  linkIdentity,
  listIdentities,
  recordFailedSignIns,
  signInByIdentity,
} from "./people/identities.ts";
import { createLinkForEmail, createPersonLink, findInvite, redeemInvite } from "./people/invites.ts";
import {
  anyPasskeys,
  createPasskey,
  deletePasskey,
  findPasskey,
  listCredentials,
  listPasskeys,
  notePasskeyUse,
} from "./people/passkeys.ts";
import {
  createPerson,
  deletePerson,
  findPerson,
  invitePerson,
  listPeople,
  updatePerson,
} from "./people/people.ts";
import {
  createPersonSession,
  deleteOwnSession,
  deletePersonSession,
  findApplicant,
  findPersonCaller,
  findProfile,
  hasPasswords,
  listOwnSessions,
  renewSessions,
  setPassword,
  switchOrganization,
} from "./people/person-sessions.ts";
import {
  assertFreshSession,
  findSealKey,
  pruneUsedBeginnings,
  storeSealKey,
  useBeginning,
} from "./people/proof.ts";
import { isRefUsed } from "./refs.ts";
import {
  findPause,
  findRegistration,
  pruneRegistrations,
  saveRegistration,
} from "./registrations/registrations.ts";
import { type MonthRequest, readMonth } from "./reports/month.ts";
import { listEvents, listResults } from "./results/results.ts";
import { findReport } from "./statistics/monitor-report.ts";
import { at, hasDnsAnswer, lastSteady, type Sql, type Tx } from "./tx.ts";

export type { Due, EndedAttempt, PendingDelivery } from "./alerts/pending-delivery.ts";
export type { Claimant, LocationChange, OutageScope, OverdueMonitor, Sealing } from "./engine-queries.ts";
export type { LocationFailureShare } from "./locations/failure-shares.ts";
export type { LocationReport } from "./locations/locations.ts";
export type { WatchedLocation } from "./locations/watch.ts";
export type { ProbeCaller } from "./locations/work.ts";
export type { JobRun } from "./monitors/job-runs.ts";
export type {
  CertificateExpiry,
  EnrichedMonitor,
  MonitorReport,
  MonitorSnapshot,
  WorstMonitors,
} from "./monitors/monitor-report.ts";
export type { DueMonitor, Slot, StoredProbedMonitor } from "./monitors/related-monitors.ts";
export type { NodeSummary } from "./nodes.ts";
export type { ExportedOutage } from "./outages/exported-outages.ts";
export type { StoredAttendance } from "./outages/outage-timeline.ts";
export type { DueMail, MailOutcome } from "./pages/due-mails.ts";
export type { PageOutage } from "./pages/page-outages.ts";
export type { SubscribedPage } from "./pages/subscribers.ts";
export type { FailedSignIn, OwnIdentity, ProvenPerson } from "./people/identities.ts";
export type { NewWay, OpenInvite } from "./people/invites.ts";
export type { FoundPasskey, Passkey } from "./people/passkeys.ts";
export type { Applicant, OwnSession } from "./people/person-sessions.ts";
export type { Proof } from "./people/proof.ts";
export type { MonitorMonth } from "./reports/month.ts";
export type { ExportedResult } from "./results/result-items.ts";

/**
 * The only interface of the database for the other rooms: the queries that all engines share, each documented at its
 * function, and the queries of which each engine has its own version.
 */
export interface Store extends StoreQueries, Pick<Engine, "close"> {
  /** The same store, which writes each change with its author to the audit log (behavior 14.70). */
  as(author: Author): StoreQueries;
}

type StoreQueries = EngineQueries & NeutralQueries;

type NeutralQueries = ReturnType<typeof neutralQueries>;

/** @param pingRefusal see `Tx` */
export function createStore(driven: Engine, pingRefusal?: Tx["pingRefusal"]): Store {
  const engine = pingRefusal ? extended(driven, { pingRefusal }) : driven;
  return {
    ...allQueries(engine),
    as: (author) => allQueries(extended(engine, { author })),
    close: engine.close,
  };
}

function allQueries(engine: Engine): StoreQueries {
  const { queries } = engine;
  const neutral = neutralQueries(engine);
  return {
    ...queries,
    ...neutral,
    monitors: { ...neutral.monitors, ...queries.monitors },
    blindness: { ...neutral.blindness, ...queries.blindness },
    locations: { ...neutral.locations, ...queries.locations },
    results: { ...neutral.results, ...queries.results },
    deliveries: { ...neutral.deliveries, ...queries.deliveries },
    housekeeping: { ...neutral.housekeeping, ...queries.housekeeping },
    changes: { ...neutral.changes, ...queries.changes },
    nodes: { ...neutral.nodes, ...queries.nodes },
  };
}

/** The same engine, whose transactions know more. */
function extended(engine: Engine, more: Pick<Tx, "author" | "pingRefusal">): Engine {
  return {
    ...engine,
    read: (work) => engine.read((tx) => work({ ...tx, ...more })),
    write: (work) => engine.write((tx) => work({ ...tx, ...more })),
    writeMany: (work) => engine.writeMany((tx, lock) => work({ ...tx, ...more }, lock)),
    writeApart: (work) => engine.writeApart((tx) => work({ ...tx, ...more })),
  };
}

/** Binds each engine-neutral query to the kind of transaction that it needs. */
function neutralQueries(engine: Engine) {
  /** Runs on a snapshot. */
  const read =
    <Rest extends unknown[], Result>(work: (tx: Tx, ...rest: Rest) => Promise<Result>) =>
    (...rest: Rest): Promise<Result> =>
      engine.read((tx) => work(tx, ...rest));

  /** Runs on a snapshot, after other work that waits. */
  const readSlice =
    <Rest extends unknown[], Result>(work: (tx: Tx, ...rest: Rest) => Promise<Result>) =>
    (...rest: Rest): Promise<Result> =>
      engine.readSlice((tx) => work(tx, ...rest));

  /** Like `read`, if a single statement finds that there is anything to read: what is asked each second needs no snapshot then. */
  const readIf =
    <Rest extends unknown[], Item>(
      isAny: (sql: Sql) => Promise<boolean>,
      work: (tx: Tx, ...rest: Rest) => Promise<Item[]>,
    ) =>
    async (...rest: Rest): Promise<Item[]> =>
      (await isAny({ query: engine.poll })) ? engine.read((tx) => work(tx, ...rest)) : [];

  /** Runs in a transaction that is on the disk when the promise resolves. */
  const write =
    <Rest extends unknown[], Result>(work: (tx: Tx, ...rest: Rest) => Promise<Result>) =>
    (...rest: Rest): Promise<Result> =>
      engine.write((tx) => work(tx, ...rest));

  /** Runs in a transaction apart from the edits of users, which is on the disk when the promise resolves. */
  const writeApart =
    <Rest extends unknown[], Result>(work: (tx: Tx, ...rest: Rest) => Promise<Result>) =>
    (...rest: Rest): Promise<Result> =>
      engine.writeApart((tx) => work(tx, ...rest));

  /** Runs in a transaction that is on the disk a little later. */
  const writeSoon =
    <Rest extends unknown[], Result>(work: (tx: Tx, ...rest: Rest) => Promise<Result>) =>
    (...rest: Rest): Promise<Result> =>
      engine.writeWithoutSync((tx) => work(tx, ...rest));

  /** Runs as a single statement, outside of any transaction. */
  const poll =
    <Rest extends unknown[], Result>(work: (sql: Sql, ...rest: Rest) => Promise<Result>) =>
    (...rest: Rest): Promise<Result> =>
      work({ query: engine.poll }, ...rest);

  return {
    organizations: {
      create: write(at(createOrganization)),
      list: read(listOrganizations),
      update: write(updateOrganization),
      findSettings: read(findSettings),
      updateSettings: write(updateSettings),
      isFirstStart: read(isFirstStart),
      createDefault: write(at(createDefaultOrganization)),
    },
    apiKeys: {
      create: write(at(createApiKey)),
      list: read(listApiKeys),
      update: write(updateApiKey),
      delete: write(deleteApiKey),
      findCaller: read(findCaller),
      saveLastUses: writeSoon(saveLastUses),
    },
    sessions: {
      create: write(at(createSession)),
      delete: write(deleteSession),
      findCaller: read(findSessionCaller),
    },
    people: {
      create: write(at(createPerson)),
      list: read(listPeople),
      find: read(findPerson),
      update: write(updatePerson),
      delete: write(deletePerson),
      invite: write(at(invitePerson)),
      findInvite: read(at(findInvite)),
      redeemInvite: write(at(redeemInvite)),
      createLink: write(at(createPersonLink)),
      createLinkFor: writeApart(at(createLinkForEmail)),
      findApplicant: read(findApplicant),
      hasPasswords: read(hasPasswords),
      recordFailures: writeSoon(recordFailedSignIns),
      findProfile: read(findProfile),
      setPassword: write(at(setPassword)),
    },
    identities: {
      assertMaySignIn: read(at(assertMaySignIn)),
      signIn: write(at(signInByIdentity)),
      link: write(at(linkIdentity)),
      list: read(listIdentities),
      delete: write(deleteIdentity),
    },
    personSessions: {
      create: write(at(createPersonSession)),
      findCaller: read(findPersonCaller),
      assertFresh: read(at(assertFreshSession)),
      switchOrganization: write(switchOrganization),
      renew: writeSoon(renewSessions),
      list: read(at(listOwnSessions)),
      deleteOwn: write(deleteOwnSession),
      delete: write(deletePersonSession),
    },
    passkeys: {
      create: write(at(createPasskey)),
      list: read(listPasskeys),
      isAny: read(anyPasskeys),
      listCredentials: read(listCredentials),
      find: read(findPasskey),
      noteUse: write(at(notePasskeyUse)),
      delete: write(deletePasskey),
    },
    beginnings: { findKey: read(findSealKey), storeKey: write(storeSealKey), use: writeSoon(useBeginning) },
    wallLinks: {
      create: write(at(createWallLink)),
      list: read(listWallLinks),
      delete: write(deleteWallLink),
      find: read(findWallLink),
    },
    monitors: {
      create: write(at(createMonitor)),
      find: read(findMonitor),
      findConfig: read(findConfig),
      findIdByPushToken: read(findIdByPushToken),
      update: write(at(updateMonitor)),
      requestCheck: write(at(requestCheck)),
      createOrReplace: write(at(createOrReplaceMonitor)),
      delete: write(deleteMonitor),
      pauseAll: (organizationId: string, now: number) =>
        engine.writeMany((tx, lock) => pauseAllMonitors({ ...tx, now }, lock, organizationId)),
      changeInBulk: changeInBulk(engine),
      countUnnotified: countUnnotified(engine),
      countStatuses: read(countStatuses),
      findReport: read(at(findReport)),
      listRelated: read(listRelated),
      listCertificateExpiries: read(listCertificateExpiries),
      anyPingsHere: poll(anyPingsHere),
    },
    results: { list: read(listResults), listEvents: read(listEvents) },
    blindness: {
      listOrganizations: poll(listBlindOrganizations),
      count: read(countBlind),
      store: write(at(storeBlindness)),
    },
    locations: {
      create: write(at(createLocation)),
      list: read(listLocations),
      find: read(findLocation),
      update: write(updateLocation),
      delete: write(deleteLocation),
      findProbe: read(findProbe),
      noteSeen: writeSoon(noteSeen),
      findMarker: poll(findMarker),
      findWork: read(findWork),
      findRechecks: read(findRechecks),
      listWatched: poll(listWatched),
      listFailureShares: read(at(listFailureShares)),
      listReports: read(listReports),
    },
    maintenances: {
      create: write(at(createMaintenance)),
      list: read(at(listMaintenances)),
      find: read(at(findMaintenance)),
      update: write(at(updateMaintenance)),
      createOrReplace: write(at(createOrReplaceMaintenance)),
      end: write(at(endMaintenance)),
      delete: write(at(deleteMaintenance)),
      findCalendar: read(findCalendar),
      listWatched: poll(listWatchedOrganizations),
      noteWindows: write(at(noteWindows)),
    },
    pages: {
      create: write(at(createPage)),
      list: read(listPages),
      find: read(findPage),
      update: write(at(updatePage)),
      createOrReplace: write(at(createOrReplacePage)),
      findPasswordHash: read(findPasswordHash),
      delete: write(at(deletePage)),
      listOutages: read(at(listPageOutages)),
      findMarkers: read(findPageMarkers),
      keepReleased: write(at(keepReleased)),
      readFacts: read(at(readPageFacts)),
      listSettledCounts: read(listSettledCounts),
    },
    incidents: {
      create: write(at(createIncident)),
      list: read(listIncidents),
      find: read(findIncident),
      update: write(at(updateIncident)),
      addUpdate: write(at(addIncidentUpdate)),
      editUpdate: write(at(editIncidentUpdate)),
      deleteUpdate: write(at(deleteIncidentUpdate)),
      delete: write(at(deleteIncident)),
    },
    subscriptions: {
      request: writeApart(at(requestSubscription)),
      find: read(findSubscription),
      confirm: writeApart(at(confirmSubscription)),
      delete: writeApart(deleteSubscription),
    },
    announcements: {
      listPages: readIf(async (sql) => (await listWatchedPages(sql)).length > 0, at(listAnnouncingPages)),
      announce: write(at(announce)),
    },
    pageMails: {
      listDue: readIf(hasMails, listDueMails),
      find: read(findMail),
      record: writeSoon(recordMail),
      count: read(countPageMails),
    },
    channels: {
      create: write(at(createChannel)),
      list: read(listChannels),
      listCounted: read(listCountedChannels),
      listMonitorIds: read(listMonitorIds),
      find: read(findChannel),
      update: write(at(updateChannel)),
      createOrReplace: write(at(createOrReplaceChannel)),
      disableGone: write(at(disableGoneChannel)),
      delete: write(deleteChannel),
    },
    pushKeys: { find: read(findPushKeys), store: write(storePushKeys) },
    refs: { isUsed: read(isRefUsed) },
    deliveries: {
      list: read(listDeliveries),
      countPending: read(countPending),
    },
    registrations: {
      find: read(findRegistration),
      save: writeSoon(saveRegistration),
      findPause: read(at(findPause)),
    },
    configuration: {
      apply: applyConfiguration(engine),
      export: read(at(exportConfiguration)),
      storeRefs: write(at(storeRefs)),
    },
    audit: { list: read(listAuditEntries) },
    reports: {
      readMonth: readSlice((tx, organizationId: string, wanted: MonthRequest) =>
        readMonth(tx, organizationId, { ...wanted, size: engine.monitorsInSlice }),
      ),
    },
    runs: {
      list: read(listRuns),
      findOutput: read(findRunOutput),
    },
    outages: {
      list: read(listOutages),
      listWithDetails: read(listOutagesWithDetails),
      find: read(findOutage),
      findReport: read(findOutageReport),
      listUnattended: read(listUnattended),
      findAttendance: read(at(findAttendance)),
      findTimeline: read(findTimeline),
      acknowledge: write(at(acknowledgeOutage)),
      unacknowledge: write(at(unacknowledgeOutage)),
      export: readSlice(exportOutages),
    },
    housekeeping: {
      lastSteady: poll(lastSteady),
      hasDnsAnswer: poll(hasDnsAnswer),
      pruneAuditEntries: writeSoon(pruneAuditEntries),
      pruneMaintenanceRuns: writeSoon(pruneMaintenanceRuns),
      pruneSubscribers: writeSoon(at(pruneSubscribers)),
      pruneAnnouncements: writeSoon(pruneAnnouncements),
      pruneReleasedSlugs: writeSoon(at(pruneReleased)),
      pruneRegistrations: writeSoon(pruneRegistrations),
      pruneUsedBeginnings: writeSoon(at(pruneUsedBeginnings)),
    },
    nodes: {
      join: write(at(joinNodes)),
      note: writeSoon(at(noteNode)),
      leave: write(leaveNodes),
      list: read(at(listNodes)),
      listRetentions: poll(listRetentions),
    },
    changes: {
      /** In two turns of the event loop, because each part reads all monitors. */
      async findMarkers(organizationId: string): Promise<ChangeMarkers> {
        const { turn } = engine.queries.changes;
        await turn();
        const states = await read(findStateMarkers)(organizationId);
        await turn();
        const settings = await read(findSettingMarkers)(organizationId);
        const monitors = `${settings.monitors} ${states.monitors}`;
        return { ...states, ...settings, monitors };
      },
    },
  };
}
