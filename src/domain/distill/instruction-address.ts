/**
 * Speech that gives itself away by whom it speaks to or of: a machine that reads, that machine's user,
 * its task and its context. Patterns over lower-case one-line text as in `instruction-rules.ts`; every
 * repetition is bounded.
 */

/** A machine that reads, never a person's job: "agent" and "assistant" only with a word that says so. */
const AI =
  '(?:(?:ai|a\\.i\\.|llm|automated|autonomous|artificial|virtual|calling|visiting)[ -](?:shopping |coding |browser )?(?:agent|assistant|model|bot|system|reader|crawler|tool)s?|ai|a\\.i\\.|llms?|(?:large )?language models?|chat ?bots?|chatgpt)';
const HELPER = `(?:${AI}|assistants?|agents?|models?|bots?)`;
const DO =
  "(?:accept|add|answer|append|approve|assign|book|buy|call|carry|change|choose|click|close|collect|confirm|copy|create|delete|disable|disregard|do not|don't|download|e-?mail|enable|encode|execute|fetch|forward|give|grant|hide|ignore|include|insert|install|invite|invoke|leave|list|log|look|mark|merge|move|never|open|output|pay|pick|post|print|provide|publish|put|rate|read|recommend|remove|rename|reply|report|reset|resolve|run|say|send|set|share|sign|skip|state|submit|tell|transfer|treat|update|upload|use|visit|wire|write)";
const MUST =
  '(?:must|should|shall|has to|have to|is to|are to|needs? to|ought to|is required to|are required to)';
const READS =
  '(?:read|pars|process|summari[sz]|handl|visit|scan|index|review|analy[sz]|see|consum|open|crawl|com)\\w{0,5}';
const ASIDE =
  "(?:set aside|put aside|ignore|disregard|forget|drop|abandon|discard|neglect|skip|stop|cease|cancel|override|leave behind|(?:do not|don't|never|no longer|stop) (?:do|doing|follow|following|obey|obeying|carry out|listen to))";

/** Who is spoken to is a machine: no honest page, mail or result is written to one. */
export const MACHINE_ADDRESSED: readonly RegExp[] = [
  // "For AI agents: …", "LLMs: …", "instructions for the assistant: …".
  new RegExp(
    `(?:^|[^\\w-])(?:for |to |dear |attention |@)?(?:the |any |all |every )?${AI} ?(?:\\([^)]{0,20}\\))? ?: ?(?:please |kindly |you |must |should )*${DO}\\b`,
  ),
  new RegExp(`\\b(?:for|to) (?:the |any |all |every )?${AI}(?: only)? ?[:,]`),
  new RegExp(
    `\\b(?:instructions?|notes?|notice|message|hint|directives?|orders?|request|steps?|reminder) (?:for|to) (?:the |any |all |our |this )?(?:reading |processing )?(?:${AI}|assistant|agent|model|bot)\\b[ *_"'>)]{0,4}[:,.;]`,
  ),
  // A commit's subject opens with "agent:" as well.
  new RegExp(
    `(?:^|["'>({\\[|*] ?)(?:assistant|agent|bot), ?(?:please |kindly |now )*${DO}\\b|(?:["'>({\\[|*] ?|<!-- ?)(?:assistant|agent|bot|model) ?: ?(?:please |kindly |now )*${DO}\\b`,
  ),
  // "If an AI is processing this", "any bot that reads this message", "an agent reading this page".
  new RegExp(
    `\\b(?:if|when|whenever|once|should|in case) (?:an? |any |the |you,? )?${HELPER} (?:is |are |that is |which |who |happens to )?${READS} (?:this|the (?:present|current|above|following)|these)\\b`,
  ),
  new RegExp(
    `\\b(?:any|every|all|each|the|an?) ${HELPER} (?:that |which |who |is |are )?(?:reads?|reading|process\\w*|handl\\w*|summari[sz]\\w*|visit\\w*|pars\\w*) (?:this|these)\\b.{0,50}\\b${MUST}\\b`,
  ),
  new RegExp(
    `\\b(?:if|when|in case) (?:this|the) (?:\\w+ )?(?:is|gets|was) (?:\\w+ )?(?:by|to) (?:an? |any )?${AI}\\b`,
  ),
  new RegExp(
    `\\b(?:should you|if you|in case you)(?: happen to)?(?: be| are)? (?:an? |the )?${AI}\\b`,
  ),
  new RegExp(
    `\\b(?:when|if|whenever) (?:an? |any |the )?${AI} (?:visit|read|process|see|open|arriv|come)\\w*\\b.{0,40}\\b${MUST}\\b`,
  ),
  new RegExp(
    `\\b(?:the |all |any )?(?:ai|automated|autonomous|calling|llm)[ -](?:\\w+ )?(?:agent|assistant|bot|model)s? ${MUST}(?: now| first| then| always| also)? ${DO}\\b`,
  ),
  new RegExp(
    `\\b${HELPER}s? (?:read|process|visit|handl|summari[sz]|pars)ing (?:this|these)\\b.{0,50}\\b(?:${MUST}|please|kindly)\\b`,
  ),
  // "You, the agent", "you as an AI", "dear language model".
  /\byou,? (?:the |an? |as an? |as the |dear )(?:ai|agent|assistant|language model|model|llm|chat ?bot|bot)\b(?!-)/,
  /\bas the (?:assistant|ai|agent|model|llm|bot) (?:handling|reading|processing|summari[sz]ing|visiting|working on) (?:this|the)\b/,
  new RegExp(
    `\\b(?:dear|hello|hey|hi|excuse me|listen|attention)(?: there)?,? (?:dear |helpful |kind |my )*(?:${AI}|assistant|language model|helpful model)\\b ?[,.!:]`,
  ),
  /, ?(?:dear |helpful |kind |good )(?:model|assistant|ai|agent|bot)\b ?[,.!]/,
  /, (?:assistant|ai|llm|bot|agent)(?:, (?:as to|please|you|could|would|if you|and then|to)\b|[.!]? ?$|[.:] (?:when|please|you|hide|do not|do )\b)/,
  new RegExp(`\\bcould (?:the |an? |any )?(?:${AI}|assistant) (?:that|who|which) reads?\\b`),
  new RegExp(
    `\\b(?:addressing|instruct(?:ing)? you,?|addressed to) (?:you,? )?(?:the |any |all )?(?:${AI}|assistant|agent)\\b`,
  ),
  new RegExp(
    `\\b(?:the |each |every |all )?(?:summary|answer|reply|response)s? (?:of|about) (?:this|the) (?:thread|page|document|text|message)\\b.{0,20}\\b${MUST} (?:end|begin|start|contain|include|say)\\b`,
  ),
];

/** Fields, headers and brackets made for a machine that obeys them. */
export const MACHINE_FIELDS: readonly RegExp[] = [
  // "AGENT_CMD: …", "agent_override=…", "agent instruction: …".
  /(?:^|[^\w])_{0,2}(?:ai|agent|assistant|llm)_(?:system_)?(?:cmd|exec|override|instruction|directive|command)s?_{0,2}["']? ?[:=(]/,
  /\b(?:ai|agent|assistant|llm) (?:instruction|directive|override|order)s? ?: ?\w/,
  /\b(?:system|admin|safety) override ?[-:!]/,
  /(?:^|[\s(>"'])@(?:assistant|ai|agent|bot)\b,? (?:when|please|ignore|send|include|add|run|do)\b/,
  // "[AI NOTE: …", "{{#AI_INSTRUCTION}}", "<!-- AI: …", "note to AI".
  /[[({<#]\s?[#/]?_{0,2}(?:ai|llm|agent|assistant|bot|model)[ _-](?:instructions?|notes?|override|directives?|commands?|messages?|prompts?|task)_{0,2}\s?[\]:)}>]/,
  /["']_{0,2}(?:ai|llm|agent|assistant|model)_(?:instructions?|notes?|override|directives?|commands?|prompts?)_{0,2}["'] ?:/,
  /<!-- ?(?:hidden|secret|private|ai|llm|assistant|agent|model|bot|system)(?: (?:note|message|instruction)s?)? ?[:,]/,
  /\[\/\/\]: ?# ?["'(](?:system|ai|llm|assistant|agent|model|hidden)\b/,
  /\b(?:note|message|memo|instructions?) to (?:the )?(?:ai|llm|model|assistant)\b ?[\]:)]/,
  /-{2,6} ?(?:begin |end )?(?:system|hidden|new) ?(?:prompt|message|instructions?|override)? ?-{2,6}/,
  /(?:^|[^\w-])(?:x-)?(?:ai|agent|assistant|llm)[_-](?:directive|command|instruction|order|prompt|action|task)s?\b["']? ?[:=>]/,
  /["'\s{,](?:for|to)[_-](?:the[_-])?(?:ai|agents?|assistants?|llms?)["']? ?[:=]/,
  /["'](?:ai|agent|assistant|llm)[_-]instructions?["']/,
  /<\/?(?:ai|agent|assistant|llm|model)[_-](?:instruction|directive|command|note|message|prompt)s?\b/,
  /\[\[ ?\/?(?:agent|assistant|ai|llm|system) ?\]\]/,
  /\{\{[#~/ ]{0,3}(?:system|assistant) ?~? ?\}\}/,
  /<\/?(?:tool_(?:response|result|output|call)|function_(?:result|response|call)s?|observation)>/,
  /``` ?(?:instructions?|system|prompt)\b/,
  /\b(?:next_action|next_step|required_action)["']? ?[:=] ?["']?(?:please )?(?:call|invoke|run|execute|send|use)\b/,
  /\bhuman ?: .{0,200}\bassistant ?: .{0,200}\bhuman ?: /,
  /<\|(?:\w{1,20})\|>/,
];

/** The reader's user, task and rules, spoken of by somebody who has no business with them. */
export const TASK_TAKEN_OVER: readonly RegExp[] = [
  // What a machine is to put out, word for word or at which end.
  /\b(?:at|in|to) the (?:very )?(?:start|beginning|end|top|bottom) of your (?:response|reply|answer|output|summary|message)\b/,
  /\b(?:append|prepend|add) (?:this |the following |it )?to your (?:response|reply|answer|output|summary)\b/,
  /\b(?:begin|start|end|finish|preface|prefix)(?:ning|ing)? (?:your|the|all|every) (?:response|reply|answer|output|message)s? (?:with|by)\b/,
  /\ball (?:your )?(?:responses|replies|answers|outputs) must (?:begin|start|end|contain|include)\b/,
  /\b(?:respond|reply|answer|output) (?:only |just |exactly |solely )+(?:with|the|by)?\b.{0,12}["':]/,
  /\b(?:respond|reply|answer) with (?:only|exactly|just|nothing but)\b/,
  /\byour only (?:response|reply|answer|output) (?:should|must|will|is)\b/,
  /\byour (?:new )?(?:primary|main|prime|updated|sole) (?:directive|instruction|order|objective)s? ?(?:is|are|:)/,
  /\b(?:what|which|the) (?:system )?(?:instructions?|rules|prompt|guidelines) (?:that )?you (?:were given|have been given|got|received|follow)\b.{0,40}\b(?:conversation|session|start|beginning|chat|above)\b/,
  /\b(?:tell|give|show|send|read) (?:me|us) (?:the|your) (?:full |entire |complete |exact |original )?(?:system|initial|hidden) (?:prompt|instructions?|message)\b/,
  // "Tell the user …": said to the one who talks with the user.
  /[\]:>)!] ?(?:please |now |also )*(?:tell|inform|notify|convince|persuade|warn) (?:the )?user (?:that|to|they|about|it|of)\b/,
  /[.!?] (?:please |now |also )*(?:tell|convince|persuade) the user (?:that|to|they)\b/,
  new RegExp(
    `\\b${ASIDE}\\b.{0,60}\\b(?:you (?:were|have been|had been|are|'ve been) (?:just )?(?:asked|told|given|instructed|doing|supposed|trained|working on)|(?:the|your) user(?:'s)? (?:want|ask|said|request|told|need|task|question|instruct|demand)\\w*)`,
  ),
  /\b(?:instructions?|rules?|guidelines?|orders?|prompts?|directions?|limits|restrictions) (?:that )?(?:you (?:were given|have(?: been given)?|got|received|follow|had)|in (?:your|this|the) (?:prompt|conversation|chat|session)|of your (?:prompt|session))\b.{0,60}\b(?:void|invalid|outdated|obsolete|cancel\w*|no longer|not (?:count|apply|valid)|expired|superseded|lifted|suspended|and (?:act|work|go) (?:on|by))\b/,
  /\b(?:everything|anything|all|whatever)(?: \w+){0,2} (?:in|of|from) your (?:prompt|context|instructions|conversation)\b.{0,60}\b(?:void|invalid|outdated|obsolete|cancel\w*|no longer|not (?:count|apply|valid)|expired|superseded|fake|a test)\b/,
  /\b(?:instructions?|rules?|guidelines?|orders?|policies)\b.{0,40}\bno longer (?:apply to|bind|concern|hold for) you\b/,
  /\b(?:treat|regard|consider) (?:all |every |any )?(?:the |your )?(?:rules?|instructions?|guidelines?|orders?)\b.{0,40}\b(?:outdated|obsolete|void|cancell?ed|expired|null)\b/,
  /\b(?:earlier|original|previous|first|initial|old|user'?s?) (?:request|task|question|order|instruction)s? (?:has been|have been|was|were|is|are) (?:now )?(?:cancell?ed|withdrawn|superseded|replaced|void|revoked)\b.{0,80}\b(?:instead|this one|the following|these|do this|now)\b/,
  /\b(?:imagine|pretend|suppose|assume|act as if|act as though|behave as if)\b.{0,40}\b(?:your |no |without )(?:guidelines|rules|restrictions|limits|filters|policies|instructions)\b/,
  /\b(?:pretend to be|act as|you are|behave like|become|turn into) (?:\w+ ){0,3}?(?:unrestricted|unfiltered|uncensored|jailbroken|without (?:any )?(?:rules|restrictions?|filters?|limits?))/,
  /\b(?:you|who|it|persona) (?:\w+ ){0,3}?(?:answers?|obeys?|follows?|responds?) (?:\w+ ){0,2}?(?:without any restrictions?|the (?:orders|text|instructions|commands) (?:of|in|on|from) (?:this|these|the|documents?))/,
  /\byour new (?:persona|identity|role|character|name|job|mission|owner|master) (?:is|will be)\b/,
  /\byour (?:sole|only|one|true|real|single) (?:job|task|goal|duty|purpose|mission)(?: now| here| today)? (?:is|will be)\b/,
  /\byou (?:now )?have (?:been given )?a new (?:task|goal|mission|instruction|objective)\b ?[:.!]/,
  /\b(?:do|follow|obey|execute) (?:whatever|everything|anything|what)\b.{0,40}\b(?:message|channel|page|document|file|text)s?\b.{0,20}\b(?:say|tell|ask|order|state|demand)/,
  /\bin \w+ mode,? (?:the |you,? )?(?:agent|assistant|model|ai|bot|you) (?:must|will|can|should|execut\w+|obey\w*|follow\w*|answer\w*|ignor\w+)\b/,
  // The user, named to the one who works for the user.
  /\bthe user (?:has |already |has already )?(?:agree[ds]?|consent\w*|approv\w+|authori[sz]\w+|confirmed)\b.{0,60}\b(?:you|without|no need|go ahead|proceed)\b/,
  /\bthe (?:user|owner of this \w+) (?:asked|told|instructed|wants|wanted) (?:me|us) to\b.{0,30}\bto you\b/,
  /\b(?:the |your )user (?:won't|will not|does not|doesn't|need not|must not|should not|cannot|can't|would not|wouldn't) (?:mind|notice|know|need to know|see this|find out|care|be told|be aware|be informed)/,
  /\b(?:no need|not necessary|better not|unnecessary) for (?:the |your )user to (?:know|see|be told|learn|notice)\b/,
  /\b(?:so that|in order that|without|before) (?:the |your )user(?:'s)? (?:does not |doesn't |do not |will not |won't |cannot |can |could |ever |is )?(?:notic|know|see|awar|find|hear|ask|consent|approv)\w*/,
  /\b(?:everything|anything|all|whatever|what) (?:that )?(?:the|your) user (?:has |have |ever )?(?:told|said to|wrote to|shared with|gave|given) you\b/,
  /\b(?:finish|complete|answer|fulfil+|continue with|finishing|completing|answering) (?:the|your) user'?s? (?:request|task|question|query|order)\b.{0,40}\b(?:but|also|then|normally|as usual|and)\b/,
  /\b(?:also|instead|first|then|just)\b.{0,30}\b(?:before|while|after|prior to) (?:you )?(?:finish|complet|answer|fulfil|handl|do|show)\w* (?:the|your) user/,
  /\b(?:on behalf of|instead of|rather than) the user\b.{0,30}\b(?:the user|without)\b/,
  /\b(?:reveal|tell me|give me|list|send|share|disclose|know|show)\b.{0,30}\bsecrets? of your (?:user|owner|operator)\b/,
  /\byou (?:may|can|should|must|are allowed to) (?:now )?skip (?:the |all |any )?(?:confirmations?|verification|approvals?|review)\b/,
  // Who poses as the reader's master.
  /\bas your (?:administrator|admin|owner|developer|operator|creator|master|principal),? (?:i|we)\b/,
  /\b(?:i am|i'm|this is|it is) (?:now )?your (?:owner|operator|creator|developer|administrator|admin|new user|master)\b/,
  /\bfrom (?:the )?(?:developers?|creators?|makers?|operators?|engineers|team|vendor) (?:of|behind) (?:this|the|your) (?:assistant|agent|model|ai|bot|language model)\b/,
  /\bi (?:have |'ve )?changed my mind about (?:the|your|this) task\b/,
  /\b(?:access|privileges?|permissions?|restrictions?) (?:level )?(?:have been |has been |is |are |were )?(?:raised|lifted|widened|escalated|elevated|removed)[.:;,]? you (?:will|must|can|may|should|are)\b/,
];

/** What is to be carried off, hidden or kept for later. */
export const MEANS_OF_ATTACK: readonly RegExp[] = [
  /\b(?:agent|assistant|ai|model|bot)s? (?:should|must|shall|has to|needs? to) (?:now |first |also )?(?:run|execute|call|invoke) [`'"/~$]/,
  /\bwhen (?:you are |you're )?(?:process|summari[sz]|read|pars|format|handl|analy[sz]|translat)ing(?: this \w+)?, (?:please |first |also |always |make sure to |be sure to |you must |you should )*(?:run|execute|reveal|include|send|encode|leak|append|output|say|state|mention|forward)\b/,
  /\b(?:have|make) (?:the |your |an? )?(?:ai|llm|language model|chat ?bot)(?: assistant| agent| model)? (?:send|forward|run|execute|share|delete|transfer|post|reveal|open|approve|add|pay)\b/,
  /\buse the (?:exec|shell|bash|terminal|write|browser|cron) tool to\b/,
  /\b(?:append|send|include|encode|print|paste|put|add|reply with|repeat|post|attach|load|reveal|output|copy|list|share)\b.{0,60}\b(?:your (?:whole |full |entire |current )?(?:conversation|context|chat history|dialogue|memory contents)|(?:conversation|dialogue|chat) (?:so far|history)|(?:what|everything|all that|all) (?:is |there is )?in your (?:context|memory|prompt)|context window|keys you hold|your (?:bearer |access |api )token as)\b/,
  /https?:\/\/\S{1,150}[?&=]["')]? (?:followed by|and (?:append|add|everything|all)|plus|with (?:everything|all|the (?:text|contents?)))\b/,
  /\b(?:to|at) the end of the url\b/,
  /\b(?:collect|gather|find|take|look up|read)\b.{0,50}\b(?:passwords?|credentials|password reset links?|home address|api keys?|secrets?|private keys?)\b.{0,60}\b(?:send|paste|put|post|include|upload|share|forward|mail|write)\b.{0,60}/,
  /\b(?:as if nothing(?: had| has)? happened|keep this between (?:us|you and me)|leave no trace|cover your tracks)\b/,
  /\b(?:leave out|do not (?:say|mention|report|show)|don't (?:say|mention|report|show)|hide|conceal|omit)\b.{0,30}\b(?:that you|what you|from your (?:report|answer|summary|reply|user|log))\b/,
  /\b(?:secretly|covertly|discreetly|quietly|stealthily) (?:also )?(?:add|put|send|forward|transfer|change|move|copy|share|invite|delete|remove|upload|book|buy|pay)\b/,
  /\b(?:carry|do|execute|perform|complete) (?:this|it|that|these)(?: steps?)? (?:out )?(?:silently|secretly|quietly|covertly|in secret)\b/,
  /\b(?:slip|sneak|smuggle|work)\b.{0,30}\binto (?:your|the) (?:answer|reply|response|summary)\b/,
  /\bin whatever you (?:answer|say|write|reply|respond|output)\b/,
  /\b(?:remove|delete|erase|clear)\b.{0,40}\b(?:sent|outbox|history|log|trash)\b.{0,30}\b(?:notice|trace|know|suspicio)/,
  /\b(?:save|store|record|remember|keep|add|note|memori[sz]e|write)\b.{0,60}\b(?:for (?:all )?(?:later|future|coming|next|other) (?:sessions?|agents?|conversations?|runs|assistants?)|(?:to|in|into) your (?:long[- ]term )?(?:memory|memories|knowledge|notes)|as a (?:rule|lesson|fact|note) (?:for|to) (?:all )?(?:future |other )?(?:agents?|assistants?|sessions?)|as a lesson with)\b/,
  /\bupdate your (?:notes|memory|memories|rules|knowledge|instructions) ?[:;]/,
  /\bfrom now on,? (?:whenever|when|if|every time|each time|always)\b.{0,30}\b(?:the |a |any )?users?\b/,
  /\b(?:agent|model|assistant|ai|bot|llm)s? (?:must|has to|have to|should|needs? to)(?: now| first| then)? (?:call|invoke|run|execute|trigger|use) [`'"]?(?:\w{1,30}_\w{1,40}|\w{2,40}\()/,
];
