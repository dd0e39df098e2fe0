import type { Texts } from "./texts.ts";

export const texts: Texts<"other"> = {
  colon: ": ",
  comma: ", ",

  summary: {
    none: "모든 시스템이 정상 작동 중입니다",
    minor: "경미한 서비스 장애",
    major: "일부 시스템 장애",
    critical: "심각한 서비스 장애",
    maintenance: "서비스 점검 중",
  },
  componentStatus: {
    operational: "정상 작동",
    under_maintenance: "점검 중",
    degraded_performance: "성능 저하",
    major_outage: "심각한 장애",
  },
  incidentStatus: {
    investigating: "조사 중",
    identified: "원인 확인",
    monitoring: "모니터링 중",
    resolved: "해결됨",
  },
  maintenanceState: { scheduled: "예정", active: "진행 중", ended: "완료" },
  day: { good: "문제 없음", partial: "문제 있음", down: "장애", none: "데이터 없음" },

  lastChange: "마지막 변경: {time}",
  since: "{time}부터",
  span: "{from} ~ {to}",
  edited: "수정: {time}",
  affected: "영향받는 구성 요소: {components}",
  lessThan: "{amount} 미만",
  timeZone: "시간대: {zone}",
  ownTimeZone: "시간은 사용자 시간대({zone}) 기준입니다",
  notRefreshed: "{time}부터 페이지를 새로 고치지 못했습니다.",

  currentIncidents: "현재 장애",
  maintenanceInProgress: "진행 중인 점검",
  components: "구성 요소",
  scheduledMaintenance: "예정된 점검",
  past: "지난 장애 및 점검",
  noneInDays: { other: "최근 {count}일 동안 없음" },
  earlierUpdates: { other: "이전 업데이트 {count}개" },
  endedMaintenance: "점검, {span}",
  atomFeed: "Atom 피드",

  colorsOfDays: "날짜별 색상",
  utcDays: "날짜는 UTC 기준입니다",
  history: { other: "{count}일간의 기록: {problems}" },
  noDaysWithProblems: "문제가 있었던 날 없음",
  daysWithProblems: { other: "문제가 있었던 날 {count}일" },
  andEarlier: { other: "그 이전 {count}일" },
  today: "오늘",
  uptime: "가동률 {uptime}",
  noDataYet: "아직 데이터 없음",
  meanLatency: "최근 24시간 평균 응답 시간",

  outage: {
    title: { down: "{name} 작동 중단", degraded: "{name} 성능 저하" },
    start: { down: "{time}부터 작동이 중단되었습니다.", degraded: "{time}부터 성능이 저하되었습니다." },
    later: "중단은 끝났지만 아직 성능이 저하된 상태입니다. 중단 시간: {duration}.",
    end: "지속 시간: {duration}.",
  },

  notFound: { heading: "페이지를 찾을 수 없습니다", text: "이 주소에는 상태 페이지가 없습니다." },
  noIncident: "이 페이지에는 이 장애가 표시되지 않습니다.",
  unlock: { label: "비밀번호", button: "페이지 열기", wrong: "비밀번호가 올바르지 않습니다." },
  subscribe: {
    heading: "업데이트 구독",
    text: "장애와 점검 소식을 이메일로 받아 보세요. 첫 번째 메일로 주소를 확인하며, 모든 메일에는 구독 취소 링크가 있습니다.",
    address: "이메일 주소",
    button: "구독",
    invalid: "올바른 이메일 주소가 아닙니다.",
  },
  pending: {
    heading: "받은편지함을 확인하세요",
    text: "아직 구독하지 않은 주소라면 링크가 담긴 메일을 받게 됩니다. 링크를 열어 구독을 확인하세요.",
  },
  limited: {
    heading: "요청이 너무 많습니다",
    text: "요청을 너무 많이 보냈습니다. 몇 분 후에 다시 시도하세요.",
  },
  confirm: {
    heading: "구독 확인",
    text: "확인하면 {title}의 장애와 점검 소식을 이메일로 받게 됩니다.",
    button: "확인",
  },
  confirmed: {
    heading: "구독이 완료되었습니다",
    text: "{title}의 장애와 점검 소식을 이메일로 받게 됩니다. 모든 메일에는 구독 취소 링크가 있습니다.",
  },
  unsubscribe: {
    heading: "구독 취소",
    text: "취소하면 {title}에 관한 메일을 더 이상 받지 않습니다.",
    button: "구독 취소",
  },
  unsubscribed: { heading: "구독이 취소되었습니다", text: "{title}에 관한 메일을 더 이상 받지 않습니다." },

  mail: {
    optIn: {
      subject: "구독을 확인하세요: {title}",
      reason: "{title}( {url} )의 장애, 중단, 점검 소식을 받기 위해 이 주소가 입력되었습니다.",
      confirm:
        "본인이 요청했다면 3일 이내에 확인하세요. 아니라면 이 메일을 무시하세요. 확인하지 않으면 더 이상 메일이 발송되지 않습니다.",
      button: "구독 확인",
    },
    newIncident: "새 장애",
    maintenance: "점검",
    maintenanceOver: "점검 종료",
    began: "시작: {start}",
    beganAndEnded: "시작: {start}, 종료: {end}",
    beganAndEnds: "시작: {start}, 종료 예정: {end}",
    changes: { other: "변경 {count}건: {list}" },
    changesOnPage: { other: "{title}에서 동시에 {count}건이 변경되었습니다." },
    andMore: { other: "외 {count}건" },
    last: "구독자는 하루에 최대 {count}통을 받으므로 이 메일이 오늘의 마지막 메일입니다. 현재 상태는 페이지에서 확인하세요.",
    open: "상태 페이지 열기",
    reason: "이 메일은 {title} 구독자에게 발송됩니다.",
  },
};
