import type { Texts } from "./texts.ts";

export const texts: Texts<"one" | "other"> = {
  colon: ": ",
  comma: ", ",

  summary: {
    none: "Alla system fungerar",
    minor: "Mindre driftstörning",
    major: "Delvis systemavbrott",
    critical: "Större avbrott",
    maintenance: "Underhåll pågår",
  },
  componentStatus: {
    operational: "I drift",
    under_maintenance: "Underhåll pågår",
    degraded_performance: "Nedsatt prestanda",
    major_outage: "Större avbrott",
  },
  incidentStatus: {
    investigating: "Utreds",
    identified: "Orsak identifierad",
    monitoring: "Övervakas",
    resolved: "Löst",
  },
  maintenanceState: { scheduled: "Planerat", active: "Pågår", ended: "Avslutat" },
  day: { good: "Inga problem", partial: "Problem", down: "Avbrott", none: "Inga data" },

  lastChange: "Senaste ändring: {time}",
  since: "Sedan {time}",
  span: "{from} till {to}",
  edited: "redigerad: {time}",
  affected: "Påverkar: {components}",
  lessThan: "mindre än {amount}",
  timeZone: "Tidszon: {zone}",
  ownTimeZone: "Tider i din tidszon: {zone}",
  notRefreshed: "Sidan har inte kunnat uppdateras sedan {time}.",

  currentIncidents: "Pågående incidenter",
  maintenanceInProgress: "Pågående underhåll",
  components: "Komponenter",
  scheduledMaintenance: "Planerat underhåll",
  past: "Tidigare incidenter och underhåll",
  noneInDays: { one: "Inga under det senaste dygnet.", other: "Inga under de senaste {count} dagarna." },
  earlierUpdates: { one: "{count} tidigare uppdatering", other: "{count} tidigare uppdateringar" },
  endedMaintenance: "Underhåll, {span}",
  atomFeed: "Atom-flöde",

  colorsOfDays: "Dagarnas färger",
  utcDays: "Dagar i UTC",
  history: { one: "Historik för {count} dag: {problems}", other: "Historik för {count} dagar: {problems}" },
  noDaysWithProblems: "inga dagar med problem",
  daysWithProblems: { one: "{count} dag med problem", other: "{count} dagar med problem" },
  andEarlier: { one: "och {count} tidigare", other: "och {count} tidigare" },
  today: "I dag",
  uptime: "{uptime} tillgänglighet",
  noDataYet: "Inga data ännu",
  meanLatency: "Genomsnittlig svarstid de senaste 24 timmarna",

  outage: {
    several: {
      down: { one: "{count} komponent ligger nere", other: "{count} komponenter ligger nere" },
      degraded: {
        one: "{count} komponent har nedsatt prestanda",
        other: "{count} komponenter har nedsatt prestanda",
      },
    },
    title: { down: "{name} ligger nere", degraded: "{name} har nedsatt prestanda" },
    start: { down: "Nere sedan {time}.", degraded: "Nedsatt prestanda sedan {time}." },
    later: "Avbrottet är över, men prestandan är fortfarande nedsatt. Avbrottets längd: {duration}.",
    end: "Varaktighet: {duration}.",
  },

  detected: "Upptäckt",
  downtime: "Driftstopp: {duration}",
  repeats: {
    every: "varje dag",
    on: ["söndagar", "måndagar", "tisdagar", "onsdagar", "torsdagar", "fredagar", "lördagar"],
    other: "Återkommer",
    next: "Nästa gång: {time}",
  },
  months: { link: "Tidigare månader", none: "Inga incidenter och inget underhåll den här månaden." },
  darkMode: "Mörkt läge",
  calendar: "Kalender över underhåll",

  notFound: { heading: "Sidan hittades inte", text: "Det finns ingen statussida på den här adressen." },
  noIncident: "Den här sidan visar inte den här incidenten.",
  unlock: { label: "Lösenord", button: "Öppna sidan", wrong: "Lösenordet är fel." },
  subscribe: {
    heading: "Prenumerera på uppdateringar",
    text: "Få e-post om incidenter och underhåll. Du bekräftar din adress via det första meddelandet, och varje meddelande har en länk för att avsluta prenumerationen.",
    address: "E-postadress",
    button: "Prenumerera",
    invalid: "Det här är inte en giltig e-postadress.",
  },
  choose: {
    label: "Välj komponenter",
    hint: "Om du inte väljer någon får du meddelanden om alla komponenter.",
    save: "Spara",
    saved: "Ditt val har sparats",
  },
  pending: {
    heading: "Kontrollera din inkorg",
    text: "Om adressen inte redan prenumererar får du ett meddelande med en länk. Öppna den för att bekräfta prenumerationen.",
  },
  limited: {
    heading: "För många förfrågningar",
    text: "Du har skickat för många förfrågningar. Försök igen om några minuter.",
  },
  confirm: {
    heading: "Bekräfta din prenumeration",
    text: "Därefter får du e-post om incidenter och underhåll för {title}.",
    button: "Bekräfta",
  },
  confirmed: {
    heading: "Du prenumererar nu",
    text: "Du får e-post om incidenter och underhåll för {title}. Varje meddelande har en länk för att avsluta prenumerationen.",
  },
  unsubscribe: {
    heading: "Avsluta prenumerationen",
    text: "Du får då inga fler meddelanden om {title}.",
    button: "Avsluta prenumerationen",
  },
  unsubscribed: { heading: "Prenumerationen är avslutad", text: "Du får inga fler meddelanden om {title}." },

  mail: {
    optIn: {
      subject: "Bekräfta din prenumeration på {title}",
      reason:
        "Den här adressen har angetts för att få meddelanden om incidenter, avbrott och underhåll för {title} ({url}).",
      confirm:
        "Om det var du, bekräfta det inom tre dagar. Om inte, bortse från det här meddelandet: utan bekräftelse kommer inga fler.",
      button: "Bekräfta prenumerationen",
    },
    newIncident: "Ny incident",
    maintenance: "Underhåll",
    maintenanceOver: "Underhållet är avslutat",
    planned: "Planerat underhåll",
    moved: "Underhåll har flyttats",
    canceled: "Underhåll har ställts in",
    plannedFor: "Planerat från {start} till {end}.",
    began: "Start: {start}.",
    beganAndEnded: "Start: {start}. Slut: {end}.",
    beganAndEnds: "Start: {start}. Beräknat slut: {end}.",
    changes: { one: "{count} ändring: {list}", other: "{count} ändringar: {list}" },
    changesOnPage: { one: "{count} ändring för {title}:", other: "{count} samtidiga ändringar för {title}:" },
    andMore: { one: "och {count} till", other: "och {count} till" },
    last: "Det här är dagens sista meddelande, eftersom en prenumerant får högst {count} per dag. Sidan visar det aktuella läget.",
    open: "Öppna statussidan",
    reason: "Du får de här meddelandena eftersom du prenumererar på {title}.",
  },

  report: {
    uptime: "Tillgänglighet",
    before: "tidigare: {uptime}",
    outages: "Avbrott",
    missed: "Uteblivna körningar",
    ends: "Upphör inom 30 dagar",
    certificate: "certifikat",
    domain: "domän",
  },
};
