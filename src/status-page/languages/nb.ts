import type { Texts } from "./texts.ts";

export const texts: Texts<"one" | "other"> = {
  colon: ": ",
  comma: ", ",

  summary: {
    none: "Alle systemer er i drift",
    minor: "Mindre driftsforstyrrelse",
    major: "Delvis driftsavbrudd",
    critical: "Alvorlig driftsavbrudd",
    maintenance: "Vedlikehold pågår",
  },
  componentStatus: {
    operational: "I drift",
    under_maintenance: "Under vedlikehold",
    degraded_performance: "Redusert ytelse",
    major_outage: "Alvorlig driftsavbrudd",
  },
  incidentStatus: {
    investigating: "Undersøkes",
    identified: "Årsak funnet",
    monitoring: "Overvåkes",
    resolved: "Løst",
  },
  maintenanceState: { scheduled: "Planlagt", active: "Pågår", ended: "Fullført" },
  day: { good: "Ingen problemer", partial: "Problemer", down: "Driftsavbrudd", none: "Ingen data" },

  lastChange: "Siste endring: {time}",
  since: "Siden {time}",
  span: "{from} til {to}",
  edited: "redigert: {time}",
  affected: "Berørt: {components}",
  lessThan: "mindre enn {amount}",
  timeZone: "Tidssone: {zone}",
  ownTimeZone: "Tider i din tidssone: {zone}",
  notRefreshed: "Siden kunne ikke oppdateres. Sist oppdatert: {time}.",

  currentIncidents: "Pågående hendelser",
  maintenanceInProgress: "Pågående vedlikehold",
  components: "Komponenter",
  scheduledMaintenance: "Planlagt vedlikehold",
  past: "Tidligere hendelser og vedlikehold",
  noneInDays: { one: "Ingen det siste døgnet.", other: "Ingen de siste {count} dagene." },
  earlierUpdates: { one: "{count} tidligere oppdatering", other: "{count} tidligere oppdateringer" },
  endedMaintenance: "Vedlikehold, {span}",
  atomFeed: "Atom-feed",

  colorsOfDays: "Fargene på dagene",
  utcDays: "Dagene følger UTC",
  history: { one: "Historikk for {count} dag: {problems}", other: "Historikk for {count} dager: {problems}" },
  noDaysWithProblems: "ingen dager med problemer",
  daysWithProblems: { one: "{count} dag med problemer", other: "{count} dager med problemer" },
  andEarlier: { one: "og {count} tidligere", other: "og {count} tidligere" },
  today: "I dag",
  uptime: "{uptime} oppetid",
  noDataYet: "Ingen data ennå",
  meanLatency: "Gjennomsnittlig svartid de siste 24 timene",

  outage: {
    several: {
      down: { one: "{count} komponent er nede", other: "{count} komponenter er nede" },
      degraded: {
        one: "{count} komponent har redusert ytelse",
        other: "{count} komponenter har redusert ytelse",
      },
    },
    title: { down: "{name} er nede", degraded: "{name} har redusert ytelse" },
    start: { down: "Nede siden {time}.", degraded: "Redusert ytelse siden {time}." },
    later: "Avbruddet er over, men ytelsen er fortsatt redusert. Avbruddets varighet: {duration}.",
    end: "Varighet: {duration}.",
  },

  detected: "Oppdaget",
  downtime: "Nedetid: {duration}",
  repeats: {
    every: "hver dag",
    on: ["søndager", "mandager", "tirsdager", "onsdager", "torsdager", "fredager", "lørdager"],
    other: "Gjentas",
    next: "Neste gang: {time}",
  },
  months: { link: "Tidligere måneder", none: "Ingen hendelser og ikke noe vedlikehold denne måneden." },
  darkMode: "Mørk modus",
  calendar: "Kalender for vedlikehold",

  notFound: { heading: "Fant ikke siden", text: "Det finnes ingen statusside på denne adressen." },
  noIncident: "Denne siden viser ikke denne hendelsen.",
  unlock: { label: "Passord", button: "Åpne siden", wrong: "Passordet er feil." },
  subscribe: {
    heading: "Abonner på oppdateringer",
    text: "Få e-post om hendelser og vedlikehold. Du bekrefter adressen din med den første meldingen, og hver melding har en lenke for å melde deg av.",
    address: "E-postadresse",
    button: "Abonner",
    invalid: "Dette er ikke en gyldig e-postadresse.",
  },
  choose: {
    label: "Velg komponenter",
    hint: "Hvis du ikke velger noen, får du meldinger om alle komponenter.",
    save: "Lagre",
    saved: "Valget er lagret",
  },
  pending: {
    heading: "Sjekk innboksen din",
    text: "Hvis adressen ikke allerede er påmeldt, får du en melding med en lenke. Åpne den for å bekrefte abonnementet.",
  },
  limited: {
    heading: "For mange forespørsler",
    text: "Du har sendt for mange forespørsler. Prøv igjen om noen minutter.",
  },
  confirm: {
    heading: "Bekreft abonnementet",
    text: "Deretter får du e-post om hendelser og vedlikehold for {title}.",
    button: "Bekreft",
  },
  confirmed: {
    heading: "Du abonnerer nå",
    text: "Du får e-post om hendelser og vedlikehold for {title}. Hver melding har en lenke for å melde deg av.",
  },
  unsubscribe: {
    heading: "Meld deg av",
    text: "Du får da ikke flere meldinger om {title}.",
    button: "Meld deg av",
  },
  unsubscribed: { heading: "Du er meldt av", text: "Du får ikke flere meldinger om {title}." },

  mail: {
    optIn: {
      subject: "Bekreft abonnementet på {title}",
      reason:
        "Denne adressen er oppgitt for å få meldinger om hendelser, driftsavbrudd og vedlikehold for {title} ({url}).",
      confirm:
        "Hvis det var deg, bekreft innen tre dager. Hvis ikke, se bort fra denne meldingen: Uten bekreftelse kommer det ikke flere.",
      button: "Bekreft abonnementet",
    },
    newIncident: "Ny hendelse",
    maintenance: "Vedlikehold",
    maintenanceOver: "Vedlikeholdet er fullført",
    planned: "Planlagt vedlikehold",
    moved: "Vedlikehold er flyttet",
    canceled: "Vedlikehold er avlyst",
    plannedFor: "Planlagt fra {start} til {end}.",
    began: "Start: {start}.",
    beganAndEnded: "Start: {start}. Slutt: {end}.",
    beganAndEnds: "Start: {start}. Forventet slutt: {end}.",
    changes: { one: "{count} endring: {list}", other: "{count} endringer: {list}" },
    changesOnPage: { one: "{count} endring hos {title}:", other: "{count} samtidige endringer hos {title}:" },
    andMore: { one: "og {count} til", other: "og {count} til" },
    last: "Dette er dagens siste melding, fordi en abonnent får høyst {count} per dag. Siden viser gjeldende status.",
    open: "Åpne statussiden",
    reason: "Du får disse meldingene fordi du abonnerer på {title}.",
  },

  report: {
    uptime: "Oppetid",
    before: "før: {uptime}",
    outages: "Driftsavbrudd",
    missed: "Uteblitte kjøringer",
    ends: "Utløper innen 30 dager",
    certificate: "sertifikat",
    domain: "domene",
  },
};
