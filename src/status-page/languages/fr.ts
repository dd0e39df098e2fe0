import type { Texts } from "./texts.ts";

export const texts: Texts<"one" | "many" | "other"> = {
  colon: " : ",
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

  lastChange: "Dernière modification : {time}",
  since: "Depuis : {time}",
  span: "{from} – {to}",
  edited: "modifié : {time}",
  affected: "Concerne : {components}",
  lessThan: "moins de {amount}",
  timeZone: "Fuseau horaire : {zone}",
  ownTimeZone: "Heures affichées dans votre fuseau horaire : {zone}",
  notRefreshed: "Impossible d’actualiser la page depuis : {time}.",

  currentIncidents: "Incidents en cours",
  maintenanceInProgress: "Maintenance en cours",
  components: "Composants",
  scheduledMaintenance: "Maintenance planifiée",
  past: "Incidents et maintenances passés",
  noneInDays: {
    one: "Aucun au cours des {count} derniers jours.",
    many: "Aucun au cours des {count} derniers jours.",
    other: "Aucun au cours des {count} derniers jours.",
  },
  earlierUpdates: {
    one: "{count} mise à jour antérieure",
    many: "{count} mises à jour antérieures",
    other: "{count} mises à jour antérieures",
  },
  endedMaintenance: "Maintenance, {span}",
  atomFeed: "Flux Atom",

  colorsOfDays: "Couleurs des jours",
  utcDays: "Jours en UTC",
  history: {
    one: "Historique sur {count} jour : {problems}",
    many: "Historique sur {count} jours : {problems}",
    other: "Historique sur {count} jours : {problems}",
  },
  noDaysWithProblems: "aucun jour avec des problèmes",
  daysWithProblems: {
    one: "{count} jour avec des problèmes",
    many: "{count} jours avec des problèmes",
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
    title: { down: "{name} est en panne", degraded: "{name} fonctionne en mode dégradé" },
    start: { down: "En panne depuis : {time}.", degraded: "En mode dégradé depuis : {time}." },
    later: "La panne est terminée, mais le service reste dégradé. Durée de la panne : {duration}.",
    end: "Durée : {duration}.",
  },

  notFound: { heading: "Page introuvable", text: "Il n’y a pas de page d’état à cette adresse." },
  subscribe: {
    heading: "S’abonner aux mises à jour",
    text: "Recevez un e-mail en cas d’incident ou de maintenance. Vous confirmez votre adresse grâce au premier message, et chaque message contient un lien de désabonnement.",
    address: "Adresse e-mail",
    button: "S’abonner",
    invalid: "Cette adresse e-mail n’est pas valide.",
  },
  pending: {
    heading: "Consultez votre boîte de réception",
    text: "Si l’adresse n’est pas encore abonnée, vous recevrez un message contenant un lien. Ouvrez-le pour confirmer votre abonnement.",
  },
  limited: {
    heading: "Trop de demandes",
    text: "Vous avez envoyé trop de demandes. Réessayez dans quelques minutes.",
  },
  confirm: {
    heading: "Confirmez votre abonnement",
    text: "Vous recevrez ensuite un e-mail lors des incidents et des maintenances de {title}.",
    button: "Confirmer",
  },
  confirmed: {
    heading: "Abonnement confirmé",
    text: "Vous recevrez un e-mail lors des incidents et des maintenances de {title}. Chaque message contient un lien de désabonnement.",
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
        "Cette adresse a été saisie pour recevoir des messages sur les incidents, les pannes et les maintenances de {title} ({url}).",
      confirm:
        "Si c’était vous, confirmez-le dans les trois jours. Sinon, ignorez ce message : sans confirmation, vous n’en recevrez pas d’autres.",
      button: "Confirmer l’abonnement",
    },
    newIncident: "Nouvel incident",
    maintenance: "Maintenance",
    maintenanceOver: "Maintenance terminée",
    began: "Début : {start}.",
    beganAndEnded: "Début : {start}. Fin : {end}.",
    beganAndEnds: "Début : {start}. Fin prévue : {end}.",
    changes: {
      one: "{count} changement : {list}",
      many: "{count} changements : {list}",
      other: "{count} changements : {list}",
    },
    changesOnPage: {
      one: "{count} changement sur {title} :",
      many: "{count} changements simultanés sur {title} :",
      other: "{count} changements simultanés sur {title} :",
    },
    andMore: { one: "et {count} autre", many: "et {count} autres", other: "et {count} autres" },
    last: "C’est le dernier message d’aujourd’hui, car un abonné en reçoit au maximum {count} par jour. La page indique l’état actuel.",
    open: "Ouvrir la page d’état",
    reason: "Vous recevez ces messages car cette adresse est abonnée à {title}.",
  },
};
