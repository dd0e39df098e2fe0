import type { Texts } from "./texts.ts";

export const texts: Texts<"one" | "few" | "other"> = {
  colon: ": ",
  comma: ", ",

  summary: {
    none: "Toate sistemele sunt operaționale",
    minor: "Întrerupere minoră a serviciului",
    major: "Întrerupere parțială a sistemului",
    critical: "Întrerupere majoră a serviciului",
    maintenance: "Serviciu în mentenanță",
  },
  componentStatus: {
    operational: "Operațional",
    under_maintenance: "În mentenanță",
    degraded_performance: "Performanță redusă",
    major_outage: "Întrerupere majoră",
  },
  incidentStatus: {
    investigating: "În curs de investigare",
    identified: "Cauză identificată",
    monitoring: "În monitorizare",
    resolved: "Rezolvat",
  },
  maintenanceState: { scheduled: "Programată", active: "În desfășurare", ended: "Încheiată" },
  day: { good: "Fără probleme", partial: "Probleme", down: "Întrerupere", none: "Fără date" },

  lastChange: "Ultima modificare: {time}",
  since: "Din {time}",
  span: "{from} – {to}",
  edited: "modificat: {time}",
  affected: "Componente afectate: {components}",
  lessThan: "mai puțin de {amount}",
  timeZone: "Fus orar: {zone}",
  ownTimeZone: "Orele sunt afișate în fusul dvs. orar: {zone}",
  notRefreshed: "Pagina nu a putut fi actualizată. Ultima actualizare: {time}.",

  currentIncidents: "Incidente curente",
  maintenanceInProgress: "Mentenanță în desfășurare",
  components: "Componente",
  scheduledMaintenance: "Mentenanță programată",
  past: "Incidente și lucrări de mentenanță anterioare",
  noneInDays: {
    one: "Niciunul în ultima zi.",
    few: "Niciunul în ultimele {count} zile.",
    other: "Niciunul în ultimele {count} de zile.",
  },
  earlierUpdates: {
    one: "{count} actualizare anterioară",
    few: "{count} actualizări anterioare",
    other: "{count} de actualizări anterioare",
  },
  endedMaintenance: "Mentenanță, {span}",
  atomFeed: "Flux Atom",

  colorsOfDays: "Culorile zilelor",
  utcDays: "Zilele sunt în UTC",
  history: {
    one: "Istoric pe {count} zi: {problems}",
    few: "Istoric pe {count} zile: {problems}",
    other: "Istoric pe {count} de zile: {problems}",
  },
  noDaysWithProblems: "nicio zi cu probleme",
  daysWithProblems: {
    one: "{count} zi cu probleme",
    few: "{count} zile cu probleme",
    other: "{count} de zile cu probleme",
  },
  andEarlier: { one: "și {count} anterioară", few: "și {count} anterioare", other: "și {count} anterioare" },
  today: "Astăzi",
  uptime: "Disponibilitate {uptime}",
  noDataYet: "Încă nu există date",
  meanLatency: "Latența medie din ultimele 24 de ore",

  outage: {
    several: {
      down: {
        one: "{count} componentă nu funcționează",
        few: "{count} componente nu funcționează",
        other: "{count} de componente nu funcționează",
      },
      degraded: {
        one: "{count} componentă are performanță redusă",
        few: "{count} componente au performanță redusă",
        other: "{count} de componente au performanță redusă",
      },
    },
    title: { down: "{name} nu funcționează", degraded: "{name} are performanță redusă" },
    start: { down: "Nu funcționează din {time}.", degraded: "Performanță redusă din {time}." },
    later: "Întreruperea s-a încheiat, dar performanța este încă redusă. Durata întreruperii: {duration}.",
    end: "Durata: {duration}.",
  },

  detected: "Detectat",
  downtime: "Durata întreruperii: {duration}",
  repeats: {
    every: "în fiecare zi",
    on: ["duminica", "lunea", "marțea", "miercurea", "joia", "vinerea", "sâmbăta"],
    other: "Se repetă",
    next: "Data următoare: {time}",
  },
  months: {
    link: "Lunile anterioare",
    none: "Niciun incident și nicio lucrare de mentenanță în această lună.",
  },
  darkMode: "Mod întunecat",
  calendar: "Calendar de mentenanță",

  notFound: {
    heading: "Pagina nu a fost găsită",
    text: "Nu există nicio pagină de stare la această adresă.",
  },
  noIncident: "Această pagină nu afișează acest incident.",
  unlock: { label: "Parolă", button: "Deschideți pagina", wrong: "Parola este incorectă." },
  subscribe: {
    heading: "Abonați-vă la actualizări",
    text: "Primiți un e-mail despre incidente și mentenanță. Confirmați adresa prin primul mesaj, iar fiecare mesaj conține un link de dezabonare.",
    address: "Adresă de e-mail",
    button: "Abonare",
    invalid: "Aceasta nu este o adresă de e-mail validă.",
  },
  choose: {
    label: "Alegeți componentele",
    hint: "Dacă nu alegeți niciuna, primiți mesaje despre toate componentele.",
    save: "Salvați",
    saved: "Alegerea a fost salvată",
  },
  pending: {
    heading: "Verificați-vă căsuța de e-mail",
    text: "Dacă adresa nu este încă abonată, veți primi un mesaj cu un link. Deschideți-l pentru a confirma abonarea.",
  },
  limited: {
    heading: "Prea multe cereri",
    text: "Ați trimis prea multe cereri. Încercați din nou peste câteva minute.",
  },
  confirm: {
    heading: "Confirmați abonarea",
    text: "Veți primi apoi e-mailuri despre incidente și mentenanță pentru {title}.",
    button: "Confirmare",
  },
  confirmed: {
    heading: "Abonare confirmată",
    text: "Veți primi e-mailuri despre incidente și mentenanță pentru {title}. Fiecare mesaj conține un link de dezabonare.",
  },
  unsubscribe: {
    heading: "Dezabonare",
    text: "Nu veți mai primi mesaje despre {title}.",
    button: "Dezabonare",
  },
  unsubscribed: { heading: "V-ați dezabonat", text: "Nu veți mai primi mesaje despre {title}." },

  mail: {
    optIn: {
      subject: "Confirmați abonarea la {title}",
      reason:
        "Această adresă a fost introdusă pentru a primi mesaje despre incidente, întreruperi și mentenanță pentru {title} ({url}).",
      confirm:
        "Dacă ați fost dvs., confirmați în termen de trei zile. Dacă nu, ignorați acest mesaj: fără confirmare nu veți primi altele.",
      button: "Confirmați abonarea",
    },
    newIncident: "Incident nou",
    maintenance: "Mentenanță",
    maintenanceOver: "Mentenanță încheiată",
    planned: "Mentenanță programată",
    moved: "Mentenanță reprogramată",
    canceled: "Mentenanță anulată",
    plannedFor: "Programată de la {start} până la {end}.",
    began: "Început: {start}.",
    beganAndEnded: "Început: {start}. Sfârșit: {end}.",
    beganAndEnds: "Început: {start}. Sfârșit estimat: {end}.",
    changes: {
      one: "{count} modificare: {list}",
      few: "{count} modificări: {list}",
      other: "{count} de modificări: {list}",
    },
    changesOnPage: {
      one: "{count} modificare pentru {title}:",
      few: "{count} modificări simultane pentru {title}:",
      other: "{count} de modificări simultane pentru {title}:",
    },
    andMore: { one: "și încă {count}", few: "și încă {count}", other: "și încă {count}" },
    last: "Acesta este ultimul mesaj de astăzi, deoarece un abonat primește cel mult {count} pe zi. Pagina arată starea actuală.",
    open: "Deschideți pagina de stare",
    reason: "Primiți aceste mesaje deoarece această adresă este abonată la {title}.",
  },

  report: {
    uptime: "Disponibilitate",
    before: "înainte: {uptime}",
    outages: "Întreruperi",
    missed: "Rulări ratate",
    ends: "Expiră în 30 de zile",
    certificate: "certificat",
    domain: "domeniu",
  },
};
