import type { Json, SettledEvent } from '../../contracts/event';
import { readArguments } from './arguments';
import { type CallPhrase, callPhrase } from './call-phrase';
import { commandPhrase } from './command-phrase';
import { advice } from './error-family';
import { errorMessage } from './error-message';
import { failureReason } from './failure-reason';
import { looksLikeInstruction, textOf } from './instruction-like';
import { foreignFraming } from './language';
import { readOperationName } from './operation-name';
import { outputPhrase } from './output-phrase';
import { type Parsed, parseValue } from './parse-value';
import { clip, finish, plain, upperFirst } from './plain-text';
import type { Findings, Told } from './told';

/** A service call or workflow step: what was done, what came of it, what to do about it. */
export function callCard(event: SettledEvent, findings: Findings): Told {
  const operation = text(event.operation) ?? event.workflow_step?.step ?? '';
  const service = text(event.service) ?? event.workflow_step?.workflow ?? null;
  const name = readOperationName(operation);
  const input = parseValue(event.input);
  const failed = event.outcome === 'failed' || event.outcome === 'blocked';
  const fields = input.shape === 'record' ? input.fields : {};
  const command =
    input.shape === 'scalar' || input.shape === 'text' ? commandPhrase(event, name, service) : null;
  const phrase =
    command ??
    callPhrase(
      name,
      operation === '' ? 'an operation' : operation,
      service,
      fields,
      failed,
      !looksLikeInstruction(textOf(event.input)),
    );
  const topic = [...name.head, ...name.tail].join(' ').slice(0, 40) || null;
  const foreign = foreignCall(event, operation, service, fields);
  if (foreign !== null) return { summary: foreign, routine: false, topic };
  if (failed)
    return {
      summary: failedSummary(event, phrase, findings, name.verbWord),
      routine: false,
      topic,
    };
  const output = parseValue(event.output);
  const act = name.verb?.act ?? 'write';
  const reading = act !== 'write';
  const summary = settledSummary(event, phrase, output, findings, reading);
  const routine = reading && event.outcome === 'worked' && findings.lesson === null;
  return { summary, routine, topic };
}

/** A call whose answer is prose in another language: the call by its names, then the answer's own words. */
function foreignCall(
  event: SettledEvent,
  operation: string,
  service: string | null,
  fields: Readonly<Record<string, Json>>,
): string | null {
  const message = errorMessage(event.error ?? event.output)?.text ?? '';
  const foreign = foreignFraming(message);
  if (foreign === null || looksLikeInstruction(message)) return null;
  const args = readArguments(fields)
    .filter((arg) => arg.shown !== '')
    .slice(0, 4)
    .map((arg) => `${plain(arg.key.replace(/_/g, ' '))} ${arg.shown}`);
  const call = [
    [service, operation].filter((part) => part !== null && part !== '').join('.'),
    ...args,
  ].join(', ');
  const failed = event.outcome === 'failed' || event.outcome === 'blocked';
  const verdict = failed ? foreign.failed : event.outcome === 'worked' ? foreign.worked : '→';
  const said = clip(plain(message), 180);
  return `${finish(clip(plain(call), 120))} ${finish(`${verdict}${verdict.length > 2 ? ':' : ''} ${said}`)}`;
}

function failedSummary(
  event: SettledEvent,
  phrase: CallPhrase,
  findings: Findings,
  verb: string | null,
): string {
  const error: Json | undefined = event.error ?? event.output;
  const reason = failureReason(error, findings.family, phrase.text, verb);
  const how = event.outcome === 'blocked' ? 'It was blocked' : 'It failed';
  const search = /^Searched/.test(phrase.text) && findings.family === 'not_found';
  const what =
    findings.family === null
      ? ''
      : search
        ? 'Try other words or a wider search.'
        : advice(findings.family, reason ?? '');
  const why = reason === null ? `${how} without saying why.` : finish(`${how}: ${reason}`);
  return [finish(phrase.text), why, what].filter((part) => part !== '').join(' ');
}

function settledSummary(
  event: SettledEvent,
  phrase: CallPhrase,
  output: Parsed,
  findings: Findings,
  reading: boolean,
): string {
  const detail = outputPhrase(output, {
    noun: phrase.noun,
    said: phrase.text,
    reading: reading || phrase.text.startsWith('Ran '),
    countsOnly: findings.flagged,
  });
  const lesson = findings.lesson === null ? '' : findings.lesson.clause;
  if (event.outcome === 'worked' && !reading) {
    const worked = lesson === '' ? 'It worked' : `It worked, ${lesson}`;
    const output = phrase.text.startsWith('Ran ')
      ? (detail?.replace(/^(\d+ (?:lines?|words?))/, '$1 of output') ?? null)
      : detail;
    return `${finish(phrase.text)} ${finish(output === null ? worked : `${worked}: ${output}`)}`;
  }
  const after = lesson === '' ? '' : ` ${finish(`It worked, ${lesson}`)}`;
  if (detail === null) {
    if (event.outcome === 'worked')
      return `${finish(phrase.text)}${after === '' ? ' It worked.' : after}`;
    return `${finish(phrase.text)} ${reading ? 'Nothing was found.' : 'No result came back.'}`;
  }
  if (phrase.joined) return `${finish(`${phrase.text}: ${detail}`)}${after}`;
  const lead = /^Searched/.test(phrase.text) ? 'It found' : 'It gave';
  return `${finish(phrase.text)} ${upperFirst(finish(`${lead} ${detail}`))}${after}`;
}

function text(value: string | undefined): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}
