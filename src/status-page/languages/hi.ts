import type { Texts } from "./texts.ts";

export const texts: Texts<"one" | "other"> = {
  colon: ": ",
  comma: ", ",

  summary: {
    none: "सभी सिस्टम चालू हैं",
    minor: "सेवा में मामूली रुकावट",
    major: "सिस्टम में आंशिक रुकावट",
    critical: "सेवा में बड़ी रुकावट",
    maintenance: "सेवा का रखरखाव जारी है",
  },
  componentStatus: {
    operational: "चालू",
    under_maintenance: "रखरखाव जारी",
    degraded_performance: "धीमा प्रदर्शन",
    major_outage: "बड़ी रुकावट",
  },
  incidentStatus: {
    investigating: "जाँच जारी",
    identified: "कारण पता चला",
    monitoring: "निगरानी जारी",
    resolved: "समाधान हुआ",
  },
  maintenanceState: { scheduled: "निर्धारित", active: "जारी", ended: "पूरा हुआ" },
  day: { good: "सामान्य", partial: "समस्या", down: "रुकावट", none: "डेटा नहीं" },

  lastChange: "पिछला बदलाव: {time}",
  since: "{time} से",
  span: "{from} से {to} तक",
  edited: "संपादित: {time}",
  affected: "प्रभावित: {components}",
  lessThan: "{amount} से कम",
  timeZone: "समय क्षेत्र: {zone}",
  ownTimeZone: "समय आपके समय क्षेत्र के अनुसार: {zone}",
  notRefreshed: "{time} से पेज रीफ़्रेश नहीं हो सका।",

  currentIncidents: "मौजूदा घटनाएँ",
  maintenanceInProgress: "रखरखाव जारी है",
  components: "घटक",
  scheduledMaintenance: "निर्धारित रखरखाव",
  past: "पिछली घटनाएँ और रखरखाव",
  noneInDays: { one: "पिछले {count} दिन में कुछ नहीं।", other: "पिछले {count} दिनों में कुछ नहीं।" },
  earlierUpdates: { one: "{count} पुराना अपडेट", other: "{count} पुराने अपडेट" },
  endedMaintenance: "रखरखाव, {span}",
  atomFeed: "Atom फ़ीड",

  colorsOfDays: "दिनों के रंग",
  utcDays: "दिन UTC के अनुसार हैं",
  history: { one: "{count} दिन का इतिहास: {problems}", other: "{count} दिनों का इतिहास: {problems}" },
  noDaysWithProblems: "समस्या वाला कोई दिन नहीं",
  daysWithProblems: { one: "समस्या वाला {count} दिन", other: "समस्या वाले {count} दिन" },
  andEarlier: { one: "और {count} पुराना", other: "और {count} पुराने" },
  today: "आज",
  uptime: "{uptime} उपलब्धता",
  noDataYet: "अभी कोई डेटा नहीं",
  meanLatency: "पिछले 24 घंटों का औसत प्रतिक्रिया समय",

  outage: {
    title: { down: "{name} बंद है", degraded: "{name} ठीक से काम नहीं कर रहा है" },
    start: { down: "{time} से बंद है।", degraded: "{time} से ठीक से काम नहीं कर रहा है।" },
    later: "रुकावट खत्म हो गई है, लेकिन प्रदर्शन अब भी धीमा है। रुकावट की अवधि: {duration}।",
    end: "अवधि: {duration}।",
  },

  notFound: { heading: "पेज नहीं मिला", text: "इस पते पर कोई स्टेटस पेज नहीं है।" },
  noIncident: "यह पेज इस घटना को नहीं दिखाता है।",
  unlock: { label: "पासवर्ड", button: "पेज खोलें", wrong: "पासवर्ड गलत है।" },
  subscribe: {
    heading: "अपडेट की सदस्यता लें",
    text: "घटनाओं और रखरखाव की सूचना ईमेल से पाएँ। पहले संदेश से अपने पते की पुष्टि करें। हर संदेश में सदस्यता छोड़ने का लिंक है।",
    address: "ईमेल पता",
    button: "सदस्यता लें",
    invalid: "यह मान्य ईमेल पता नहीं है।",
  },
  pending: {
    heading: "अपना इनबॉक्स देखें",
    text: "अगर इस पते की सदस्यता अभी नहीं है, तो आपको लिंक वाला एक संदेश मिलेगा। सदस्यता की पुष्टि करने के लिए उसे खोलें।",
  },
  limited: { heading: "बहुत ज़्यादा अनुरोध", text: "आपने बहुत ज़्यादा अनुरोध भेजे हैं। कुछ मिनट बाद फिर कोशिश करें।" },
  confirm: {
    heading: "अपनी सदस्यता की पुष्टि करें",
    text: "इसके बाद आपको {title} की घटनाओं और रखरखाव के बारे में ईमेल मिलेंगे।",
    button: "पुष्टि करें",
  },
  confirmed: {
    heading: "आपकी सदस्यता शुरू हो गई है",
    text: "आपको {title} की घटनाओं और रखरखाव के बारे में ईमेल मिलेंगे। हर संदेश में सदस्यता छोड़ने का लिंक होता है।",
  },
  unsubscribe: {
    heading: "सदस्यता छोड़ें",
    text: "इसके बाद आपको {title} के बारे में कोई संदेश नहीं मिलेगा।",
    button: "सदस्यता छोड़ें",
  },
  unsubscribed: { heading: "आपकी सदस्यता समाप्त हो गई है", text: "आपको {title} के बारे में अब कोई संदेश नहीं मिलेगा।" },

  mail: {
    optIn: {
      subject: "{title} की सदस्यता की पुष्टि करें",
      reason: "यह पता {title} ({url}) की घटनाओं, रुकावटों और रखरखाव के संदेश पाने के लिए दर्ज किया गया था।",
      confirm:
        "अगर यह आपने किया था, तो तीन दिनों के भीतर पुष्टि करें। अगर नहीं, तो इस संदेश को अनदेखा करें: पुष्टि के बिना कोई और संदेश नहीं आएगा।",
      button: "सदस्यता की पुष्टि करें",
    },
    newIncident: "नई घटना",
    maintenance: "रखरखाव",
    maintenanceOver: "रखरखाव समाप्त",
    began: "शुरुआत: {start}।",
    beganAndEnded: "शुरुआत: {start}। समाप्ति: {end}।",
    beganAndEnds: "शुरुआत: {start}। अनुमानित समाप्ति: {end}।",
    changes: { one: "{count} बदलाव: {list}", other: "{count} बदलाव: {list}" },
    changesOnPage: { one: "{title} पर {count} बदलाव:", other: "{title} पर एक साथ {count} बदलाव:" },
    andMore: { one: "और {count} अन्य", other: "और {count} अन्य" },
    last: "यह आज का आखिरी संदेश है, क्योंकि हर सदस्य को दिन में ज़्यादा से ज़्यादा {count} संदेश मिलते हैं। मौजूदा स्थिति पेज पर देखें।",
    open: "स्टेटस पेज खोलें",
    reason: "आपको ये संदेश इसलिए मिल रहे हैं क्योंकि आपने {title} की सदस्यता ली है।",
  },
};
