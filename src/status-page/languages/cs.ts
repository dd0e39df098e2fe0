import type { Texts } from "./texts.ts";

export const texts: Texts<"one" | "few" | "many" | "other"> = {
  colon: ": ",
  comma: ", ",

  summary: {
    none: "Všechny systémy v provozu",
    minor: "Menší výpadek služby",
    major: "Částečný výpadek systému",
    critical: "Závažný výpadek služby",
    maintenance: "Probíhá údržba",
  },
  componentStatus: {
    operational: "V provozu",
    under_maintenance: "Probíhá údržba",
    degraded_performance: "Snížený výkon",
    major_outage: "Závažný výpadek",
  },
  incidentStatus: {
    investigating: "Prověřujeme",
    identified: "Příčina nalezena",
    monitoring: "Sledujeme",
    resolved: "Vyřešeno",
  },
  maintenanceState: { scheduled: "Naplánováno", active: "Probíhá", ended: "Dokončeno" },
  day: { good: "Bez problémů", partial: "Problémy", down: "Výpadek", none: "Žádná data" },

  lastChange: "Poslední změna: {time}",
  since: "Od {time}",
  span: "{from} – {to}",
  edited: "upraveno: {time}",
  affected: "Dotčené komponenty: {components}",
  lessThan: "méně než {amount}",
  timeZone: "Časové pásmo: {zone}",
  ownTimeZone: "Časy jsou ve vašem časovém pásmu: {zone}",
  notRefreshed: "Stránku nelze obnovit. Naposledy obnoveno: {time}.",

  currentIncidents: "Aktuální incidenty",
  maintenanceInProgress: "Probíhající údržba",
  components: "Komponenty",
  scheduledMaintenance: "Plánovaná údržba",
  past: "Předchozí incidenty a údržba",
  noneInDays: {
    one: "Za poslední den žádné.",
    few: "Za poslední {count} dny žádné.",
    many: "Za posledních {count} dne žádné.",
    other: "Za posledních {count} dní žádné.",
  },
  earlierUpdates: {
    one: "{count} dřívější zpráva",
    few: "{count} dřívější zprávy",
    many: "{count} dřívější zprávy",
    other: "{count} dřívějších zpráv",
  },
  endedMaintenance: "Údržba, {span}",
  atomFeed: "Kanál Atom",

  colorsOfDays: "Barvy dnů",
  utcDays: "Dny jsou v UTC",
  history: {
    one: "Historie za {count} den: {problems}",
    few: "Historie za {count} dny: {problems}",
    many: "Historie za {count} dne: {problems}",
    other: "Historie za {count} dní: {problems}",
  },
  noDaysWithProblems: "žádné dny s problémy",
  daysWithProblems: {
    one: "{count} den s problémy",
    few: "{count} dny s problémy",
    many: "{count} dne s problémy",
    other: "{count} dní s problémy",
  },
  andEarlier: {
    one: "a {count} dřívější",
    few: "a {count} dřívější",
    many: "a {count} dřívějšího",
    other: "a {count} dřívějších",
  },
  today: "Dnes",
  uptime: "Dostupnost {uptime}",
  noDataYet: "Zatím žádná data",
  meanLatency: "Průměrná odezva za posledních 24 hodin",

  outage: {
    title: { down: "{name} má výpadek", degraded: "{name} má omezený provoz" },
    start: { down: "Výpadek trvá od {time}.", degraded: "Omezený provoz trvá od {time}." },
    later: "Výpadek skončil, ale provoz je stále omezený. Délka výpadku: {duration}.",
    end: "Doba trvání: {duration}.",
  },

  notFound: { heading: "Stránka nenalezena", text: "Na této adrese není žádná stavová stránka." },
  noIncident: "Tato stránka tento incident nezobrazuje.",
  unlock: { label: "Heslo", button: "Otevřít stránku", wrong: "Heslo není správné." },
  subscribe: {
    heading: "Odebírat oznámení",
    text: "Dostávejte e-maily o incidentech a údržbě. Adresu potvrdíte v první zprávě a každá zpráva obsahuje odkaz pro odhlášení.",
    address: "E-mailová adresa",
    button: "Odebírat",
    invalid: "Toto není platná e-mailová adresa.",
  },
  pending: {
    heading: "Zkontrolujte si poštu",
    text: "Pokud adresa ještě není přihlášená k odběru, přijde vám zpráva s odkazem. Otevřete jej a odběr potvrďte.",
  },
  limited: {
    heading: "Příliš mnoho požadavků",
    text: "Odeslali jste příliš mnoho požadavků. Zkuste to znovu za několik minut.",
  },
  confirm: {
    heading: "Potvrďte odběr",
    text: "Poté budete dostávat e-maily o incidentech a údržbě. Stránka: {title}.",
    button: "Potvrdit",
  },
  confirmed: {
    heading: "Odběr je potvrzen",
    text: "Budete dostávat e-maily o incidentech a údržbě. Stránka: {title}. Každá zpráva obsahuje odkaz pro odhlášení.",
  },
  unsubscribe: {
    heading: "Odhlásit odběr",
    text: "Poté už nebudete dostávat žádné zprávy. Stránka: {title}.",
    button: "Odhlásit odběr",
  },
  unsubscribed: {
    heading: "Odběr byl zrušen",
    text: "Už nebudete dostávat žádné zprávy. Stránka: {title}.",
  },

  mail: {
    optIn: {
      subject: "Potvrďte odběr: {title}",
      reason:
        "Tato adresa byla zadána pro zasílání zpráv o incidentech, výpadcích a údržbě. Stránka: {title} ({url}).",
      confirm:
        "Pokud jste to byli vy, potvrďte odběr do tří dnů. Pokud ne, zprávu ignorujte: bez potvrzení žádné další nepřijdou.",
      button: "Potvrdit odběr",
    },
    newIncident: "Nový incident",
    maintenance: "Údržba",
    maintenanceOver: "Údržba skončila",
    began: "Začátek: {start}.",
    beganAndEnded: "Začátek: {start}. Konec: {end}.",
    beganAndEnds: "Začátek: {start}. Předpokládaný konec: {end}.",
    changes: {
      one: "{count} změna: {list}",
      few: "{count} změny: {list}",
      many: "{count} změny: {list}",
      other: "{count} změn: {list}",
    },
    changesOnPage: {
      one: "{title}: {count} změna",
      few: "{title}: {count} změny ve stejnou dobu",
      many: "{title}: {count} změny ve stejnou dobu",
      other: "{title}: {count} změn ve stejnou dobu",
    },
    andMore: {
      one: "a {count} další",
      few: "a {count} další",
      many: "a {count} dalšího",
      other: "a {count} dalších",
    },
    last: "Toto je dnešní poslední zpráva, protože každý odběratel jich dostane nejvýše {count} denně. Aktuální stav najdete na stránce.",
    open: "Otevřít stavovou stránku",
    reason: "Tyto zprávy dostáváte, protože odebíráte: {title}.",
  },
};
