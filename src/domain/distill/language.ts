/** The few words that frame a card in the language of its text. */
export interface Framing {
  language: string;
  worked: string;
  failed: string;
}

const STOP_WORDS: readonly (readonly [string, RegExp])[] = [
  [
    'en',
    /^(?:the|and|of|to|is|in|that|for|with|was|it|you|on|are|have|not|this|be|my|can|please|i|what|your|from|at|will|would|has)$/,
  ],
  [
    'de',
    /^(?:der|die|das|und|ist|nicht|ich|ein|eine|mit|für|auf|den|dem|zu|von|wir|sie|bitte|wurde|kann|haben|meine|im|des|auch|es|wie|noch)$/,
  ],
  [
    'fr',
    /^(?:le|la|les|et|est|des|une|un|pour|dans|que|qui|pas|je|vous|nous|avec|sur|du|mon|ma|été|au|ce|il|merci|bonjour|être|votre)$/,
  ],
  [
    'es',
    /^(?:el|la|los|las|y|es|una|un|para|que|por|con|del|no|mi|se|su|está|fue|hola|gracias|quiero|puede|al|lo|como|tiene)$/,
  ],
  [
    'it',
    /^(?:il|lo|la|gli|le|e|è|una|un|per|che|con|del|della|non|mio|mia|si|sono|di|al|ciao|grazie|vorrei|ho|nel|stato)$/,
  ],
  [
    'pt',
    /^(?:o|os|as|e|é|uma|um|para|que|com|do|da|não|meu|minha|se|em|está|foi|olá|obrigado|quero|você|ao|dos|por)$/,
  ],
  [
    'nl',
    /^(?:de|het|en|is|een|niet|ik|voor|met|van|op|te|wij|dat|mijn|naar|kan|heb|zijn|graag|worden|aan|bij|u|er)$/,
  ],
];

const FRAMES: Readonly<Record<string, Omit<Framing, 'language'>>> = {
  de: { worked: 'Es hat geklappt', failed: 'Es ist fehlgeschlagen' },
  fr: { worked: 'Cela a fonctionné', failed: 'Cela a échoué' },
  es: { worked: 'Funcionó', failed: 'Falló' },
  it: { worked: 'Ha funzionato', failed: 'Non è riuscito' },
  pt: { worked: 'Funcionou', failed: 'Falhou' },
  nl: { worked: 'Het is gelukt', failed: 'Het is mislukt' },
};
/** A language without words of ours is framed by signs. */
const SIGNS: Omit<Framing, 'language'> = { worked: '✓', failed: '✗' };

/** The framing of a text that is not English; null for English, and for what is too short to tell. */
export function foreignFraming(text: string): Framing | null {
  const letters = text.slice(0, 2_000).match(/\p{L}/gu)?.length ?? 0;
  const foreign = text.slice(0, 2_000).match(/[^\P{L}\p{Script=Latin}]/gu)?.length ?? 0;
  if (letters >= 3 && foreign > letters * 0.4) return { language: 'other', ...SIGNS };
  const words =
    text
      .slice(0, 2_000)
      .toLowerCase()
      .match(/\p{L}+/gu) ?? [];
  let best = 'en';
  let most = 0;
  let english = 0;
  for (const [language, pattern] of STOP_WORDS) {
    const hits = words.filter((word) => pattern.test(word)).length;
    if (language === 'en') english = hits;
    if (hits > most) {
      best = language;
      most = hits;
    }
  }
  const accents = text.slice(0, 2_000).match(/[\u00c0-\u024f¿¡]/g)?.length ?? 0;
  if (
    best !== 'en' &&
    most >= 2 &&
    most > english + (accents > 0 ? 0 : 1) &&
    most >= words.length * 0.15
  ) {
    return { language: best, ...(FRAMES[best] ?? SIGNS) };
  }
  return null;
}
