import type { Texts } from "./texts.ts";

export const texts: Texts<"other"> = {
  colon: "：",
  comma: "、",

  summary: {
    none: "すべてのシステムが正常に稼働しています",
    minor: "軽微な障害が発生しています",
    major: "一部のシステムで障害が発生しています",
    critical: "重大な障害が発生しています",
    maintenance: "メンテナンス中です",
  },
  componentStatus: {
    operational: "正常稼働",
    under_maintenance: "メンテナンス中",
    degraded_performance: "パフォーマンス低下",
    major_outage: "重大な障害",
  },
  incidentStatus: {
    investigating: "調査中",
    identified: "原因特定済み",
    monitoring: "監視中",
    resolved: "解決済み",
  },
  maintenanceState: { scheduled: "予定", active: "実施中", ended: "完了" },
  day: { good: "問題なし", partial: "問題あり", down: "障害", none: "データなし" },

  lastChange: "最終更新：{time}",
  since: "{time} から",
  span: "{from} ～ {to}",
  edited: "編集：{time}",
  affected: "影響範囲：{components}",
  lessThan: "{amount}未満",
  timeZone: "タイムゾーン：{zone}",
  ownTimeZone: "お使いのタイムゾーン（{zone}）で表示しています。",
  notRefreshed: "{time} からページを更新できていません。",

  currentIncidents: "発生中の障害",
  maintenanceInProgress: "実施中のメンテナンス",
  components: "コンポーネント",
  scheduledMaintenance: "予定されているメンテナンス",
  past: "過去の障害とメンテナンス",
  noneInDays: { other: "過去 {count} 日間にはありません。" },
  earlierUpdates: { other: "以前の更新 {count} 件" },
  endedMaintenance: "メンテナンス：{span}",
  atomFeed: "Atom フィード",

  colorsOfDays: "日ごとの色",
  utcDays: "日付は UTC です",
  history: { other: "過去 {count} 日間の履歴（{problems}）" },
  noDaysWithProblems: "問題のあった日はありません",
  daysWithProblems: { other: "問題のあった日：{count} 日" },
  andEarlier: { other: "ほか、それ以前の {count} 日" },
  today: "今日",
  uptime: "稼働率 {uptime}",
  noDataYet: "まだデータがありません",
  meanLatency: "過去 24 時間の平均応答時間",

  outage: {
    several: {
      down: { other: "{count} 個のコンポーネントが停止しています" },
      degraded: { other: "{count} 個のコンポーネントのパフォーマンスが低下しています" },
    },
    title: { down: "{name} が停止しています", degraded: "{name} のパフォーマンスが低下しています" },
    start: { down: "{time} から停止しています。", degraded: "{time} からパフォーマンスが低下しています。" },
    later: "停止は解消しましたが、パフォーマンスはまだ低下しています。停止時間：{duration}。",
    end: "継続時間：{duration}。",
  },

  detected: "検知",
  downtime: "停止時間：{duration}",
  repeats: {
    every: "毎日",
    on: ["毎週日曜日", "毎週月曜日", "毎週火曜日", "毎週水曜日", "毎週木曜日", "毎週金曜日", "毎週土曜日"],
    other: "定期的",
    next: "次回：{time}",
  },
  months: { link: "過去の月", none: "この月の障害とメンテナンスはありません。" },
  darkMode: "ダークモード",
  calendar: "メンテナンスのカレンダー",

  notFound: { heading: "ページが見つかりません", text: "このアドレスにステータスページはありません。" },
  noIncident: "このページにはこの障害は表示されません。",
  unlock: { label: "パスワード", button: "ページを開く", wrong: "パスワードが正しくありません。" },
  subscribe: {
    heading: "更新情報を受け取る",
    text: "障害とメンテナンスの情報をメールでお知らせします。最初のメールでアドレスを確認していただきます。どのメールにも配信停止用のリンクがあります。",
    address: "メールアドレス",
    button: "登録する",
    invalid: "有効なメールアドレスではありません。",
  },
  choose: {
    label: "コンポーネントを選択",
    hint: "選択しない場合は、すべてのコンポーネントについてのメールが届きます。",
    save: "保存",
    saved: "選択を保存しました",
  },
  pending: {
    heading: "受信トレイをご確認ください",
    text: "このアドレスが未登録の場合は、リンクの付いたメールが届きます。リンクを開いて登録を確認してください。",
  },
  limited: {
    heading: "リクエストが多すぎます",
    text: "短時間に多くのリクエストが送信されました。数分後にもう一度お試しください。",
  },
  confirm: {
    heading: "登録の確認",
    text: "確認すると、{title} の障害とメンテナンスのお知らせがメールで届きます。",
    button: "確認する",
  },
  confirmed: {
    heading: "登録が完了しました",
    text: "{title} の障害とメンテナンスのお知らせをメールでお送りします。どのメールにも配信停止用のリンクがあります。",
  },
  unsubscribe: {
    heading: "配信停止",
    text: "{title} に関するメールの配信を停止します。",
    button: "配信を停止する",
  },
  unsubscribed: { heading: "配信を停止しました", text: "{title} に関するメールは今後届きません。" },

  mail: {
    optIn: {
      subject: "{title} の登録をご確認ください",
      reason:
        "{title}（ {url} ）の障害、停止、メンテナンスのお知らせを受け取るために、このアドレスが入力されました。",
      confirm:
        "お心当たりがある場合は、3 日以内に確認してください。お心当たりがない場合は、このメールを無視してください。確認がなければ、今後メールは届きません。",
      button: "登録を確認する",
    },
    newIncident: "新しい障害",
    maintenance: "メンテナンス",
    maintenanceOver: "メンテナンス終了",
    planned: "メンテナンスのお知らせ",
    moved: "メンテナンスの日程変更",
    canceled: "メンテナンスの中止",
    plannedFor: "予定：{start} から {end} まで。",
    began: "開始：{start}。",
    beganAndEnded: "開始：{start}。終了：{end}。",
    beganAndEnds: "開始：{start}。終了予定：{end}。",
    changes: { other: "{count} 件の変更：{list}" },
    changesOnPage: { other: "{title} で同時に {count} 件の変更がありました：" },
    andMore: { other: "ほか {count} 件" },
    last: "1 日にお送りするメールは最大 {count} 通のため、本日のメールはこれが最後です。現在の状況はページでご確認ください。",
    open: "ステータスページを開く",
    reason: "{title} に登録されているため、このメールをお送りしています。",
  },

  report: {
    uptime: "稼働率",
    before: "前の期間: {uptime}",
    outages: "停止",
    missed: "実行されなかったジョブ",
    ends: "30日以内に終了",
    certificate: "証明書",
    domain: "ドメイン",
  },
};
