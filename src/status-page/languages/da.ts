import type { Texts } from "./texts.ts";

export const texts: Texts<"one" | "other"> = {
  colon: ": ",
  comma: ", ",

  summary: {
    none: "Alle systemer er i drift",
    minor: "Mindre driftsforstyrrelse",
    major: "Delvist systemnedbrud",
    critical: "Større nedbrud",
    maintenance: "Tjenesten er under vedligeholdelse",
  },
  componentStatus: {
    operational: "I drift",
    under_maintenance: "Under vedligeholdelse",
    degraded_performance: "Nedsat ydeevne",
    major_outage: "Større nedbrud",
  },
  incidentStatus: {
    investigating: "Undersøges",
    identified: "Årsag fundet",
    monitoring: "Overvåges",
    resolved: "Løst",
  },
  maintenanceState: { scheduled: "Planlagt", active: "I gang", ended: "Afsluttet" },
  day: { good: "Ingen problemer", partial: "Problemer", down: "Nedbrud", none: "Ingen data" },

  lastChange: "Seneste ændring: {time}",
  since: "Siden {time}",
  span: "{from} til {to}",
  edited: "redigeret: {time}",
  affected: "Berørt: {components}",
  lessThan: "mindre end {amount}",
  timeZone: "Tidszone: {zone}",
  ownTimeZone: "Tider i din tidszone: {zone}",
  notRefreshed: "Siden kunne ikke opdateres. Sidst opdateret: {time}.",

  currentIncidents: "Aktuelle hændelser",
  maintenanceInProgress: "Vedligeholdelse i gang",
  components: "Komponenter",
  scheduledMaintenance: "Planlagt vedligeholdelse",
  past: "Tidligere hændelser og vedligeholdelse",
  noneInDays: { one: "Ingen det seneste døgn.", other: "Ingen de seneste {count} dage." },
  earlierUpdates: { one: "{count} tidligere opdatering", other: "{count} tidligere opdateringer" },
  endedMaintenance: "Vedligeholdelse, {span}",
  atomFeed: "Atom-feed",

  colorsOfDays: "Dagenes farver",
  utcDays: "Dage i UTC",
  history: { one: "Historik for {count} dag: {problems}", other: "Historik for {count} dage: {problems}" },
  noDaysWithProblems: "ingen dage med problemer",
  daysWithProblems: { one: "{count} dag med problemer", other: "{count} dage med problemer" },
  andEarlier: { one: "og {count} tidligere", other: "og {count} tidligere" },
  today: "I dag",
  uptime: "{uptime} oppetid",
  noDataYet: "Ingen data endnu",
  meanLatency: "Gennemsnitlig svartid de seneste 24 timer",

  outage: {
    several: {
      down: { one: "{count} komponent er nede", other: "{count} komponenter er nede" },
      degraded: {
        one: "{count} komponent fungerer med nedsat ydeevne",
        other: "{count} komponenter fungerer med nedsat ydeevne",
      },
    },
    title: { down: "{name} er nede", degraded: "{name} fungerer med nedsat ydeevne" },
    start: { down: "Nede siden {time}.", degraded: "Nedsat ydeevne siden {time}." },
    later: "Nedbruddet er slut, men ydeevnen er stadig nedsat. Nedbruddets varighed: {duration}.",
    end: "Varighed: {duration}.",
  },

  detected: "Registreret",
  downtime: "Nedetid: {duration}",
  repeats: {
    every: "hver dag",
    on: ["søndage", "mandage", "tirsdage", "onsdage", "torsdage", "fredage", "lørdage"],
    other: "Gentages",
    next: "Næste gang: {time}",
  },
  months: { link: "Tidligere måneder", none: "Ingen hændelser og ingen vedligeholdelse i denne måned." },
  darkMode: "Mørkt tema",
  calendar: "Kalender for vedligeholdelse",

  notFound: { heading: "Siden blev ikke fundet", text: "Der er ingen statusside på denne adresse." },
  noIncident: "Denne side viser ikke denne hændelse.",
  unlock: { label: "Adgangskode", button: "Åbn siden", wrong: "Adgangskoden er forkert." },
  subscribe: {
    heading: "Abonner på opdateringer",
    text: "Få e-mails om hændelser og vedligeholdelse. Du bekræfter din adresse via den første besked, og hver besked indeholder et link til afmelding.",
    address: "E-mailadresse",
    button: "Abonner",
    invalid: "Det er ikke en gyldig e-mailadresse.",
  },
  choose: {
    label: "Vælg komponenter",
    hint: "Hvis du ikke vælger nogen, får du beskeder om alle komponenter.",
    save: "Gem",
    saved: "Dit valg er gemt",
  },
  pending: {
    heading: "Tjek din indbakke",
    text: "Hvis adressen ikke allerede er tilmeldt, får du en besked med et link. Åbn det for at bekræfte dit abonnement.",
  },
  limited: {
    heading: "For mange anmodninger",
    text: "Du har sendt for mange anmodninger. Prøv igen om et par minutter.",
  },
  confirm: {
    heading: "Bekræft dit abonnement",
    text: "Derefter får du e-mails om hændelser og vedligeholdelse for {title}.",
    button: "Bekræft",
  },
  confirmed: {
    heading: "Du er tilmeldt",
    text: "Du får e-mails om hændelser og vedligeholdelse for {title}. Hver besked indeholder et link til afmelding.",
  },
  unsubscribe: {
    heading: "Afmeld",
    text: "Du får derefter ikke flere beskeder om {title}.",
    button: "Afmeld",
  },
  unsubscribed: { heading: "Du er afmeldt", text: "Du får ikke flere beskeder om {title}." },

  mail: {
    optIn: {
      subject: "Bekræft dit abonnement på {title}",
      reason:
        "Denne adresse er indtastet for at modtage beskeder om hændelser, nedbrud og vedligeholdelse for {title} ({url}).",
      confirm:
        "Hvis det var dig, så bekræft abonnementet inden for tre dage. Hvis ikke, kan du ignorere denne besked: Uden bekræftelse kommer der ikke flere.",
      button: "Bekræft abonnementet",
    },
    newIncident: "Ny hændelse",
    maintenance: "Vedligeholdelse",
    maintenanceOver: "Vedligeholdelse afsluttet",
    planned: "Planlagt vedligeholdelse",
    moved: "Vedligeholdelse er flyttet",
    canceled: "Vedligeholdelse er aflyst",
    plannedFor: "Planlagt fra {start} til {end}.",
    began: "Start: {start}.",
    beganAndEnded: "Start: {start}. Slut: {end}.",
    beganAndEnds: "Start: {start}. Forventet slut: {end}.",
    changes: { one: "{count} ændring: {list}", other: "{count} ændringer: {list}" },
    changesOnPage: { one: "{count} ændring på {title}:", other: "{count} samtidige ændringer på {title}:" },
    andMore: { one: "og {count} mere", other: "og {count} mere" },
    last: "Dette er dagens sidste besked, for en abonnent får højst {count} om dagen. Siden viser den aktuelle status.",
    open: "Åbn statussiden",
    reason: "Du får disse beskeder, fordi du abonnerer på {title}.",
  },

  report: {
    uptime: "Oppetid",
    before: "før {uptime}",
    outages: "Nedbrud",
    missed: "Udeblevne kørsler",
    ends: "Udløber inden for 30 dage",
    certificate: "certifikat",
    domain: "domæne",
  },
};
