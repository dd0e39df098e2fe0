import type { Texts } from "./texts.ts";

export const texts: Texts<"one" | "other"> = {
  colon: ": ",
  comma: ", ",

  summary: {
    none: "Alle Systeme betriebsbereit",
    minor: "Geringfügige Störung",
    major: "Teilweiser Systemausfall",
    critical: "Schwerwiegender Ausfall",
    maintenance: "Wartungsarbeiten",
  },
  componentStatus: {
    operational: "Betriebsbereit",
    under_maintenance: "In Wartung",
    degraded_performance: "Eingeschränkte Leistung",
    major_outage: "Ausfall",
  },
  incidentStatus: {
    investigating: "Wird untersucht",
    identified: "Ursache identifiziert",
    monitoring: "Unter Beobachtung",
    resolved: "Behoben",
  },
  maintenanceState: { scheduled: "Geplant", active: "Läuft", ended: "Abgeschlossen" },
  day: { good: "Keine Probleme", partial: "Probleme", down: "Ausfall", none: "Keine Daten" },

  lastChange: "Letzte Änderung: {time}",
  since: "Seit {time}",
  span: "{from} bis {to}",
  edited: "bearbeitet: {time}",
  affected: "Betroffen: {components}",
  lessThan: "weniger als {amount}",
  timeZone: "Zeitzone: {zone}",
  ownTimeZone: "Alle Zeiten in Ihrer Zeitzone: {zone}",
  notRefreshed: "Diese Seite konnte seit {time} nicht aktualisiert werden.",

  currentIncidents: "Aktuelle Störungen",
  maintenanceInProgress: "Laufende Wartung",
  components: "Komponenten",
  scheduledMaintenance: "Geplante Wartung",
  past: "Frühere Störungen und Wartungen",
  noneInDays: { one: "Keine innerhalb des letzten Tages.", other: "Keine in den letzten {count} Tagen." },
  earlierUpdates: { one: "{count} frühere Meldung", other: "{count} frühere Meldungen" },
  endedMaintenance: "Wartung, {span}",
  atomFeed: "Atom-Feed",

  colorsOfDays: "Farben der Tage",
  utcDays: "Tage in UTC",
  history: { one: "Verlauf über {count} Tag: {problems}", other: "Verlauf über {count} Tage: {problems}" },
  noDaysWithProblems: "keine Tage mit Problemen",
  daysWithProblems: { one: "{count} Tag mit Problemen", other: "{count} Tage mit Problemen" },
  andEarlier: { one: "und {count} früherer", other: "und {count} frühere" },
  today: "Heute",
  uptime: "{uptime} Verfügbarkeit",
  noDataYet: "Noch keine Daten",
  meanLatency: "Mittlere Antwortzeit der letzten 24 Stunden",

  outage: {
    several: {
      down: { one: "{count} Komponente ist ausgefallen", other: "{count} Komponenten sind ausgefallen" },
      degraded: {
        one: "{count} Komponente ist beeinträchtigt",
        other: "{count} Komponenten sind beeinträchtigt",
      },
    },
    title: { down: "{name} ist ausgefallen", degraded: "{name} ist beeinträchtigt" },
    start: { down: "Ausgefallen seit {time}.", degraded: "Beeinträchtigt seit {time}." },
    later:
      "Der Ausfall ist vorbei, aber der Betrieb ist noch beeinträchtigt. Dauer des Ausfalls: {duration}.",
    end: "Dauer: {duration}.",
  },

  detected: "Erkannt",
  downtime: "Ausfallzeit: {duration}",
  repeats: {
    every: "täglich",
    on: ["sonntags", "montags", "dienstags", "mittwochs", "donnerstags", "freitags", "samstags"],
    other: "Regelmäßig",
    next: "Nächster Termin: {time}",
  },
  months: { link: "Frühere Monate", none: "In diesem Monat gab es keine Störungen und keine Wartungen." },
  darkMode: "Dunkles Design",
  calendar: "Wartungskalender",

  notFound: { heading: "Seite nicht gefunden", text: "Unter dieser Adresse gibt es keine Statusseite." },
  noIncident: "Diese Seite zeigt diese Störung nicht.",
  unlock: { label: "Passwort", button: "Seite öffnen", wrong: "Das Passwort ist falsch." },
  subscribe: {
    heading: "Meldungen abonnieren",
    text: "Erhalten Sie eine E-Mail bei Störungen und Wartungen. Ihre Adresse bestätigen Sie über die erste Nachricht. Jede Nachricht enthält einen Link zum Abbestellen.",
    address: "E-Mail-Adresse",
    button: "Abonnieren",
    invalid: "Das ist keine gültige E-Mail-Adresse.",
  },
  choose: {
    label: "Komponenten auswählen",
    hint: "Ohne Auswahl erhalten Sie Nachrichten zu allen Komponenten.",
    save: "Speichern",
    saved: "Ihre Auswahl ist gespeichert",
  },
  pending: {
    heading: "Prüfen Sie Ihren Posteingang",
    text: "Wenn die Adresse noch nicht angemeldet ist, erhalten Sie eine Nachricht mit einem Link. Öffnen Sie ihn, um das Abonnement zu bestätigen.",
  },
  limited: {
    heading: "Zu viele Anfragen",
    text: "Sie haben zu viele Anfragen gesendet. Versuchen Sie es in einigen Minuten erneut.",
  },
  confirm: {
    heading: "Abonnement bestätigen",
    text: "Sie erhalten dann E-Mails zu Störungen und Wartungen von {title}.",
    button: "Bestätigen",
  },
  confirmed: {
    heading: "Abonnement bestätigt",
    text: "Sie erhalten E-Mails zu Störungen und Wartungen von {title}. Jede Nachricht enthält einen Link zum Abbestellen.",
  },
  unsubscribe: {
    heading: "Abbestellen",
    text: "Sie erhalten dann keine Nachrichten mehr zu {title}.",
    button: "Abbestellen",
  },
  unsubscribed: { heading: "Abonnement beendet", text: "Sie erhalten keine Nachrichten mehr zu {title}." },

  mail: {
    optIn: {
      subject: "Bestätigen Sie Ihr Abonnement: {title}",
      reason:
        "Diese Adresse wurde eingetragen, um Nachrichten zu Störungen, Ausfällen und Wartungen von {title} ({url}) zu erhalten.",
      confirm:
        "Wenn Sie das waren, bestätigen Sie das Abonnement innerhalb von drei Tagen. Andernfalls ignorieren Sie diese Nachricht: Ohne Bestätigung erhalten Sie keine weiteren.",
      button: "Abonnement bestätigen",
    },
    newIncident: "Neue Störung",
    maintenance: "Wartung",
    maintenanceOver: "Wartung beendet",
    planned: "Geplante Wartung",
    moved: "Wartung verschoben",
    canceled: "Wartung abgesagt",
    plannedFor: "Geplant von {start} bis {end}.",
    began: "Beginn: {start}.",
    beganAndEnded: "Beginn: {start}. Ende: {end}.",
    beganAndEnds: "Beginn: {start}. Voraussichtliches Ende: {end}.",
    changes: { one: "{count} Änderung: {list}", other: "{count} Änderungen: {list}" },
    changesOnPage: {
      one: "{count} Änderung bei {title}:",
      other: "{count} gleichzeitige Änderungen bei {title}:",
    },
    andMore: { one: "und {count} weitere", other: "und {count} weitere" },
    last: "Dies ist die letzte Nachricht für heute, denn pro Tag werden höchstens {count} gesendet. Den aktuellen Stand zeigt die Statusseite.",
    open: "Statusseite öffnen",
    reason: "Sie erhalten diese Nachrichten, weil Sie {title} abonniert haben.",
  },

  report: {
    uptime: "Verfügbarkeit",
    before: "zuvor {uptime}",
    outages: "Ausfälle",
    missed: "Ausgebliebene Läufe",
    ends: "Enden innerhalb von 30 Tagen",
    certificate: "Zertifikat",
    domain: "Domain",
  },
};
