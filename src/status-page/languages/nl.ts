import type { Texts } from "./texts.ts";

export const texts: Texts<"one" | "other"> = {
  colon: ": ",
  comma: ", ",

  summary: {
    none: "Alle systemen operationeel",
    minor: "Kleine storing",
    major: "Gedeeltelijke systeemstoring",
    critical: "Grote storing",
    maintenance: "Bezig met onderhoud",
  },
  componentStatus: {
    operational: "Operationeel",
    under_maintenance: "In onderhoud",
    degraded_performance: "Verminderde prestaties",
    major_outage: "Grote storing",
  },
  incidentStatus: {
    investigating: "In onderzoek",
    identified: "Oorzaak gevonden",
    monitoring: "Wordt gemonitord",
    resolved: "Opgelost",
  },
  maintenanceState: { scheduled: "Gepland", active: "Bezig", ended: "Afgerond" },
  day: { good: "Geen problemen", partial: "Problemen", down: "Storing", none: "Geen gegevens" },

  lastChange: "Laatste wijziging: {time}",
  since: "Sinds {time}",
  span: "{from} tot {to}",
  edited: "bewerkt: {time}",
  affected: "Getroffen: {components}",
  lessThan: "minder dan {amount}",
  timeZone: "Tijdzone: {zone}",
  ownTimeZone: "Tijden in je eigen tijdzone: {zone}",
  notRefreshed: "De pagina kan sinds {time} niet worden vernieuwd.",

  currentIncidents: "Actuele storingen",
  maintenanceInProgress: "Lopend onderhoud",
  components: "Onderdelen",
  scheduledMaintenance: "Gepland onderhoud",
  past: "Eerdere storingen en onderhoud",
  noneInDays: { one: "Geen in de afgelopen dag.", other: "Geen in de afgelopen {count} dagen." },
  earlierUpdates: { one: "{count} eerdere update", other: "{count} eerdere updates" },
  endedMaintenance: "Onderhoud, {span}",
  atomFeed: "Atom-feed",

  colorsOfDays: "Kleuren van de dagen",
  utcDays: "Dagen in UTC",
  history: {
    one: "Geschiedenis van {count} dag: {problems}",
    other: "Geschiedenis van {count} dagen: {problems}",
  },
  noDaysWithProblems: "geen dagen met problemen",
  daysWithProblems: { one: "{count} dag met problemen", other: "{count} dagen met problemen" },
  andEarlier: { one: "en {count} eerdere", other: "en {count} eerdere" },
  today: "Vandaag",
  uptime: "{uptime} beschikbaarheid",
  noDataYet: "Nog geen gegevens",
  meanLatency: "Gemiddelde responstijd van de afgelopen 24 uur",

  outage: {
    several: {
      down: {
        one: "{count} onderdeel is niet beschikbaar",
        other: "{count} onderdelen zijn niet beschikbaar",
      },
      degraded: {
        one: "{count} onderdeel heeft verminderde prestaties",
        other: "{count} onderdelen hebben verminderde prestaties",
      },
    },
    title: { down: "{name} is niet beschikbaar", degraded: "{name} heeft verminderde prestaties" },
    start: { down: "Niet beschikbaar sinds {time}.", degraded: "Verminderde prestaties sinds {time}." },
    later: "De uitval is voorbij, maar de prestaties zijn nog verminderd. Duur van de uitval: {duration}.",
    end: "Duur: {duration}.",
  },

  detected: "Gedetecteerd",
  downtime: "Duur van de storing: {duration}",
  repeats: {
    every: "elke dag",
    on: [
      "elke zondag",
      "elke maandag",
      "elke dinsdag",
      "elke woensdag",
      "elke donderdag",
      "elke vrijdag",
      "elke zaterdag",
    ],
    other: "Terugkerend",
    next: "Volgende keer: {time}",
  },
  months: { link: "Eerdere maanden", none: "Geen storingen en geen onderhoud in deze maand." },
  darkMode: "Donkere modus",
  calendar: "Onderhoudskalender",

  notFound: { heading: "Pagina niet gevonden", text: "Er is geen statuspagina op dit adres." },
  noIncident: "Deze pagina toont deze storing niet.",
  unlock: { label: "Wachtwoord", button: "Pagina openen", wrong: "Het wachtwoord is onjuist." },
  subscribe: {
    heading: "Abonneren op updates",
    text: "Ontvang een e-mail bij storingen en onderhoud. Je bevestigt je adres via het eerste bericht, en elk bericht bevat een link om je af te melden.",
    address: "E-mailadres",
    button: "Abonneren",
    invalid: "Dit is geen geldig e-mailadres.",
  },
  choose: {
    label: "Onderdelen kiezen",
    hint: "Als je niets kiest, krijg je berichten over alle onderdelen.",
    save: "Opslaan",
    saved: "Je keuze is opgeslagen",
  },
  pending: {
    heading: "Controleer je inbox",
    text: "Als het adres nog niet is aangemeld, ontvang je een bericht met een link. Open die om je abonnement te bevestigen.",
  },
  limited: {
    heading: "Te veel verzoeken",
    text: "Je hebt te veel verzoeken verstuurd. Probeer het over enkele minuten opnieuw.",
  },
  confirm: {
    heading: "Bevestig je abonnement",
    text: "Daarna ontvang je e-mails over storingen en onderhoud van {title}.",
    button: "Bevestigen",
  },
  confirmed: {
    heading: "Je bent geabonneerd",
    text: "Je ontvangt e-mails over storingen en onderhoud van {title}. Elk bericht bevat een link om je af te melden.",
  },
  unsubscribe: {
    heading: "Afmelden",
    text: "Je ontvangt dan geen berichten meer over {title}.",
    button: "Afmelden",
  },
  unsubscribed: { heading: "Je bent afgemeld", text: "Je ontvangt geen berichten meer over {title}." },

  mail: {
    optIn: {
      subject: "Bevestig je abonnement op {title}",
      reason:
        "Dit adres is ingevuld om berichten te ontvangen over storingen en onderhoud van {title} ({url}).",
      confirm:
        "Was jij dit, bevestig het dan binnen drie dagen. Zo niet, negeer dan dit bericht: zonder bevestiging volgen er geen andere.",
      button: "Abonnement bevestigen",
    },
    newIncident: "Nieuwe storing",
    maintenance: "Onderhoud",
    maintenanceOver: "Onderhoud afgerond",
    planned: "Gepland onderhoud",
    moved: "Onderhoud is verplaatst",
    canceled: "Onderhoud is geannuleerd",
    plannedFor: "Gepland van {start} tot {end}.",
    began: "Begin: {start}.",
    beganAndEnded: "Begin: {start}. Einde: {end}.",
    beganAndEnds: "Begin: {start}. Verwacht einde: {end}.",
    changes: { one: "{count} wijziging: {list}", other: "{count} wijzigingen: {list}" },
    changesOnPage: {
      one: "{count} wijziging bij {title}:",
      other: "{count} gelijktijdige wijzigingen bij {title}:",
    },
    andMore: { one: "en nog {count}", other: "en nog {count}" },
    last: "Dit is het laatste bericht van vandaag, want een abonnee ontvangt er hoogstens {count} per dag. De pagina toont de actuele status.",
    open: "Statuspagina openen",
    reason: "Je ontvangt deze berichten omdat je bent geabonneerd op {title}.",
  },

  report: {
    uptime: "Beschikbaarheid",
    before: "eerder: {uptime}",
    outages: "Storingen",
    missed: "Gemiste uitvoeringen",
    ends: "Verloopt binnen 30 dagen",
    certificate: "certificaat",
    domain: "domein",
  },
};
