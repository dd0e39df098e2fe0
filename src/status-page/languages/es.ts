import type { Texts } from "./texts.ts";

export const texts: Texts<"one" | "many" | "other"> = {
  colon: ": ",
  comma: ", ",

  summary: {
    none: "Todos los sistemas funcionan con normalidad",
    minor: "Incidente leve en el servicio",
    major: "Interrupción parcial del sistema",
    critical: "Interrupción grave del servicio",
    maintenance: "Servicio en mantenimiento",
  },
  componentStatus: {
    operational: "Operativo",
    under_maintenance: "En mantenimiento",
    degraded_performance: "Rendimiento degradado",
    major_outage: "Interrupción grave",
  },
  incidentStatus: {
    investigating: "Investigando",
    identified: "Identificado",
    monitoring: "En observación",
    resolved: "Resuelto",
  },
  maintenanceState: { scheduled: "Programado", active: "En curso", ended: "Finalizado" },
  day: { good: "Sin problemas", partial: "Problemas", down: "Interrupción", none: "Sin datos" },

  lastChange: "Último cambio: {time}",
  since: "Desde: {time}",
  span: "{from} – {to}",
  edited: "editado: {time}",
  affected: "Afecta a: {components}",
  lessThan: "menos de {amount}",
  timeZone: "Zona horaria: {zone}",
  ownTimeZone: "Las horas se muestran en su zona horaria: {zone}",
  notRefreshed: "No se ha podido actualizar la página desde: {time}.",

  currentIncidents: "Incidentes actuales",
  maintenanceInProgress: "Mantenimiento en curso",
  components: "Componentes",
  scheduledMaintenance: "Mantenimiento programado",
  past: "Incidentes y mantenimientos anteriores",
  noneInDays: {
    one: "Ninguno en el último día.",
    many: "Ninguno en los últimos {count} de días.",
    other: "Ninguno en los últimos {count} días.",
  },
  earlierUpdates: {
    one: "{count} actualización anterior",
    many: "{count} de actualizaciones anteriores",
    other: "{count} actualizaciones anteriores",
  },
  endedMaintenance: "Mantenimiento, {span}",
  atomFeed: "Canal Atom",

  colorsOfDays: "Colores de los días",
  utcDays: "Días en UTC",
  history: {
    one: "Historial de {count} día: {problems}",
    many: "Historial de {count} de días: {problems}",
    other: "Historial de {count} días: {problems}",
  },
  noDaysWithProblems: "ningún día con problemas",
  daysWithProblems: {
    one: "{count} día con problemas",
    many: "{count} de días con problemas",
    other: "{count} días con problemas",
  },
  andEarlier: { one: "y {count} anterior", many: "y {count} anteriores", other: "y {count} anteriores" },
  today: "Hoy",
  uptime: "{uptime} de disponibilidad",
  noDataYet: "Aún no hay datos",
  meanLatency: "Latencia media de las últimas 24 horas",

  outage: {
    several: {
      down: {
        one: "{count} componente no está disponible",
        many: "{count} de componentes no están disponibles",
        other: "{count} componentes no están disponibles",
      },
      degraded: {
        one: "{count} componente funciona con problemas",
        many: "{count} de componentes funcionan con problemas",
        other: "{count} componentes funcionan con problemas",
      },
    },
    title: { down: "{name} no está disponible", degraded: "{name} funciona con problemas" },
    start: { down: "No disponible desde: {time}.", degraded: "Con problemas desde: {time}." },
    later:
      "La interrupción ha terminado, pero el servicio sigue degradado. Duración de la interrupción: {duration}.",
    end: "Duración: {duration}.",
  },

  detected: "Detectado",
  downtime: "Tiempo sin servicio: {duration}",
  repeats: {
    every: "todos los días",
    on: [
      "los domingos",
      "los lunes",
      "los martes",
      "los miércoles",
      "los jueves",
      "los viernes",
      "los sábados",
    ],
    other: "Se repite",
    next: "Próxima vez: {time}",
  },
  months: { link: "Meses anteriores", none: "No hubo incidentes ni mantenimientos en este mes." },
  darkMode: "Modo oscuro",
  calendar: "Calendario de mantenimiento",

  notFound: { heading: "Página no encontrada", text: "No hay ninguna página de estado en esta dirección." },
  noIncident: "Esta página no muestra este incidente.",
  unlock: { label: "Contraseña", button: "Abrir la página", wrong: "La contraseña no es correcta." },
  subscribe: {
    heading: "Suscribirse a las actualizaciones",
    text: "Reciba correos electrónicos sobre incidentes y mantenimientos. Confirmará su dirección con el primer mensaje, y cada mensaje incluye un enlace para cancelar la suscripción.",
    address: "Correo electrónico",
    button: "Suscribirse",
    invalid: "Esta dirección de correo electrónico no es válida.",
  },
  choose: {
    label: "Elegir componentes",
    hint: "Si no elige ninguno, recibirá mensajes sobre todos los componentes.",
    save: "Guardar",
    saved: "Su elección se ha guardado",
  },
  pending: {
    heading: "Revise su bandeja de entrada",
    text: "Si la dirección aún no está suscrita, recibirá un mensaje con un enlace. Ábralo para confirmar la suscripción.",
  },
  limited: {
    heading: "Demasiadas solicitudes",
    text: "Ha enviado demasiadas solicitudes. Inténtelo de nuevo dentro de unos minutos.",
  },
  confirm: {
    heading: "Confirme su suscripción",
    text: "A partir de ese momento recibirá correos sobre los incidentes y los mantenimientos de {title}.",
    button: "Confirmar",
  },
  confirmed: {
    heading: "Suscripción confirmada",
    text: "Recibirá correos sobre los incidentes y los mantenimientos de {title}. Cada mensaje incluye un enlace para cancelar la suscripción.",
  },
  unsubscribe: {
    heading: "Cancelar la suscripción",
    text: "Dejará de recibir mensajes sobre {title}.",
    button: "Cancelar la suscripción",
  },
  unsubscribed: { heading: "Suscripción cancelada", text: "Ya no recibirá mensajes sobre {title}." },

  mail: {
    optIn: {
      subject: "Confirme su suscripción a {title}",
      reason:
        "Se ha introducido esta dirección para recibir mensajes sobre incidentes, interrupciones y mantenimientos de {title} ({url}).",
      confirm:
        "Si ha sido usted, confirme la suscripción en un plazo de tres días. Si no, ignore este mensaje: sin la confirmación no recibirá ninguno más.",
      button: "Confirmar la suscripción",
    },
    newIncident: "Nuevo incidente",
    maintenance: "Mantenimiento",
    maintenanceOver: "Mantenimiento finalizado",
    planned: "Mantenimiento programado",
    moved: "Mantenimiento reprogramado",
    canceled: "Mantenimiento cancelado",
    plannedFor: "Programado desde {start} hasta {end}.",
    began: "Inicio: {start}.",
    beganAndEnded: "Inicio: {start}. Fin: {end}.",
    beganAndEnds: "Inicio: {start}. Fin previsto: {end}.",
    changes: {
      one: "{count} cambio: {list}",
      many: "{count} de cambios: {list}",
      other: "{count} cambios: {list}",
    },
    changesOnPage: {
      one: "{count} cambio en {title}:",
      many: "{count} de cambios simultáneos en {title}:",
      other: "{count} cambios simultáneos en {title}:",
    },
    andMore: { one: "y {count} más", many: "y {count} más", other: "y {count} más" },
    last: "Este es el último mensaje de hoy, porque cada suscriptor recibe como máximo {count} al día. La página muestra el estado actual.",
    open: "Abrir la página de estado",
    reason: "Recibe estos mensajes porque esta dirección está suscrita a {title}.",
  },

  report: {
    uptime: "Disponibilidad",
    before: "antes: {uptime}",
    outages: "Interrupciones",
    missed: "Ejecuciones perdidas",
    ends: "Terminan en los próximos 30 días",
    certificate: "certificado",
    domain: "dominio",
  },
};
