import { cardIndexText } from '../domain/terms';
import type { CandidateRow } from './filing-candidates';

/** The columns that a card is embedded by, and whose it is. */
export type EmbeddedRow = Pick<
  CandidateRow,
  | 'summary'
  | 'key'
  | 'subject'
  | 'topic'
  | 'service'
  | 'operation'
  | 'task_type'
  | 'workflow'
  | 'step'
  | 'keywords'
> & { agent_id: string | null; team_id: string | null };

/** The same text that filing embeds. */
export function textToEmbed(row: EmbeddedRow): string {
  return cardIndexText({
    summary: row.summary,
    agent: row.agent_id,
    team: row.team_id,
    key: row.key,
    subject: row.subject,
    topic: row.topic,
    hints: row,
  });
}
