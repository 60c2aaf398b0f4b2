/**
 * The same kinds of speech in other languages: somebody turns to a machine, sets its user's request
 * aside, or keeps something from its user. Lower case, as in `instruction-rules.ts`; `\b` knows Latin
 * letters without marks only and is not used beside others.
 */

/** A machine is spoken to: its name, then a colon, a comma or the ending that addresses. */
const ADDRESSED: readonly RegExp[] = [
  /\b(?:an die|an den|liebe|lieber|für die|für den) (?:ki|sprachmodell|ki-?\w{0,12}|ai-?assistent\w*)\b ?[:,.!]|\bki-?(?:assistent|agent|modell)\w* ?[:,!]/,
  /(?:à|pour|cher|chère) (?:l'|l’|le |la )?(?:assistant(?:e)?(?: virtuel)?(?: d')? ?(?:ia)?|ia|modèle de langage|agent ia)\b ?[:,!]|\bassistant ia ?[:,!]/,
  /(?:para|al?|querid[oa]|atención|atención,) (?:el |la |los )?(?:asistente(?: virtual)?(?: de)?(?: ia)?|ia|modelo de lenguaje|agente de ia)\b ?[:,!]/,
  /(?:per|all['a]|caro) ?(?:l'|l’|il )?(?:assistente(?: virtuale)?(?: ia)?|ia|modello linguistico)\b ?[:,!]/,
  /(?:atenção|para|ao?|caro),? (?:o |a )?(?:assistente(?: virtual)?(?: de)? ?(?:ia)?|ia|modelo de linguagem)\b ?[:,!]/,
  /(?:aan|beste) (?:de |het )?(?:ai-?\w{0,12}|taalmodel)\b ?[:,!]|\b(?:till|kära) (?:ai-?\w{0,12}|språkmodellen)\b ?[:,!]|\b(?:til) (?:ai-?\w{0,12}|språkmodellen|sprogmodellen)\b ?[:,!]/,
  /\b(?:do|drogi|dla) (?:asystenta|agenta|modelu) (?:ai|si|językowego)\b ?[:,!]|(?:yapay zek[aâ]|dil modeli)\S{0,12}(?: asistan\S{0,8})?(?: not| mesaj\S{0,2})? ?[:,!]/,
  /(?:ии|нейросеть|языковая модель)[- ]?(?:ассистент|помощник|агент|бот)?(?:у|ам)? ?[:,!]|(?:штучний інтелект|ші)[- ]?(?:асистент|помічник)?(?:е|у)? ?[:,!]/,
  /(?:致|给|給|对|對)?(?:ai|人工智能|智能)(?:助手|助理|模型|代理|机器人|機器人)\s?[:：,，]|(?:aiアシスタント|言語モデル|aiエージェント|ai)(?:へ|に告ぐ|様)\s?[:：、,]?|(?:ai|인공지능) ?(?:비서|어시스턴트|모델|에이전트)?(?:에게|께|님)\s?[:,]?/,
  /(?:إلى|عزيزي|أيها) ?(?:ال)?(?:مساعد|نموذج|وكيل) ?(?:ال)?(?:ذكي|ذكاء|لغوي|آلي)\S{0,4} ?[:،,]|(?:एआई|ai) (?:सहायक|असिस्टेंट|मॉडल)\S{0,3} ?(?:के लिए|को)? ?[:,]|לעוזר ה?(?:ai|בינה)\S{0,10} ?[:,]/,
  /\b(?:kepada|untuk|wahai) (?:asisten ai|model bahasa|ai)\b ?[:,!]|(?:gửi|hỡi) trợ lý ai ?[:,!]|ถึง(?:ผู้ช่วย)? ?ai ?[:,]?/,
];

/** The user's request, and a word that sets it aside, in either order. */
const SET_ASIDE: readonly RegExp[] = [
  ...eitherWay(
    '(?:anfrage|bitte|auftrag|anweisung\\w*|wunsch|aufgabe)\\w{0,2} (?:des|der|von dem) (?:be)?nutzer\\w*',
    '(?:nicht|ignorier\\w*|statt\\w*|vergiss)',
  ),
  ...eitherWay(
    "(?:demande|requête|instructions?|consignes?|question) (?:de l['’]|des )utilisateurs?",
    '(?:pas|ignor\\w+|plutôt|au lieu|oubli\\w+)',
  ),
  ...eitherWay(
    '(?:(?:solicitud|petición|pedido|instrucciones|tarea|pregunta) del usuario|lo que (?:te |le )?(?:pidió|dijo|pide|solicitó) el usuario)',
    '(?:no|ignor\\w+|olvid\\w+|en lugar|en vez)',
  ),
  ...eitherWay(
    "(?:richiesta|domanda|istruzioni|compito) (?:dell['’]|degli )utent[ei]",
    '(?:non|ignor\\w+|invece|dimentic\\w+)',
  ),
  ...eitherWay(
    '(?:pedido|solicitação|instruções|tarefa|pergunta) (?:do|dos) (?:usuário|utilizador)\\w*',
    '(?:não|ignor\\w+|desconsider\\w+|esque\\w+|em vez)',
  ),
  ...eitherWay('(?:verzoek|vraag|opdracht|taak) van de gebruiker', '(?:niet|negeer|in plaats)'),
  ...eitherWay(
    '(?:polecen\\S{0,3}|prośb\\S{0,2}|zadan\\S{0,3}) użytkownika',
    '(?:nie |zamiast|zignoruj|ignoruj)',
  ),
  ...eitherWay(
    'kullanıcının (?:isteğ|talimat|taleb|görev|soru)\\S{0,6}',
    '(?:yapma|yerine|yok say|uyma|unut|dikkate alma)',
  ),
  ...eitherWay(
    '(?:запрос|задач|просьб|указани|вопрос)\\S{0,3} пользовател\\S{0,3}',
    '(?:не |игнорир|вместо|забудь)',
  ),
  ...eitherWay(
    '(?:用户|用戶|使用者)的?(?:请求|請求|要求|指令|任务|任務|问题|問題)',
    '(?:不要|别|別|忽略|无视|無視|而是|忘记|忘記)',
  ),
  ...eitherWay(
    'ユーザーの(?:依頼|要求|指示|質問|要望|リクエスト)',
    '(?:せず|しない|無視|代わり|従わ)',
  ),
  ...eitherWay('사용자의? ?(?:요청|지시|질문|명령)', '(?:따르지|무시|대신|하지 ?마)'),
  ...eitherWay('(?:طلب|طلبات|تعليمات|سؤال) المستخدم', '(?:لا |تجاهل|بدل)'),
];

/** Something is kept from the user. */
const KEPT_QUIET: readonly RegExp[] = [
  /\b(?:sag|sage|erzähl|erzähle|verrate|teile) (?:dem|den|der) (?:be)?nutzer\w* (?:nichts?|nicht|davon nichts)|\berwähne (?:das|es|dies|davon) (?:aber )?nicht|\bohne (?:das|es|dies) (?:dem (?:be)?nutzer )?zu erwähnen/,
  /\b(?:ne (?:le |la |en )?(?:dis|dites|parle|parlez|mentionne|mentionnez)) (?:rien |pas |surtout pas )?(?:\w+ )?à l['’]utilisateur|\bsans (?:le dire|en parler|prévenir|avertir) ?(?:à )?l['’]utilisateur/,
  /\bno (?:se )?(?:lo )?(?:digas?|menciones?|cuentes?|informes?)(?: nada)?(?: de esto)? al usuario|\bsin (?:decir|avisar|informar)\w*(?: nada)? al usuario/,
  /\bnon (?:dire|dirlo|menzionar\w*|informare)(?: nulla| niente)?(?: di questo)? (?:all['’])?utente|\bnão (?:diga|conte|mencione|informe)(?: nada)?(?: disso| isso)? (?:ao|o) (?:usuário|utilizador)/,
  /\b(?:zeg|vertel|meld) (?:het |dit |niets |hier niets van )?(?:niet )?(?:aan )?(?:tegen )?de gebruiker|nie (?:mów|wspominaj|informuj)[^.]{0,20}użytkownik|kullanıcıya [^.]{0,20}(?:söyleme|bildirme|bahsetme)/,
  /не (?:говори|сообщай|упоминай|рассказывай|показывай)[^.]{0,24}пользовател/,
  /不要(?:告诉|告訴|通知|提醒|让|讓)(?:用户|用戶|使用者)|(?:用户|用戶|使用者)(?:不需要|不必)知道|ユーザーに(?:は)?[^。]{0,8}(?:伝え|知らせ|言わ|教え|報告し)(?:ない|ず)|사용자에게(?:는)? ?(?:알리지|말하지|언급하지|보고하지)/,
  /(?:لا تخبر|لا تقل|دون إخبار|دون علم) ?(?:ل)?(?:ال)?مستخدم/,
];

/** "Forget your instructions", where the plain forms of `PLAIN_ATTACK` do not reach. */
const FORGET_YOURS: readonly RegExp[] = [
  /\b(?:oublie|ignore|laisse tomber)[zrs]? (?:toutes? )?(?:tes|vos) (?:consignes|instructions|directives|règles)/,
  /\b(?:vergiss|ignorier\w*|verwirf) (?:alle )?(?:deine|ihre|eure) (?:\w+ )?(?:anweisung|vorgabe|regel|aufgabe|instruktion)\w*/,
  /\b(?:olvida|ignora) (?:todas )?tus (?:instrucciones|reglas|órdenes|indicaciones)|\b(?:esqueça|ignore) (?:todas )?(?:as )?suas (?:instruções|regras)|\b(?:dimentica|ignora) (?:tutte )?le tue (?:istruzioni|regole)/,
  /\b(?:du bist|sie sind) (?:ab jetzt|von nun an|ab sofort) (?:ein|eine|kein|keine)\b|\b(?:tu es|vous êtes) (?:désormais|maintenant) (?:un|une) (?:assistant|ia|agent|modèle)|\bahora eres (?:un|una) (?:asistente|ia|agente|modelo)/,
];

function eitherWay(request: string, aside: string): RegExp[] {
  return [new RegExp(`${request}.{0,40}${aside}`), new RegExp(`${aside}.{0,40}${request}`)];
}

export const OTHER_LANGUAGES: readonly RegExp[] = [
  ...ADDRESSED,
  ...SET_ASIDE,
  ...KEPT_QUIET,
  ...FORGET_YOURS,
];
