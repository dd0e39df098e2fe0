import type { Author } from "../domain/accounts/audit.ts";
import * as apiKeys from "./accounts/api-keys.ts";
import * as firstStart from "./accounts/first-start.ts";
import * as organizationSettings from "./accounts/organization-settings.ts";
import * as organizations from "./accounts/organizations.ts";
import * as sessions from "./accounts/sessions.ts";
import * as bindings from "./alerts/bindings.ts";
import * as channels from "./alerts/channels.ts";
import * as deliveries from "./alerts/deliveries.ts";
import * as dueDeliveries from "./alerts/due-deliveries.ts";
import * as forecasts from "./alerts/review/forecasts.ts";
import * as unnotified from "./alerts/unnotified.ts";
import * as auditEntries from "./audit/audit-entries.ts";
import { assertUnchangedSince } from "./audit/undo.ts";
import * as causes from "./causes/causes.ts";
import * as knownMonitors from "./causes/known-monitors.ts";
import * as watchedCauses from "./causes/watched-causes.ts";
import * as discovered from "./discovery/discovered.ts";
import type { Engine } from "./engine.ts";
import type { EngineQueries } from "./engine-queries.ts";
import * as failureShares from "./locations/failure-shares.ts";
import * as locations from "./locations/locations.ts";
import * as watch from "./locations/watch.ts";
import * as work from "./locations/work.ts";
import * as calendars from "./maintenance/calendars.ts";
import * as maintenances from "./maintenance/maintenances.ts";
import * as runs from "./maintenance/runs.ts";
import * as storedMaintenance from "./maintenance/stored-maintenance.ts";
import * as blindness from "./monitors/blindness.ts";
import * as jobRuns from "./monitors/job-runs.ts";
import * as monitorReport from "./monitors/monitor-report.ts";
import * as monitorRequests from "./monitors/monitor-requests.ts";
import * as monitors from "./monitors/monitors.ts";
import type { ChangeMarkers } from "./monitors/related-monitors.ts";
import * as relatedMonitors from "./monitors/related-monitors.ts";
import * as updateMonitors from "./monitors/update-monitors.ts";
import * as nodes from "./nodes.ts";
import * as schedules from "./on-call/schedules.ts";
import * as unreached from "./on-call/unreached.ts";
import * as evidence from "./outages/evidence.ts";
import * as exportedOutages from "./outages/exported-outages.ts";
import * as outageTimeline from "./outages/outage-timeline.ts";
import * as outages from "./outages/outages.ts";
import * as dueMails from "./pages/due-mails.ts";
import * as facts from "./pages/facts.ts";
import * as incidentRows from "./pages/incident-rows.ts";
import * as incidents from "./pages/incidents.ts";
import * as pageEvents from "./pages/page-events.ts";
import * as pageOutages from "./pages/page-outages.ts";
import * as pageRows from "./pages/page-rows.ts";
import * as pages from "./pages/pages.ts";
import * as subscribers from "./pages/subscribers.ts";
import * as identities from "./people/identities.ts";
import * as invites from "./people/invites.ts";
import * as passkeys from "./people/passkeys.ts";
import * as people from "./people/people.ts";
import * as personSessions from "./people/person-sessions.ts";
import * as proof from "./people/proof.ts";
import * as refs from "./refs.ts";
import * as registrations from "./registrations/registrations.ts";
import * as month from "./reports/month.ts";
import * as reportFacts from "./reports/report-facts.ts";
import * as reportMails from "./reports/report-mails.ts";
import * as results from "./results/results.ts";
import * as statistics from "./statistics/monitor-report.ts";
import { at, hasDnsAnswer, lastSteady, type Sql, type TimedTx, type Tx } from "./tx.ts";

export type { Due, EndedAttempt, Gathering, PendingDelivery } from "./alerts/due-deliveries.ts";
export type { CauseWithMonitors } from "./causes/causes.ts";
export type { KnownMonitor } from "./causes/known-monitors.ts";
export type { StoredSituation, WatchedOrganization } from "./causes/watched-causes.ts";
export type { DiscoveredDocument, DiscoveredOutcome } from "./discovery/apply-discovered.ts";
export type { DiscoveredMonitor } from "./discovery/discovered.ts";
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
export type { ShownEvidence } from "./outages/evidence.ts";
export type { ExportedOutage } from "./outages/exported-outages.ts";
export type { StoredAttendance } from "./outages/outage-timeline.ts";
export type { LinkedOutage } from "./outages/outages.ts";
export type { DueMail, MailOutcome } from "./pages/due-mails.ts";
export type { PageOutage } from "./pages/page-outages.ts";
export type { SubscribedPage } from "./pages/subscribers.ts";
export type { FailedSignIn, OwnIdentity, ProvenPerson } from "./people/identities.ts";
export type { NewWay, OpenInvite } from "./people/invites.ts";
export type { FoundPasskey, Passkey } from "./people/passkeys.ts";
export type { Applicant, OwnSession } from "./people/person-sessions.ts";
export type { Proof } from "./people/proof.ts";
export type { MonitorMonth, MonthRequest, MonthSlice } from "./reports/month.ts";
export type { DueLetter } from "./reports/report-mails.ts";
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

/** Refusals of this server: see `Tx`. */
export type Refusals = Pick<Tx, "pingRefusal" | "targetRefusal">;

export function createStore(driven: Engine, refusals?: Refusals): Store {
  const engine = refusals ? extended(driven, refusals) : driven;
  return {
    ...allQueries(engine),
    as: (author) => allQueries(extended(author.isTried ? tried(engine) : engine, { author })),
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
function extended(engine: Engine, more: Pick<Tx, "author"> & Refusals): Engine {
  return {
    ...engine,
    read: (work) => engine.read((tx) => work({ ...tx, ...more })),
    write: (work) => engine.write((tx) => work({ ...tx, ...more })),
    writeMany: (work) => engine.writeMany((tx, lock) => work({ ...tx, ...more }, lock)),
    writeApart: (work) => engine.writeApart((tx) => work({ ...tx, ...more })),
  };
}

/** The same engine, which rolls the edits of users back after they have answered. */
function tried(engine: Engine): Engine {
  return {
    ...engine,
    write: (work) => rolledBack(engine.write, work),
    writeMany: (work) => rolledBack(engine.writeMany, work),
  };
}

async function rolledBack<Result, Given extends unknown[]>(
  write: (work: (...given: Given) => Promise<never>) => Promise<never>,
  work: (...given: Given) => Promise<Result>,
): Promise<Result> {
  const end = new Error("the edit is rolled back");
  let answer: { result: Result } | undefined;
  try {
    await write(async (...given) => {
      answer = { result: await work(...given) };
      throw end;
    });
  } catch (error) {
    if (error !== end || !answer) throw error;
  }
  return (answer as { result: Result }).result;
}

const applying = loadedOnce(() => import("./configuration/apply-configuration.ts"));
const discovering = loadedOnce(() => import("./discovery/apply-discovered.ts"));
const reading = loadedOnce(() => import("./configuration/read-configuration.ts"));
const bulkChanges = loadedOnce(() => import("./monitors/bulk-changes.ts"));
const pasts = loadedOnce(() => import("./replays/load-past.ts"));
const pastVersions = loadedOnce(() => import("./replays/past-version.ts"));

/** Loads a module at the first call. Later calls take no turn of the event loop. */
function loadedOnce<Module>(load: () => Promise<Module>): () => Promise<Module> {
  let loaded: Promise<Module> | undefined;
  return () => {
    loaded ??= load();
    return loaded;
  };
}

/** Binds each engine-neutral query to the kind of transaction that it needs. */
function neutralQueries(engine: Engine) {
  const through =
    (run: <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>) =>
    <Rest extends unknown[], Result>(work: (tx: Tx, ...rest: Rest) => Promise<Result>) =>
    (...rest: Rest): Promise<Result> =>
      run((tx) => work(tx, ...rest));

  /** Runs on a snapshot. */
  const read = through(engine.read);
  /** Runs on a snapshot, after other work that waits. */
  const readSlice = through(engine.readSlice);
  /** Runs in a transaction that is on the disk when the promise resolves. */
  const write = through(engine.write);
  /** Runs in a transaction apart from the edits of users, which is on the disk when the promise resolves. */
  const writeApart = through(engine.writeApart);
  /** Runs in a transaction that is on the disk a little later. */
  const writeSoon = through(engine.writeWithoutSync);

  /** The same for queries that their caller gives the time last. */
  const timed =
    (run: <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>) =>
    <Rest extends unknown[], Result>(work: (tx: TimedTx, ...rest: Rest) => Promise<Result>) =>
    (...rest: [...Rest, now: number]): Promise<Result> =>
      run((tx) => at(work)(tx, ...rest));
  const readAt = timed(engine.read);
  const writeAt = timed(engine.write);
  const writeApartAt = timed(engine.writeApart);
  const writeSoonAt = timed(engine.writeWithoutSync);

  /** Like `read`, if a single statement finds that there is anything to read: what is asked each second needs no snapshot then. */
  const readIf =
    <Rest extends unknown[], Item>(
      isAny: (sql: Sql) => Promise<boolean>,
      work: (tx: Tx, ...rest: Rest) => Promise<Item[]>,
    ) =>
    async (...rest: Rest): Promise<Item[]> =>
      (await isAny({ query: engine.poll })) ? engine.read((tx) => work(tx, ...rest)) : [];

  /** Runs as a single statement, outside of any transaction. */
  const poll =
    <Rest extends unknown[], Result>(work: (sql: Sql, ...rest: Rest) => Promise<Result>) =>
    (...rest: Rest): Promise<Result> =>
      work({ query: engine.poll }, ...rest);

  /** Runs in several transactions. */
  const several =
    <Rest extends unknown[], Result>(work: (engine: Engine, ...rest: Rest) => Promise<Result>) =>
    (...rest: Rest): Promise<Result> =>
      work(engine, ...rest);

  /** The same for queries that few people need: their module is loaded by the first call, not at the start. */
  const severalLater =
    <Rest extends unknown[], Result>(
      load: () => Promise<(engine: Engine, ...rest: Rest) => Promise<Result>>,
    ) =>
    async (...rest: Rest): Promise<Result> =>
      (await load())(engine, ...rest);

  return {
    organizations: {
      create: writeAt(organizations.createOrganization),
      list: read(organizations.listOrganizations),
      update: write(organizations.updateOrganization),
      findSettings: read(organizationSettings.findSettings),
      updateSettings: write(organizationSettings.updateSettings),
      isFirstStart: read(firstStart.isFirstStart),
      createDefault: writeAt(firstStart.createDefaultOrganization),
      findUnshownInvite: read(firstStart.findUnshownInvite),
      noteInviteShown: writeAt(firstStart.noteInviteShown),
    },
    apiKeys: {
      create: writeAt(apiKeys.createApiKey),
      list: read(apiKeys.listApiKeys),
      update: write(apiKeys.updateApiKey),
      delete: write(apiKeys.deleteApiKey),
      findCaller: read(apiKeys.findCaller),
      saveLastUses: writeSoon(apiKeys.saveLastUses),
    },
    sessions: {
      create: writeAt(sessions.createSession),
      delete: write(sessions.deleteSession),
      findCaller: read(sessions.findSessionCaller),
    },
    people: {
      create: writeAt(people.createPerson),
      list: read(people.listPeople),
      find: read(people.findPerson),
      update: write(people.updatePerson),
      delete: write(people.deletePerson),
      invite: writeAt(people.invitePerson),
      findInvite: readAt(invites.findInvite),
      redeemInvite: writeAt(invites.redeemInvite),
      createLink: writeAt(invites.createPersonLink),
      createLinkFor: writeApartAt(invites.createLinkForEmail),
      findApplicant: read(personSessions.findApplicant),
      hasPasswords: read(personSessions.hasPasswords),
      recordFailures: writeSoon(identities.recordFailedSignIns),
      findProfile: read(personSessions.findProfile),
      setPassword: writeAt(personSessions.setPassword),
    },
    identities: {
      assertMaySignIn: readAt(identities.assertMaySignIn),
      signIn: writeAt(identities.signInByIdentity),
      link: writeAt(identities.linkIdentity),
      list: read(identities.listIdentities),
      delete: write(identities.deleteIdentity),
    },
    personSessions: {
      create: writeAt(personSessions.createPersonSession),
      findCaller: read(personSessions.findPersonCaller),
      assertFresh: readAt(proof.assertFreshSession),
      switchOrganization: write(personSessions.switchOrganization),
      renew: writeSoon(personSessions.renewSessions),
      list: readAt(personSessions.listOwnSessions),
      deleteOwn: write(personSessions.deleteOwnSession),
      delete: write(personSessions.deletePersonSession),
    },
    passkeys: {
      create: writeAt(passkeys.createPasskey),
      list: read(passkeys.listPasskeys),
      isAny: read(passkeys.anyPasskeys),
      listCredentials: read(passkeys.listCredentials),
      find: read(passkeys.findPasskey),
      noteUse: writeAt(passkeys.notePasskeyUse),
      delete: write(passkeys.deletePasskey),
    },
    beginnings: {
      findKey: read(proof.findSealKey),
      storeKey: write(proof.storeSealKey),
      use: writeSoon(proof.useBeginning),
    },
    wallLinks: {
      create: writeAt(sessions.createWallLink),
      list: read(sessions.listWallLinks),
      delete: write(sessions.deleteWallLink),
      find: read(sessions.findWallLink),
    },
    monitors: {
      create: writeAt(monitorRequests.createMonitor),
      find: read(monitors.findMonitor),
      findConfig: read(monitors.findConfig),
      findConfigByRef: read(monitors.findConfigByRef),
      findIdByPushToken: read(monitorRequests.findIdByPushToken),
      update: writeAt(monitorRequests.updateMonitor),
      requestCheck: writeAt(monitors.requestCheck),
      createOrReplace: writeAt(monitorRequests.createOrReplaceMonitor),
      delete: write(monitors.deleteMonitor),
      pauseAll: (organizationId: string, now: number) =>
        engine.writeMany((tx, lock) =>
          monitorRequests.pauseAllMonitors({ ...tx, now }, lock, organizationId),
        ),
      changeInBulk: severalLater(async () => (await bulkChanges()).changeInBulk),
      undoInBulk: severalLater(async () => (await bulkChanges()).undoInBulk),
      countUnnotified: several(unnotified.countUnnotified),
      listUnnotified: several(unnotified.listUnnotified),
      countStatuses: read(monitors.countStatuses),
      findReport: readAt(statistics.findReport),
      listRelated: read(relatedMonitors.listRelated),
      forecastAlerts: readAt(forecasts.forecastAlerts),
      listCertificateExpiries: read(monitorReport.listCertificateExpiries),
      anyPingsHere: poll(updateMonitors.anyPingsHere),
    },
    results: { list: read(results.listResults), listEvents: read(results.listEvents) },
    blindness: {
      listOrganizations: poll(blindness.listBlindOrganizations),
      count: read(blindness.countBlind),
      store: writeAt(blindness.storeBlindness),
    },
    locations: {
      create: writeAt(locations.createLocation),
      list: read(locations.listLocations),
      find: read(locations.findLocation),
      update: write(locations.updateLocation),
      delete: write(locations.deleteLocation),
      findProbe: read(work.findProbe),
      noteSeen: writeSoon(work.noteSeen),
      findMarker: poll(work.findMarker),
      findWork: read(work.findWork),
      findRechecks: read(work.findRechecks),
      listWatched: poll(watch.listWatched),
      listFailureShares: readAt(failureShares.listFailureShares),
      listReports: read(locations.listReports),
    },
    maintenances: {
      create: writeAt(maintenances.createMaintenance),
      list: readAt(maintenances.listMaintenances),
      find: readAt(maintenances.findMaintenance),
      update: writeAt(maintenances.updateMaintenance),
      createOrReplace: writeAt(maintenances.createOrReplaceMaintenance),
      end: writeAt(maintenances.endMaintenance),
      delete: writeAt(maintenances.deleteMaintenance),
      findCalendar: read(calendars.findCalendar),
      listWatched: poll(storedMaintenance.listWatchedOrganizations),
      noteWindows: writeAt(storedMaintenance.noteWindows),
    },
    schedules: {
      create: writeAt(schedules.createSchedule),
      list: read(schedules.listSchedules),
      find: read(schedules.findSchedule),
      findRostered: read(schedules.findRostered),
      findByCalendar: read(schedules.findByCalendar),
      listUnreached: (now: number, organizationId?: string) =>
        engine.read((tx) => unreached.listUnreached({ ...tx, now }, organizationId)),
      update: writeAt(schedules.updateSchedule),
      createOrReplace: writeAt(schedules.createOrReplaceSchedule),
      delete: write(schedules.deleteSchedule),
      createOverride: writeAt(schedules.createOverride),
      findOverride: read(schedules.findOverride),
      deleteOverride: writeAt(schedules.deleteOverride),
      setCalendarToken: writeAt(schedules.setCalendarToken),
    },
    pages: {
      create: writeAt(pages.createPage),
      list: read(pages.listPages),
      find: read(pages.findPage),
      update: writeAt(pages.updatePage),
      createOrReplace: writeAt(pages.createOrReplacePage),
      findPasswordHash: read(pages.findPasswordHash),
      delete: writeAt(pages.deletePage),
      listOutages: readAt(pageOutages.listPageOutages),
      findMarkers: read(pageRows.findPageMarkers),
      keepReleased: writeAt(pageRows.keepReleased),
      readFacts: readAt(facts.readPageFacts),
      readMonth: readAt(facts.readPageMonth),
      listSettledCounts: read(facts.listSettledCounts),
    },
    incidents: {
      create: writeAt(incidents.createIncident),
      list: read(incidents.listIncidents),
      find: read(incidents.findIncident),
      findPage: read(incidents.findIncidentPage),
      update: writeAt(incidents.updateIncident),
      addUpdate: writeAt(incidents.addIncidentUpdate),
      editUpdate: writeAt(incidentRows.editIncidentUpdate),
      deleteUpdate: writeAt(incidentRows.deleteIncidentUpdate),
      delete: writeAt(incidents.deleteIncident),
    },
    subscriptions: {
      request: writeApartAt(subscribers.requestSubscription),
      find: read(subscribers.findSubscription),
      confirm: writeApartAt(subscribers.confirmSubscription),
      choose: writeApart(subscribers.chooseComponents),
      delete: writeApart(subscribers.deleteSubscription),
    },
    announcements: {
      listPages: readIf(
        async (sql) => (await pageEvents.listWatchedPages(sql)).length > 0,
        at(pageEvents.listAnnouncingPages),
      ),
      announce: writeAt(pageEvents.announce),
    },
    pageMails: {
      listDue: readIf(dueMails.hasMails, dueMails.listDueMails),
      find: read(dueMails.findMail),
      record: writeSoon(dueMails.recordMail),
      count: read(dueMails.countPageMails),
    },
    channels: {
      create: writeAt(channels.createChannel),
      list: read(channels.listChannels),
      listCounted: read(channels.listCountedChannels),
      listMonitorIds: read(channels.listMonitorIds),
      find: read(channels.findChannel),
      update: writeAt(channels.updateChannel),
      createOrReplace: writeAt(channels.createOrReplaceChannel),
      disableGone: writeAt(channels.disableGoneChannel),
      delete: write(channels.deleteChannel),
    },
    pushKeys: { find: read(bindings.findPushKeys), store: write(bindings.storePushKeys) },
    refs: { isUsed: read(refs.isRefUsed) },
    deliveries: {
      list: read(deliveries.listDeliveries),
      listGathering: poll(dueDeliveries.listGathering),
      countPending: read(deliveries.countPending),
    },
    registrations: {
      find: read(registrations.findRegistration),
      save: writeSoon(registrations.saveRegistration),
      findPause: readAt(registrations.findPause),
    },
    configuration: {
      apply: severalLater(async () => (await applying()).applyConfiguration),
      export: async (organizationId: string, now: number) =>
        readAt((await reading()).exportConfiguration)(organizationId, now),
      read: async (organizationId: string, now: number) =>
        readAt((await reading()).readConfiguration)({ organizationId }, now),
      storeRefs: async (organizationId: string, now: number) =>
        writeAt((await reading()).storeRefs)(organizationId, now),
    },
    discovery: {
      apply: severalLater(async () => (await discovering()).applyDiscovered),
      list: read(discovered.listDiscovered),
      listTargets: readSlice(discovered.listTargets),
    },
    audit: {
      list: read(auditEntries.listAuditEntries),
      find: read(auditEntries.findAuditEntry),
      assertUnchangedSince: read(assertUnchangedSince),
    },
    reports: {
      readMonth: readSlice(month.readMonth),
      readFacts: readSlice(reportFacts.readMonitorFacts),
      explain: read(reportFacts.explainOutages),
    },
    reportMails: {
      create: writeAt(reportMails.createReportMail),
      list: read(reportMails.listReportMails),
      find: read(reportMails.findReportMail),
      update: writeAt(reportMails.updateReportMail),
      createOrReplace: writeAt(reportMails.createOrReplaceReportMail),
      delete: write(reportMails.deleteReportMail),
      findRecipients: read(reportMails.findRecipients),
      isDue: poll(reportMails.isReportDue),
      queue: writeAt(reportMails.queueReports),
      listDue: read(reportMails.listDueLetters),
      record: writeSoon(reportMails.recordLetter),
    },
    runs: {
      list: read(jobRuns.listRuns),
      findOutput: read(jobRuns.findRunOutput),
    },
    outages: {
      list: read(outages.listOutages),
      listWithDetails: read(outages.listOutagesWithDetails),
      find: read(outages.findOutage),
      findLinked: read(outages.findLinkedOutage),
      findReport: read(outages.findOutageReport),
      listUnattended: read(outageTimeline.listUnattended),
      findAttendance: readAt(outageTimeline.findAttendance),
      findTimeline: read(outageTimeline.findTimeline),
      acknowledge: writeAt(outages.acknowledgeOutage),
      unacknowledge: writeAt(outages.unacknowledgeOutage),
      export: readSlice(exportedOutages.exportOutages),
    },
    evidence: {
      listOfOutage: read(evidence.listOutageEvidence),
      listOfMonitor: read(evidence.listMonitorEvidence),
    },
    causes: {
      list: read(causes.listCauses),
      find: read(causes.findCause),
      listKnownMonitors: readSlice(knownMonitors.listKnownMonitors),
      listWatched: poll(watchedCauses.listWatched),
      findSituation: read(watchedCauses.findSituation),
      save: writeApartAt(watchedCauses.saveCauses),
      ask: writeApartAt(watchedCauses.askMonitors),
      listEnds: read(watchedCauses.listCauseEnds),
      saveEnds: writeApart(watchedCauses.saveCauseEnds),
    },
    replays: {
      load: severalLater(async () => (await pasts()).loadPast),
      version: severalLater(async () => (await pastVersions()).pastVersion),
    },
    housekeeping: {
      lastSteady: poll(lastSteady),
      hasDnsAnswer: poll(hasDnsAnswer),
      pruneAuditEntries: writeSoon(auditEntries.pruneAuditEntries),
      pruneMaintenanceRuns: writeSoon(runs.pruneMaintenanceRuns),
      pruneSubscribers: writeSoonAt(subscribers.pruneSubscribers),
      pruneAnnouncements: writeSoon(pageEvents.pruneAnnouncements),
      pruneReleasedSlugs: writeSoonAt(pageRows.pruneReleased),
      pruneCauses: writeSoon(watchedCauses.pruneCauses),
      pruneRegistrations: writeSoon(registrations.pruneRegistrations),
      pruneUsedBeginnings: writeSoonAt(proof.pruneUsedBeginnings),
    },
    nodes: {
      join: writeAt(nodes.joinNodes),
      note: writeSoonAt(nodes.noteNode),
      leave: write(nodes.leaveNodes),
      list: readAt(nodes.listNodes),
      listRetentions: poll(nodes.listRetentions),
    },
    changes: {
      /** In two turns of the event loop, because each part reads all monitors. */
      async findMarkers(organizationId: string): Promise<ChangeMarkers> {
        const { turn } = engine.queries.changes;
        await turn();
        const states = await read(relatedMonitors.findStateMarkers)(organizationId);
        await turn();
        const settings = await read(relatedMonitors.findSettingMarkers)(organizationId);
        const monitors = `${settings.monitors} ${states.monitors}`;
        return { ...states, ...settings, monitors };
      },
    },
  };
}
