/** Ordinary words of English by which people speak of themselves. No name is listed anywhere. */

/** "I have two kids", and not "I have a question". */
export const OWNED =
  'kids?|child(?:ren)?|sons?|daughters?|twins|brothers?|sisters?|siblings|grand(?:children|son|daughter|parents)|parents|dogs?|cats?|pets?|puppy|kittens?|horses?|birds?|hamsters?|rabbits?|chickens|cars?|house|flat|apartment|cottage|cabin|farm|garden|boat|bikes?|bicycle|motorbike|motorcycle|van|truck|piano|guitars?|violin|drums|shop|store|business|company|restaurant|bakery|studio|degree|diploma|licen[cs]e|tattoos?|wheelchair';

export const HEALTH =
  'allerg(?:y|ies)(?: to [^.,;]{2,60})?|asthma|diabetes|epilepsy|arthritis|migraines?|anxiety|depression|insomnia|adhd|autism|dyslexia|c(?:o)?eliac disease|(?:high|low) blood pressure|(?:a )?heart condition|(?:a )?bad (?:back|knee|hip|shoulder)|(?:a )?(?:nut|peanut|gluten|lactose|dairy|egg|shellfish|pollen) (?:allergy|intolerance)|(?:a )?hearing (?:aid|loss)|(?:a )?pacemaker';

export const DIETS =
  'vegan|vegetarian|pescatarian|celiac|coeliac|diabetic|gluten[- ]free|lactose[- ]intolerant|halal|kosher|teetotal|asthmatic|pregnant|colou?r[- ]?blind|left[- ]handed|deaf|blind|married|engaged|single|divorced|widowed|retired|unemployed|self[- ]employed';

/** "I'm a nurse", by what occupations end with. */
export const OCCUPATION =
  '(?:[a-z-]+ ){0,3}(?:[a-z-]*(?:nurse|teacher|doctor|chef|cook|pilot|lawyer|student|coach|clerk|judge|surgeon|athlete|actress|[a-z]{3,}(?:eer|ician|ologist|ist|ector|igner|opher|grapher|eur|ant|ian|smith|wright|maker|driver|worker|writer|painter|farmer|baker|banker|builder|carpenter|plumber|manager|developer|programmer|dancer|singer|player|officer|fighter|keeper|trainer|carer|minder|owner|founder|director|editor|author|actor|tutor|doctor|tailor|sailor|professor|instructor|counsel(?:l)?or)))';

export const RELATIVE =
  'wife|husband|partner|spouse|fianc[ée]e?|girlfriend|boyfriend|mother|mom|mum|father|dad|son|daughter|brother|sister|aunt|uncle|cousin|niece|nephew|grandmother|grandfather|grandma|grandpa|dog|cat|puppy|kitten|horse|boss|manager|doctor|dentist|therapist|accountant|lawyer|landlord|neighbo(?:u)?r|best friend|roommate|flatmate|baby|twins|kids|children|parents';

/** "My question is …" says nothing of the one who asks it. */
export const PASSING =
  'question|point|problem|issue|guess|idea|thought|thoughts|apologies|bad|mistake|understanding|turn|concern|request|suggestion|hope|opinion|answer|next|last|first|only|main|big(?:gest)?|plan|job here|day|week|weekend|morning|evening|night|mood|head|heart|mind|pleasure|favou?r|part|side|order|flight|booking|reservation|ticket|package|message|file|code|screen|computer|connection|internet';

/** Which no card can be made of by itself. */
export const POINTS_ELSEWHERE =
  /^(?:it|this|that|these|those|them|him|her|you|your|there|here|how|what|when|where|who|why|one|ones|to be|being|some|something|everything|anything|all|so)\b/i;

export const THIRD: Readonly<Record<string, string>> = {
  love: 'loves',
  like: 'likes',
  enjoy: 'enjoys',
  prefer: 'prefers',
  adore: 'adores',
  hate: 'hates',
  dislike: 'dislikes',
  collect: 'collects',
  play: 'plays',
  speak: 'speaks',
  drive: 'drives',
  own: 'owns',
  study: 'studies',
  teach: 'teaches',
  use: 'uses',
  wear: 'wears',
  need: 'needs',
  want: 'wants',
};
