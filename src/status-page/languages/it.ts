import type { Texts } from "./texts.ts";

export const texts: Texts<"one" | "many" | "other"> = {
  colon: ": ",
  comma: ", ",

  summary: {
    none: "Tutti i sistemi sono operativi",
    minor: "Disservizio lieve",
    major: "Interruzione parziale del sistema",
    critical: "Interruzione grave del servizio",
    maintenance: "Servizio in manutenzione",
  },
  componentStatus: {
    operational: "Operativo",
    under_maintenance: "In manutenzione",
    degraded_performance: "Prestazioni ridotte",
    major_outage: "Interruzione grave",
  },
  incidentStatus: {
    investigating: "Analisi in corso",
    identified: "Causa individuata",
    monitoring: "In osservazione",
    resolved: "Risolto",
  },
  maintenanceState: { scheduled: "Programmata", active: "In corso", ended: "Completata" },
  day: { good: "Nessun problema", partial: "Problemi", down: "Interruzione", none: "Nessun dato" },

  lastChange: "Ultima modifica: {time}",
  since: "Inizio: {time}",
  span: "{from} – {to}",
  edited: "modificato: {time}",
  affected: "Componenti interessati: {components}",
  lessThan: "meno di {amount}",
  timeZone: "Fuso orario: {zone}",
  ownTimeZone: "Orari nel tuo fuso orario: {zone}",
  notRefreshed: "Impossibile aggiornare la pagina. Ultimo aggiornamento: {time}.",

  currentIncidents: "Incidenti in corso",
  maintenanceInProgress: "Manutenzione in corso",
  components: "Componenti",
  scheduledMaintenance: "Manutenzione programmata",
  past: "Incidenti e manutenzioni precedenti",
  noneInDays: {
    one: "Nessuno nell’ultimo giorno.",
    many: "Nessuno negli ultimi {count} di giorni.",
    other: "Nessuno negli ultimi {count} giorni.",
  },
  earlierUpdates: {
    one: "{count} aggiornamento precedente",
    many: "{count} di aggiornamenti precedenti",
    other: "{count} aggiornamenti precedenti",
  },
  endedMaintenance: "Manutenzione, {span}",
  atomFeed: "Feed Atom",

  colorsOfDays: "Colori dei giorni",
  utcDays: "Giorni in UTC",
  history: {
    one: "Cronologia di {count} giorno: {problems}",
    many: "Cronologia di {count} di giorni: {problems}",
    other: "Cronologia di {count} giorni: {problems}",
  },
  noDaysWithProblems: "nessun giorno con problemi",
  daysWithProblems: {
    one: "{count} giorno con problemi",
    many: "{count} di giorni con problemi",
    other: "{count} giorni con problemi",
  },
  andEarlier: { one: "e {count} precedente", many: "e {count} precedenti", other: "e {count} precedenti" },
  today: "Oggi",
  uptime: "{uptime} di disponibilità",
  noDataYet: "Ancora nessun dato",
  meanLatency: "Latenza media delle ultime 24 ore",

  outage: {
    several: {
      down: {
        one: "{count} componente non è disponibile",
        many: "{count} di componenti non sono disponibili",
        other: "{count} componenti non sono disponibili",
      },
      degraded: {
        one: "{count} componente ha prestazioni ridotte",
        many: "{count} di componenti hanno prestazioni ridotte",
        other: "{count} componenti hanno prestazioni ridotte",
      },
    },
    title: { down: "{name} non è disponibile", degraded: "{name} ha prestazioni ridotte" },
    start: { down: "Non disponibile da: {time}.", degraded: "Prestazioni ridotte da: {time}." },
    later:
      "L’interruzione è terminata, ma le prestazioni sono ancora ridotte. Durata dell’interruzione: {duration}.",
    end: "Durata: {duration}.",
  },

  detected: "Rilevato",
  downtime: "Durata dell’interruzione: {duration}",
  repeats: {
    every: "ogni giorno",
    on: ["la domenica", "il lunedì", "il martedì", "il mercoledì", "il giovedì", "il venerdì", "il sabato"],
    other: "Si ripete",
    next: "Prossima volta: {time}",
  },
  months: { link: "Mesi precedenti", none: "Nessun incidente e nessuna manutenzione in questo mese." },
  darkMode: "Tema scuro",
  calendar: "Calendario delle manutenzioni",

  notFound: { heading: "Pagina non trovata", text: "A questo indirizzo non c’è nessuna pagina di stato." },
  noIncident: "Questa pagina non mostra questo incidente.",
  unlock: { label: "Password", button: "Apri la pagina", wrong: "La password non è corretta." },
  subscribe: {
    heading: "Iscriviti agli aggiornamenti",
    text: "Ricevi e-mail su incidenti e manutenzioni. Confermerai il tuo indirizzo con il primo messaggio, e ogni messaggio contiene un link per annullare l’iscrizione.",
    address: "Indirizzo e-mail",
    button: "Iscriviti",
    invalid: "Questo indirizzo e-mail non è valido.",
  },
  choose: {
    label: "Scegli i componenti",
    hint: "Se non ne scegli nessuno, ricevi i messaggi su tutti i componenti.",
    save: "Salva",
    saved: "La tua scelta è stata salvata",
  },
  pending: {
    heading: "Controlla la posta in arrivo",
    text: "Se l’indirizzo non è ancora iscritto, riceverai un messaggio con un link. Aprilo per confermare l’iscrizione.",
  },
  limited: { heading: "Troppe richieste", text: "Hai inviato troppe richieste. Riprova tra qualche minuto." },
  confirm: {
    heading: "Conferma la tua iscrizione",
    text: "Dopo la conferma riceverai e-mail sugli incidenti e le manutenzioni di {title}.",
    button: "Conferma",
  },
  confirmed: {
    heading: "Iscrizione confermata",
    text: "Riceverai e-mail sugli incidenti e le manutenzioni di {title}. Ogni messaggio contiene un link per annullare l’iscrizione.",
  },
  unsubscribe: {
    heading: "Annulla l’iscrizione",
    text: "Non riceverai più messaggi su {title}.",
    button: "Annulla l’iscrizione",
  },
  unsubscribed: { heading: "Iscrizione annullata", text: "Non riceverai più messaggi su {title}." },

  mail: {
    optIn: {
      subject: "Conferma la tua iscrizione: {title}",
      reason:
        "Questo indirizzo è stato inserito per ricevere messaggi su incidenti, interruzioni e manutenzioni di {title} ({url}).",
      confirm:
        "Se la richiesta è tua, conferma entro tre giorni. Altrimenti ignora questo messaggio: senza conferma non ne riceverai altri.",
      button: "Conferma l’iscrizione",
    },
    newIncident: "Nuovo incidente",
    maintenance: "Manutenzione",
    maintenanceOver: "Manutenzione completata",
    planned: "Manutenzione programmata",
    moved: "Manutenzione spostata",
    canceled: "Manutenzione annullata",
    plannedFor: "Prevista da: {start}, fino a: {end}.",
    began: "Inizio: {start}.",
    beganAndEnded: "Inizio: {start}. Fine: {end}.",
    beganAndEnds: "Inizio: {start}. Fine prevista: {end}.",
    changes: {
      one: "{count} modifica: {list}",
      many: "{count} di modifiche: {list}",
      other: "{count} modifiche: {list}",
    },
    changesOnPage: {
      one: "{count} modifica su {title}:",
      many: "{count} di modifiche contemporanee su {title}:",
      other: "{count} modifiche contemporanee su {title}:",
    },
    andMore: { one: "e {count} altra", many: "e altre {count}", other: "e altre {count}" },
    last: "Questo è l’ultimo messaggio di oggi, perché ogni iscritto ne riceve al massimo {count} al giorno. La pagina mostra lo stato attuale.",
    open: "Apri la pagina di stato",
    reason: "Ricevi questi messaggi perché questo indirizzo è iscritto agli aggiornamenti di {title}.",
  },

  report: {
    uptime: "Disponibilità",
    before: "prima: {uptime}",
    outages: "Interruzioni",
    missed: "Esecuzioni mancate",
    ends: "In scadenza entro 30 giorni",
    certificate: "certificato",
    domain: "dominio",
  },
};
