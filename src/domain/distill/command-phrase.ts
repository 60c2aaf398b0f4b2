import type { SettledEvent } from '../../contracts/event';
import type { CallPhrase } from './call-phrase';
import { looksLikeInstruction, textOf } from './instruction-like';
import type { OperationName } from './operation-name';
import { clip, plain } from './plain-text';

const COMMAND_LIMIT = 80;
const FILE =
  /(?:^|[\s:"'(])(?:[~.]{0,2}\/)?(?:[\w.@-]+\/)*([\w@-][\w.@-]*\.[A-Za-z]{1,5})(?=$|[\s:"',)])/;
/** Commands that do to a file what their name says. */
const FILE_VERBS = new Set([
  'edit',
  'create',
  'open',
  'delete',
  'remove',
  'move',
  'copy',
  'view',
  'write',
  'read',
  'patch',
  'unzip',
  'disassemble',
]);
const SEARCH_VERBS = new Set(['find', 'search', 'grep', 'locate']);

/** Operations that take any command. */
const SHELLS =
  /^(?:(?:run|exec|execute)_?(?:bash|shell|command|cmd)?|bash|sh|zsh|shell|exec|terminal|cmd|command|powershell)$/i;

/** A step whose input is a line of text: a shell command, an expression, a thought. */
export function commandPhrase(
  event: SettledEvent,
  name: OperationName,
  service: string | null,
): CallPhrase | null {
  const input = textOf(event.input);
  const operation = event.operation ?? '';
  const line = plain(input.split('\n', 1)[0] ?? '');
  if (line === '' || looksLikeInstruction(line)) return null;
  const where = service === null ? '' : ` in ${clip(service, 40)}`;
  const isCommand = operation !== '' && line.toLowerCase().startsWith(operation.toLowerCase());
  const rest = isCommand ? line.slice(operation.length).trim() : line;
  const verb = name.verb;
  if (verb !== null && FILE_VERBS.has(name.verbWord ?? '')) {
    const file =
      FILE.exec(rest)?.[1] ?? FILE.exec(textOf(event.error ?? event.output).slice(0, 2_000))?.[1];
    const target = file ?? clip(rest, 50);
    if (target !== '')
      return { text: `${verb.past} ${target}${where}`, noun: 'line', joined: verb.act === 'read' };
  }
  if (verb !== null && SEARCH_VERBS.has(name.verbWord ?? '')) {
    return {
      text: `Searched${where} for ${clip(rest.replace(/["']/g, ''), 60)}`,
      noun: name.head.join(' ') || 'match',
      joined: false,
    };
  }
  if (isCommand || SHELLS.test(operation))
    return {
      text: `Ran ${clip(shortened(line), COMMAND_LIMIT)}${where}`,
      noun: 'line',
      joined: false,
    };
  const label =
    verb === null ? `Called ${clip(operation === '' ? 'a step' : operation, 60)}` : verb.past;
  const on = service === null ? '' : ` on ${clip(service, 40)}`;
  return {
    text: `${label}${on} with “${clip(shortened(line), COMMAND_LIMIT)}”`,
    noun: '',
    joined: false,
  };
}

/** Long codes say nothing to a reader; their first characters do. */
function shortened(line: string): string {
  return line.replace(/[A-Za-z0-9+/=]{33,}/g, (code) => `${code.slice(0, 12)}…`);
}
