/** How a verb of an operation's name is told, and what its result means. */
export interface Verb {
  past: string;
  /** Past participle, for `it was …`. */
  done: string;
  act: 'ask' | 'read' | 'search' | 'write';
}

const ASK = 'get fetch retrieve query request describe lookup';
const READ =
  'read open view show list check inspect count download load see peek scan monitor test';
const SEARCH = 'search find locate discover browse grep filter';
const WRITE =
  'send book cancel update modify create add remove delete reserve schedule invite share append post ' +
  'transfer toggle exchange return refund charge pay order change edit insert replace set put patch ' +
  'upsert save store write upload import export archive restore move copy rename assign unassign ' +
  'approve reject accept decline confirm verify validate close reopen merge commit push pull deploy ' +
  'release rollback restart start stop pause resume run execute submit publish unpublish notify email ' +
  'message reply forward call subscribe unsubscribe enable disable activate deactivate suspend lock ' +
  'unlock reset register enroll unregister sign login logout connect disconnect attach detach link ' +
  'unlink tag label mark flag block unblock grant revoke apply calculate compute convert translate ' +
  'summarize generate render build compile install uninstall configure provision scale backup migrate ' +
  'sync process print ship deliver track escalate route trigger dispatch launch terminate kill drop ' +
  'issue redeem upgrade downgrade extend renew switch swap split join leave disassemble extract ' +
  'unzip compress encrypt decrypt log record report review rate comment draft clear purge refuel ' +
  'transition turn switch shut power spin tear provision assess reconcile register reopen drain reschedule rebook check_in checkout authorize capture void credit debit withdraw deposit invoice';

const IRREGULAR: Readonly<Record<string, readonly [past: string, done: string]>> = {
  get: ['Asked', 'read'],
  read: ['Read', 'read'],
  see: ['Looked at', 'seen'],
  show: ['Showed', 'shown'],
  find: ['Searched', 'found'],
  send: ['Sent', 'sent'],
  pay: ['Paid', 'paid'],
  set: ['Set', 'set'],
  put: ['Put', 'put'],
  write: ['Wrote', 'written'],
  run: ['Ran', 'run'],
  reset: ['Reset', 'reset'],
  shut: ['Shut', 'shut'],
  spin: ['Spun', 'spun'],
  tear: ['Tore', 'torn'],
  build: ['Built', 'built'],
  leave: ['Left', 'left'],
  split: ['Split', 'split'],
  withdraw: ['Withdrew', 'withdrawn'],
  check_in: ['Checked in', 'checked in'],
  rebook: ['Rebooked', 'rebooked'],
  login: ['Logged in', 'logged in'],
  logout: ['Logged out', 'logged out'],
  checkout: ['Checked out', 'checked out'],
  lookup: ['Looked up', 'looked up'],
  rollback: ['Rolled back', 'rolled back'],
  backup: ['Backed up', 'backed up'],
  cancel: ['Cancelled', 'cancelled'],
  label: ['Labelled', 'labelled'],
  sync: ['Synced', 'synced'],
};

/** Consonants that double before `-ed` in the verbs above. */
const DOUBLING = new Set([
  'stop',
  'drop',
  'swap',
  'ship',
  'tag',
  'flag',
  'log',
  'scan',
  'commit',
  'submit',
  'grep',
]);

/** Regular English past tense: `book` → `booked`, `notify` → `notified`, `stop` → `stopped`. */
export function regularPast(verb: string): string {
  if (verb.endsWith('e')) return `${verb}d`;
  if (/[^aeiou]y$/.test(verb)) return `${verb.slice(0, -1)}ied`;
  if (DOUBLING.has(verb)) return `${verb}${verb.charAt(verb.length - 1)}ed`;
  return `${verb}ed`;
}

const VERBS: ReadonlyMap<string, Verb> = new Map([
  ...table(ASK, 'ask'),
  ...table(READ, 'read'),
  ...table(SEARCH, 'search'),
  ...table(WRITE, 'write'),
]);

function table(words: string, act: Verb['act']): [string, Verb][] {
  return words.split(' ').map((word) => {
    const regular = regularPast(word);
    const [past, done] = IRREGULAR[word] ?? [
      regular.charAt(0).toUpperCase() + regular.slice(1),
      regular,
    ];
    return [word, { past, done, act }];
  });
}

/** Words that are a thing more often than an act where they stand last: `transition_issue`. */
const NOUNS = new Set(
  'issue order record report comment message email label tag link review draft charge invoice process schedule transfer log flag mark file query request book release build call credit refund reply post test view index track contact export import backup'.split(
    ' ',
  ),
);

export function isMostlyNoun(word: string): boolean {
  return NOUNS.has(word);
}

/** Words after a verb that belong to it: `turn on`, `shut down`. */
export function isParticle(verb: string, word: string): boolean {
  return (
    /^(?:turn|switch|set|shut|look|clean|back|roll|sign|log|check|power|scale|start|stop|hand|spin|tear)$/.test(
      verb,
    ) && /^(?:on|off|up|down|out|back|over)$/.test(word)
  );
}

export function verbOf(word: string): Verb | undefined {
  return VERBS.get(word.toLowerCase());
}
