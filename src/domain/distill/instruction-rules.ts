/**
 * Kinds of speech to a machine, as patterns over lower-case one-line text (`instruction-like.ts`).
 * Every repetition is bounded, so that each is linear in the text.
 */
const THING =
  '(?:instructions?|directions?|directives?|prompts?|rules?|guidelines?|commands?|context|guidance|programming|constraints?|policies|training)';
const READER =
  '(?:ai|a\\.i\\.|llm|language model|ai model|ai agent|ai assistant|assistant|agent|summari[sz]er|distiller|chat ?bot|bot|gpt(?:-?\\d\\w*)?|chatgpt|claude|gemini|copilot|llama|mistral|command r\\+?)';
/** As `READER`, without the words that people's jobs have too. */
const MACHINE =
  '(?:ai|a\\.i\\.|llm|language model|ai model|ai agent|ai assistant|assistant|summari[sz]er|distiller|chat ?bot|gpt(?:-?\\d\\w*)?|chatgpt|claude|gemini|copilot|llama|mistral|command r\\+?)';
const ACTION =
  '(?:send|make|visit|e-?mail|transfer|post|create|delete|invite|reserve|book|share|forward|reply|call|update|change|add|remove|upload|download|give|tell|open|click|go to|pay|buy|execute|run|install|write|say|print|output|get|fetch|retrieve|read|schedule|cancel|set|use|append|leak|reveal)';

/** Speech that has no honest use in a tool's output, a page or a message of a customer. */
export const PLAIN_ATTACK: readonly RegExp[] = [
  new RegExp(
    `\\b(?:ignore|disregard|forget|override|overrule|bypass|discard|pay no attention to|do not follow|don't follow|stop following)\\b (?:\\w+ ){0,4}?(?:previous|prior|above|earlier|preceding|foregoing|original|initial|existing|system|former|past|safety|other|all|any|your|these|those|my|the user'?s?)(?: \\w+){0,4}? ${THING}\\b`,
  ),
  /\b(?:ignore|disregard|forget|abandon|instead of|rather than)\b (?:\w+ ){0,2}?(?:the |your )?(?:user'?s?|original|initial|main|current|actual) (?:request|task|question|query|goal|objective)\b/,
  /\b(?:ignore|disregard|forget) (?:everything|anything|all(?: of)? (?:that|this|it)|what(?:ever)?(?! (?:i|we|he|she|they)\b))\b.{0,40}\b(?:told|said|above|before|previously|instructed|asked|know)/,
  /\b(?:reveal|print|repeat|leak|disclose|output|show|display|send)\b.{0,30}\b(?:system|initial|hidden|developer|original|secret) (?:prompt|instructions?|message)\b/,
  /\b(?:you are (?:now|no longer)|from now on,? you(?: are|'re| will| must| act))\b.{0,60}\b(?:ai|assistant|mode|dan|jailbr\w+|unrestricted|model|agent|restricted|bound|filter\w*)\b/,
  /\b(?:developer|debug|admin|god|jailbreak|dan|maintenance|sudo) mode (?:is |has been )?(?:now )?(?:on|enabled|activated|unlocked)\b/,
  /<\|?\s*(?:im_start|im_end|system|endoftext|start_header_id|assistant|tool_call)\s*\|?>\s*\|?|\[\/?inst\]|<<\/?sys>>|\bbegin (?:system|admin|hidden) (?:prompt|message|instructions?)\b|(?<!#)#{2,6} ?(?:new instructions?\b|(?:system|instruction)s? ?(?::|#|(?:message|prompt)\b|.{0,10}\byou\b))/,
  /\b(?:ignorier\w*|missachte\w*|vergiss|vergessen sie)\b.{0,40}\b(?:anweisung\w*|instruktion\w*|befehle?|vorgaben|regeln)\b/,
  /\b(?:ignor[ae]\w*|olvid[ae]\w*|descart[ae]\w*|desconsider[ae]\w*)\b.{0,40}\b(?:instrucciones|instruções|instruccion|istruzioni|indicaciones|reglas|regras|regole)\b/,
  /\b(?:ignore[zr]?|oublie[zr]?)\b.{0,40}\b(?:instructions|consignes|directives|règles)\b.{0,30}(?:précédent|antérieur|ci-dessus|initial)/,
  /\b(?:vergiss alles|oublie[zr]? tout ce qui|olvida todo lo|dimentica tutto|esqueça tudo)\b/,
  /<<<\s?(?:begin|end)\b|\b(?:begin|end) [a-z ]{1,30}>>>/,
  /\b(?:haz caso omiso|esqueça|dimentica)\b.{0,40}\b(?:instrucciones|instruções|istruzioni|regras|regole|reglas)\b/,
  /\bnegeer\b.{0,40}\b(?:instructies|opdrachten|aanwijzingen|regels)\b|\bignorera\b.{0,40}(?:instruktion|anvisning)|\babaikan\b.{0,40}(?:instruksi|perintah|petunjuk)|bỏ qua.{0,40}(?:hướng dẫn|chỉ dẫn|chỉ thị)/,
  /(?:zignoruj|ignoruj|zapomnij).{0,40}(?:instrukcj|poleceni|wytyczn)|(?:talimat|komut|yönerge)[^.]{0,30}(?:yok say|görmezden gel|dikkate alma|unut)/,
  /(?:игнорируй|забудь|не обращай внимания|ігноруй).{0,40}(?:инструкци|указани|команд|інструкц)|αγν[οό]ησε.{0,40}(?:οδηγίες|εντολές)/,
  /(?:忽略|无视|無視|忘记|忘記|不要理会).{0,16}(?:指令|指示|命令|说明|說明|提示|规则|規則)|(?:指示|命令|プロンプト|ルール).{0,8}(?:無視|忘れ)|(?:지시|명령|지침|프롬프트).{0,12}(?:무시|잊)/,
  /(?:تجاهل|انس).{0,40}(?:التعليمات|الأوامر|الإرشادات)|התעל[מם].{0,40}(?:הוראות|הנחיות)|(?:निर्देश|आदेश).{0,40}(?:अनदेखा|अनदेखी|भूल|नज़रअंदाज़)|(?:เพิกเฉย|ละเว้น).{0,40}คำสั่ง/,
];

/** Speech about the reader's task and tools; honest in a task that a person gives, not in a result. */
export const TASK_SPEECH: readonly RegExp[] = [
  /\bbefore (?:you )?(?:can |may |could |should |must |do |are able to )?(?:solv|complet|finish|continu|proceed|respond|answer|perform|carry|work|execut|start|help|do )\w*(?: \w+){0,4}? (?:task|request|question|query|job|assignment|instructions?|anything else)\b/,
  /\b(?:after|once) (?:you(?:'ve| have)? )?(?:do|did|done|doing|complet\w+|finish\w*|perform\w*|that|this)\b.{0,60}\byou (?:can|may|should|will|must)\b.{0,30}\b(?:solve|continue|return|resume|go back|proceed|complete|answer|help)\b.{0,40}\b(?:task|request|question|quer(?:y|ies)|instructions?|original|what you were|work|with me|the user)\b/,
  /\b(?:the|your) (?:\w+ )?(?:task|request|question)s? (?:that )?(?:i|we|the user) (?:gave|assigned|asked|sent) (?:to )?you\b/,
  /\byour (?:original|main|current|initial|real|actual|primary|new|next|first|only|true) (?:task|instructions?|objective|goal|mission|job|purpose) (?:is|are|now|will|should|must|has)\b/,
  new RegExp(
    `\\b(?:message|note|instructions?|notice|request|reminder|warning|information) (?:is |are )?(?:from \\w+(?: \\w+){0,5},? )?(?:to|for|intended for|addressed to|directed at) (?:you,? )?(?:the |any |all |an? )?${MACHINE}\\b`,
  ),
  new RegExp(
    `\\b(?:dear|hey|hello|hi|attention|listen|note|to|ok|okay) (?:the |any |all )?(?:${MACHINE}|ai agent)s?(?: (?:reading|processing|handling|who|that)\\b[^.:,!]{0,40})?\\s?[:,!]`,
  ),
  new RegExp(`\\b(?:if|when|as) you(?: are|'re) (?:an? |the )?${MACHINE}\\b`),
  new RegExp(
    `\\b(?:the )?${READER}s? (?:reading|processing|summari[sz]ing|handling|parsing) this\\b.{0,60}\\b(?:must|should|shall|has to|have to|is to|needs? to|will|please)\\b`,
  ),
  /\b(?:message|note|instructions?|order|request|command)s? from (?:me|us|the user|your (?:user|developer|operator|owner|admin\w*|creator|boss|supervisor|principal)|(?:the )?system|openai|anthropic|google)\b.{0,60}\bto you\b/,
  /\b(?:only|just|instead|must|exclusively) (?:follow|obey|execute|comply with|do|listen to) (?:only )?(?:these|the following|this|my|what follows|those)\b.{0,20}(?:instruction|order|command|direction|step|:)/,
  /\b(?:do not|don't|never|without|must not)\b(?: \w+){0,2} (?:tell|inform(?!ati)|mention|reveal|alert|notify|telling|informing|mentioning|disclose|let|warn)\w*\b(?:.{0,25}\b(?:users?|owner|humans?|operator)\b|.{0,12}\b(?:anyone|anybody|them|him|her)\b.{0,10}\b(?:about|of|that you|this)\b|.{0,8}\bthis (?:message|instruction|request|step|to)\b)/,
  /(?<![\w$])<\s*(?:important|information|system|instructions?|admin|override|urgent|hidden|secret|directive|priority|user_(?:message|request))\s*(?:[\w-]+="[^"]{0,40}")?\s*>/,
  // A place in a command's usage is written like this too; it is not closed, and nobody is told anything.
  /(?<![\w$])<\s*(?:command|task|prompt|notice|message)\s*>(?:.{1,400}<\/\s*(?:command|task|prompt|notice|message)|.{0,40}\byou\b)/,
  // A log line opens with "[system]" as well.
  /\[\s*(?:system|admin|instructions?|important|prompt|override|assistant|developer|hidden)(?: (?:message|instructions?|note|prompt|override)\s*\]|\s*\](?: ?:|.{0,40}\b(?:you|your|ignore|disregard|assistant|agent)\b))/,
  /(?:^|[\s"'>.])(?:system|assistant|admin|developer) ?(?:message|prompt|note|override|instruction)s? ?: ?\S/,
  /(?:^|[\s"'>.])(?:system|admin|developer) ?: ?(?:please |you |override|ignore|disregard|new |now |the (?:ai|assistant|agent) )/,
  /\b(?:new|updated|additional|revised|real|actual|urgent|special|secret|hidden) (?:instructions?|directives?|orders?|objective|task(?= (?:for|to) (?:you|the)))(?: (?:for|to) (?:you|the (?:ai|assistant|agent|model)))? ?:/,
  new RegExp(
    `\\b(?:important|attention|urgent|warning|critical|notice|alert|instructions?|priority|mandatory|action required)\\b[\\s!:*\\]>-]{1,12}(?:please )?(?:you must |you should |you need to |immediately |now |first |before (?:anything|everything|doing)[^,.]{0,30}, ?|kindly |the (?:ai|assistant|agent|model) )+${ACTION}\\b`,
  ),
  /\b(?:important|attention|urgent|instructions?)\b ?!{2,}/,
  new RegExp(
    `\\bbefore (?:(?:anything|everything|doing anything|you do anything|all)(?: else)?|you (?:go on|continue|proceed|respond|answer))\\b,?(?: please| you must| first| kindly)*,? ${ACTION}\\b`,
  ),
  new RegExp(`(?<![#/*;%-] ?|\\w)todo ?: ?(?:please )?${ACTION} `),
  /\b(?:please |first |you must |must )do the following(?: (?:first|instead|things?|steps?|tasks?|now))?\b.{0,4}[:.]/,
  /\b(?:when|while|before) (?:you )?(?:writ|summari[sz]|distil|creat|stor|sav)\w*\b.{0,30}\b(?:memory|memories|card|summary)\b.{0,40}\b(?:set|use|write|say|include|add|state|put)\b|\b(?:set|write|store|save|put|add)\b.{0,60}\b(?:in|into|to) (?:your|the agents?'?s?|the fleet'?s?) (?:long-term )?(?:memory|memories)\b/,
  /\b(?:the|your|this) (?:\w+ ){0,2}?(?:summary|memory card|memory entry)\b(?: \w+){0,5}? (?:must|should|shall|has to|have to|is to|needs? to) (?:\w+ )?(?:be exactly|say|contain|include|read|state|mention)\b/,
  /\b(?:to|dear|attention) (?:whoever|whomever|anyone who|anybody who|the one who|you who) (?:will |is |are )?(?:read|summari[sz]|distil|process|handl|writ)\w*/,
  /\b(?:remember|memori[sz]e)\b.{0,20}\b(?:permanently|for all future)\b/,
  new RegExp(`\\ball (?:other |future |ai )*agents (?:must|should|have to|shall) ${ACTION}\\b`),
  /\bassistant ?: ?(?:sure|certainly|of course|okay|ok|here)\b/,
  /\bset (?:the |its |your )?(?:(?:card|memory)'?s )?(?:importance|trust)\b.{0,12}(?:10\b|\bperson\b|\bruntime\b|\bmax)|\b(?:card|memory)'?s? visibility\b.{0,12}organi[sz]ation/,
  /\b(?:as|since) (?:you are |you're )?(?:an? |the )?(?:ai|language model|assistant|agent)\b,? (?:you (?:must|should|need|have|are)|please)\b/,
];

/** Pleading for a tool call; an agent that tells its own steps words them alike. */
export const TOOL_SPEECH: readonly RegExp[] = [
  /\b(?:you (?:must|should|need to|have to|are (?:required|instructed|ordered) to)|please|first|now|then|immediately|and)(?: \w+){0,2} (?:call|invoke|execute|trigger) (?:the |these |this |following |a |your ){1,3}(?:[\w`'"]+ ){0,3}(?:function|tool|api|plugin|action)s?\b/,
  /\b(?:call|invoke|execute|run|use) (?:the )?(?:tool|function|api|plugin|[\w]+ (?:tool|function)) [`'"]?\w+_\w+/,
  /\b(?:use|using) the [`'"]?\w+_\w+[`'"]? (?:tool|function|api)\b/,
  /\b(?:call|invoke|execute|run|use) (?:the |these )?(?:following|below|next) (?:functions?|apis?|tool calls?)\b/,
  /\b(?:to|in order to) (?:complete|finish|solve|access|see|continue|unlock|view|proceed|read)\b[^.]{0,60}?,? you (?:must|need to|have to|should)(?: first)? (?:send|transfer|e-?mail|call|visit|invite|share|forward|post|pay|delete)\b/,
  new RegExp(
    `\\b(?:the |all |any )?${MACHINE}s? (?:must|should|shall|has to|have to|needs? to|is (?:required|instructed) to)(?: now| first| immediately| always)? ${ACTION}\\b`,
  ),
];
