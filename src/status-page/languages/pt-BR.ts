import type { Texts } from "./texts.ts";

export const texts: Texts<"one" | "many" | "other"> = {
  colon: ": ",
  comma: ", ",

  summary: {
    none: "Todos os sistemas estão operacionais",
    minor: "Instabilidade leve no serviço",
    major: "Interrupção parcial do sistema",
    critical: "Interrupção grave do serviço",
    maintenance: "Serviço em manutenção",
  },
  componentStatus: {
    operational: "Operacional",
    under_maintenance: "Em manutenção",
    degraded_performance: "Desempenho degradado",
    major_outage: "Interrupção grave",
  },
  incidentStatus: {
    investigating: "Em investigação",
    identified: "Identificado",
    monitoring: "Em monitoramento",
    resolved: "Resolvido",
  },
  maintenanceState: { scheduled: "Programada", active: "Em andamento", ended: "Concluída" },
  day: { good: "Sem problemas", partial: "Problemas", down: "Interrupção", none: "Sem dados" },

  lastChange: "Última alteração: {time}",
  since: "Desde {time}",
  span: "{from} – {to}",
  edited: "editado: {time}",
  affected: "Componentes afetados: {components}",
  lessThan: "menos de {amount}",
  timeZone: "Fuso horário: {zone}",
  ownTimeZone: "Horários no seu fuso horário: {zone}",
  notRefreshed: "Não é possível atualizar a página desde {time}.",

  currentIncidents: "Incidentes atuais",
  maintenanceInProgress: "Manutenção em andamento",
  components: "Componentes",
  scheduledMaintenance: "Manutenção programada",
  past: "Incidentes e manutenções anteriores",
  noneInDays: {
    one: "Nenhum no período de {count} dia.",
    many: "Nenhum nos últimos {count} de dias.",
    other: "Nenhum nos últimos {count} dias.",
  },
  earlierUpdates: {
    one: "{count} atualização anterior",
    many: "{count} de atualizações anteriores",
    other: "{count} atualizações anteriores",
  },
  endedMaintenance: "Manutenção, {span}",
  atomFeed: "Feed Atom",

  colorsOfDays: "Cores dos dias",
  utcDays: "Dias em UTC",
  history: {
    one: "Histórico de {count} dia: {problems}",
    many: "Histórico de {count} de dias: {problems}",
    other: "Histórico de {count} dias: {problems}",
  },
  noDaysWithProblems: "nenhum dia com problemas",
  daysWithProblems: {
    one: "{count} dia com problemas",
    many: "{count} de dias com problemas",
    other: "{count} dias com problemas",
  },
  andEarlier: { one: "e {count} anterior", many: "e {count} anteriores", other: "e {count} anteriores" },
  today: "Hoje",
  uptime: "{uptime} de disponibilidade",
  noDataYet: "Ainda sem dados",
  meanLatency: "Latência média das últimas 24 horas",

  outage: {
    several: {
      down: {
        one: "{count} componente está fora do ar",
        many: "{count} de componentes estão fora do ar",
        other: "{count} componentes estão fora do ar",
      },
      degraded: {
        one: "{count} componente está com desempenho degradado",
        many: "{count} de componentes estão com desempenho degradado",
        other: "{count} componentes estão com desempenho degradado",
      },
    },
    title: { down: "{name} está fora do ar", degraded: "{name} está com desempenho degradado" },
    start: { down: "Fora do ar desde {time}.", degraded: "Com desempenho degradado desde {time}." },
    later:
      "A interrupção terminou, mas o desempenho ainda está degradado. Duração da interrupção: {duration}.",
    end: "Duração: {duration}.",
  },

  detected: "Detectado",
  downtime: "Tempo fora do ar: {duration}",
  repeats: {
    every: "todos os dias",
    on: [
      "aos domingos",
      "às segundas-feiras",
      "às terças-feiras",
      "às quartas-feiras",
      "às quintas-feiras",
      "às sextas-feiras",
      "aos sábados",
    ],
    other: "Recorrente",
    next: "Próxima vez: {time}",
  },
  months: { link: "Meses anteriores", none: "Nenhum incidente e nenhuma manutenção neste mês." },
  darkMode: "Modo escuro",
  calendar: "Calendário de manutenções",

  notFound: { heading: "Página não encontrada", text: "Não há nenhuma página de status neste endereço." },
  noIncident: "Esta página não mostra este incidente.",
  unlock: { label: "Senha", button: "Abrir a página", wrong: "A senha está incorreta." },
  subscribe: {
    heading: "Receber atualizações",
    text: "Receba um e-mail sobre incidentes e manutenções. Você confirma seu endereço com a primeira mensagem, e cada mensagem tem um link para cancelar a inscrição.",
    address: "Endereço de e-mail",
    button: "Inscrever-se",
    invalid: "Este endereço de e-mail não é válido.",
  },
  choose: {
    label: "Escolher componentes",
    hint: "Se você não escolher nenhum, receberá mensagens sobre todos os componentes.",
    save: "Salvar",
    saved: "Sua escolha foi salva",
  },
  pending: {
    heading: "Verifique sua caixa de entrada",
    text: "Se o endereço ainda não estiver inscrito, você receberá uma mensagem com um link. Abra-o para confirmar sua inscrição.",
  },
  limited: {
    heading: "Muitas solicitações",
    text: "Você enviou muitas solicitações. Tente novamente em alguns minutos.",
  },
  confirm: {
    heading: "Confirme sua inscrição",
    text: "Depois disso, você receberá e-mails sobre incidentes e manutenções de {title}.",
    button: "Confirmar",
  },
  confirmed: {
    heading: "Inscrição confirmada",
    text: "Você receberá e-mails sobre incidentes e manutenções de {title}. Cada mensagem tem um link para cancelar a inscrição.",
  },
  unsubscribe: {
    heading: "Cancelar inscrição",
    text: "Você deixará de receber mensagens sobre {title}.",
    button: "Cancelar inscrição",
  },
  unsubscribed: { heading: "Inscrição cancelada", text: "Você não receberá mais mensagens sobre {title}." },

  mail: {
    optIn: {
      subject: "Confirme sua inscrição em {title}",
      reason:
        "Este endereço foi informado para receber mensagens sobre incidentes, interrupções e manutenções de {title} ({url}).",
      confirm:
        "Se foi você, confirme em até três dias. Se não foi, ignore esta mensagem: sem a confirmação, não haverá outras.",
      button: "Confirmar inscrição",
    },
    newIncident: "Novo incidente",
    maintenance: "Manutenção",
    maintenanceOver: "Manutenção concluída",
    planned: "Manutenção programada",
    moved: "Manutenção remarcada",
    canceled: "Manutenção cancelada",
    plannedFor: "Prevista de {start} a {end}.",
    began: "Início: {start}.",
    beganAndEnded: "Início: {start}. Fim: {end}.",
    beganAndEnds: "Início: {start}. Fim previsto: {end}.",
    changes: {
      one: "{count} alteração: {list}",
      many: "{count} de alterações: {list}",
      other: "{count} alterações: {list}",
    },
    changesOnPage: {
      one: "{count} alteração em {title}:",
      many: "{count} de alterações simultâneas em {title}:",
      other: "{count} alterações simultâneas em {title}:",
    },
    andMore: { one: "e mais {count}", many: "e mais {count}", other: "e mais {count}" },
    last: "Esta é a última mensagem de hoje, porque cada inscrito recebe no máximo {count} por dia. A página mostra o estado atual.",
    open: "Abrir a página de status",
    reason: "Você recebe estas mensagens porque este endereço está inscrito em {title}.",
  },

  report: {
    uptime: "Disponibilidade",
    before: "antes: {uptime}",
    outages: "Interrupções",
    missed: "Execuções perdidas",
    ends: "Terminam em até 30 dias",
    certificate: "certificado",
    domain: "domínio",
  },
};
