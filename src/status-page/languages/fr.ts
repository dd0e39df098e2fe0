import type { Texts } from "./texts.ts";

export const texts: Texts<"one" | "many" | "other"> = {
  colon: "\u00A0: ",
  comma: ", ",

  summary: {
    none: "Tous les systèmes sont opérationnels",
    minor: "Incident mineur",
    major: "Panne partielle du système",
    critical: "Panne majeure",
    maintenance: "Maintenance en cours",
  },
  componentStatus: {
    operational: "Opérationnel",
    under_maintenance: "En maintenance",
    degraded_performance: "Performances dégradées",
    major_outage: "Panne majeure",
  },
  incidentStatus: {
    investigating: "Analyse en cours",
    identified: "Cause identifiée",
    monitoring: "Sous surveillance",
    resolved: "Résolu",
  },
  maintenanceState: { scheduled: "Planifiée", active: "En cours", ended: "Terminée" },
  day: { good: "Aucun problème", partial: "Problèmes", down: "Panne", none: "Aucune donnée" },

  lastChange: "Dernière modification\u00A0: {time}",
  since: "Depuis\u00A0: {time}",
  span: "{from} – {to}",
  edited: "modifié\u00A0: {time}",
  affected: "Concerne\u00A0: {components}",
  lessThan: "moins de {amount}",
  timeZone: "Fuseau horaire\u00A0: {zone}",
  ownTimeZone: "Heures affichées dans votre fuseau horaire\u00A0: {zone}",
  notRefreshed: "Impossible d’actualiser la page depuis\u00A0: {time}.",

  currentIncidents: "Incidents en cours",
  maintenanceInProgress: "Maintenance en cours",
  components: "Composants",
  scheduledMaintenance: "Maintenance planifiée",
  past: "Incidents et maintenances passés",
  noneInDays: {
    one: "Aucun depuis {count} jour.",
    many: "Aucun depuis {count} de jours.",
    other: "Aucun depuis {count} jours.",
  },
  earlierUpdates: {
    one: "{count} mise à jour antérieure",
    many: "{count} de mises à jour antérieures",
    other: "{count} mises à jour antérieures",
  },
  endedMaintenance: "Maintenance, {span}",
  atomFeed: "Flux Atom",

  colorsOfDays: "Couleurs des jours",
  utcDays: "Jours en UTC",
  history: {
    one: "Historique sur {count} jour\u00A0: {problems}",
    many: "Historique sur {count} de jours\u00A0: {problems}",
    other: "Historique sur {count} jours\u00A0: {problems}",
  },
  noDaysWithProblems: "aucun jour avec des problèmes",
  daysWithProblems: {
    one: "{count} jour avec des problèmes",
    many: "{count} de jours avec des problèmes",
    other: "{count} jours avec des problèmes",
  },
  andEarlier: {
    one: "et {count} plus ancien",
    many: "et {count} plus anciens",
    other: "et {count} plus anciens",
  },
  today: "Aujourd’hui",
  uptime: "{uptime} de disponibilité",
  noDataYet: "Pas encore de données",
  meanLatency: "Latence moyenne des dernières 24 heures",

  outage: {
    several: {
      down: {
        one: "{count} composant est en panne",
        many: "{count} de composants sont en panne",
        other: "{count} composants sont en panne",
      },
      degraded: {
        one: "{count} composant fonctionne en mode dégradé",
        many: "{count} de composants fonctionnent en mode dégradé",
        other: "{count} composants fonctionnent en mode dégradé",
      },
    },
    title: { down: "{name} est en panne", degraded: "{name} fonctionne en mode dégradé" },
    start: { down: "En panne depuis\u00A0: {time}.", degraded: "En mode dégradé depuis\u00A0: {time}." },
    later: "La panne est terminée, mais le service reste dégradé. Durée de la panne\u00A0: {duration}.",
    end: "Durée\u00A0: {duration}.",
  },

  detected: "Détecté",
  downtime: "Durée de la panne\u00A0: {duration}",
  repeats: {
    every: "tous les jours",
    on: ["le dimanche", "le lundi", "le mardi", "le mercredi", "le jeudi", "le vendredi", "le samedi"],
    other: "Récurrente",
    next: "Prochaine fois\u00A0: {time}",
  },
  months: { link: "Mois précédents", none: "Aucun incident et aucune maintenance ce mois-ci." },
  darkMode: "Mode sombre",
  calendar: "Calendrier des maintenances",

  notFound: { heading: "Page introuvable", text: "Il n’y a pas de page d’état à cette adresse." },
  noIncident: "Cette page n’affiche pas cet incident.",
  unlock: { label: "Mot de passe", button: "Ouvrir la page", wrong: "Le mot de passe est incorrect." },
  subscribe: {
    heading: "S’abonner aux mises à jour",
    text: "Recevez un e-mail en cas d’incident ou de maintenance. Vous confirmez votre adresse grâce au premier message, et chaque message contient un lien de désabonnement.",
    address: "Adresse e-mail",
    button: "S’abonner",
    invalid: "Cette adresse e-mail n’est pas valide.",
  },
  choose: {
    label: "Choisir des composants",
    hint: "Si vous n’en choisissez aucun, vous recevrez les messages de tous les composants.",
    save: "Enregistrer",
    saved: "Votre choix est enregistré",
  },
  pending: {
    heading: "Consultez votre boîte de réception",
    text: "Si l’adresse n’est pas encore abonnée, vous recevrez un message contenant un lien. Ouvrez-le pour confirmer votre abonnement.",
  },
  limited: {
    heading: "Trop de requêtes",
    text: "Vous avez envoyé trop de requêtes. Réessayez dans quelques minutes.",
  },
  confirm: {
    heading: "Confirmez votre abonnement",
    text: "Vous recevrez ensuite un e-mail en cas d’incident ou de maintenance concernant {title}.",
    button: "Confirmer",
  },
  confirmed: {
    heading: "Abonnement confirmé",
    text: "Vous recevrez un e-mail en cas d’incident ou de maintenance concernant {title}. Chaque message contient un lien de désabonnement.",
  },
  unsubscribe: {
    heading: "Se désabonner",
    text: "Vous ne recevrez alors plus de messages concernant {title}.",
    button: "Se désabonner",
  },
  unsubscribed: {
    heading: "Désabonnement confirmé",
    text: "Vous ne recevrez plus de messages concernant {title}.",
  },

  mail: {
    optIn: {
      subject: "Confirmez votre abonnement à {title}",
      reason:
        "Cette adresse a été saisie pour recevoir des messages sur les incidents, les pannes et les maintenances concernant {title} ({url}).",
      confirm:
        "Si vous en êtes à l’origine, confirmez l’abonnement dans les trois jours. Sinon, ignorez ce message\u00A0: sans confirmation, vous n’en recevrez pas d’autre.",
      button: "Confirmer l’abonnement",
    },
    newIncident: "Nouvel incident",
    maintenance: "Maintenance",
    maintenanceOver: "Maintenance terminée",
    planned: "Maintenance planifiée",
    moved: "Maintenance déplacée",
    canceled: "Maintenance annulée",
    plannedFor: "Prévue du {start} au {end}.",
    began: "Début\u00A0: {start}.",
    beganAndEnded: "Début\u00A0: {start}. Fin\u00A0: {end}.",
    beganAndEnds: "Début\u00A0: {start}. Fin prévue\u00A0: {end}.",
    changes: {
      one: "{count} changement\u00A0: {list}",
      many: "{count} de changements\u00A0: {list}",
      other: "{count} changements\u00A0: {list}",
    },
    changesOnPage: {
      one: "{count} changement sur {title}\u00A0:",
      many: "{count} de changements simultanés sur {title}\u00A0:",
      other: "{count} changements simultanés sur {title}\u00A0:",
    },
    andMore: { one: "et {count} autre", many: "et {count} autres", other: "et {count} autres" },
    last: "Ceci est le dernier message de la journée, car un abonné en reçoit au maximum {count} par jour. La page indique l’état actuel.",
    open: "Ouvrir la page d’état",
    reason: "Vous recevez ces messages car cette adresse est abonnée à {title}.",
  },

  report: {
    uptime: "Disponibilité",
    before: "avant : {uptime}",
    outages: "Pannes",
    missed: "Exécutions manquées",
    ends: "Fin dans les 30 jours",
    certificate: "certificat",
    domain: "domaine",
  },
};
