/** A long conversation of two people over many sittings, with questions and the turns that answer them. */
export interface Conversation {
  agent: string;
  turns: Turn[];
  questions: Question[];
}

export interface Turn {
  id: string;
  sitting: string;
  speaker: string;
  text: string;
  /** RFC 3339; the turns of a sitting follow each other by ten seconds. */
  at: string;
}

export interface Question {
  text: string;
  /** 1 multi-hop, 2 temporal, 3 open-domain, 4 single-hop. */
  category: number;
  /** Ids of turns. */
  evidence: string[];
}

interface Sample {
  sample_id: string;
  conversation: Record<string, unknown>;
  qa: { question: string; category: number; evidence: string[] }[];
}

interface SampleTurn {
  dia_id: string;
  speaker: string;
  text: string;
  blip_caption?: string;
}

const TURN_MS = 10_000;

/** The conversations of a file in the LoCoMo format; questions that cannot be answered are left out. */
export function conversationsOf(samples: readonly Sample[]): Conversation[] {
  return samples.map((sample) => {
    const turns = sittingsOf(sample.conversation);
    const known = new Set(turns.map(({ id }) => id));
    return {
      agent: `diary-${sample.sample_id}`,
      turns,
      questions: sample.qa
        .filter(({ category, evidence }) => category <= 4 && evidence.length > 0)
        .map(({ question, category, evidence }) => {
          // Some references of the data hold several, and a few name no turn.
          const named = [...new Set(evidence.flatMap((ids) => ids.split(/[;,\s]+/)))];
          const there = named.filter((id) => known.has(id));
          return { text: question, category, evidence: there.length > 0 ? there : named };
        }),
    };
  });
}

function sittingsOf(conversation: Record<string, unknown>): Turn[] {
  const turns: Turn[] = [];
  for (let n = 1; Array.isArray(conversation[`session_${n}`]); n += 1) {
    const from = timeOf(String(conversation[`session_${n}_date_time`]));
    (conversation[`session_${n}`] as SampleTurn[]).forEach((turn, index) => {
      turns.push({
        id: turn.dia_id,
        sitting: `session_${n}`,
        speaker: turn.speaker,
        text: turn.blip_caption ? `${turn.text} [image: ${turn.blip_caption}]` : turn.text,
        at: new Date(from + index * TURN_MS).toISOString(),
      });
    });
  }
  return turns;
}

/** "1:56 pm on 8 May, 2023" */
function timeOf(text: string): number {
  const match = /^(\d+):(\d+) (am|pm) on (\d+) (\w+), (\d+)$/.exec(text);
  if (match === null) throw new Error(`no time: ${text}`);
  const [, hour, minute, half, day, month, year] = match;
  const hours = (Number(hour) % 12) + (half === 'pm' ? 12 : 0);
  return Date.parse(`${day} ${month} ${year} UTC`) + (hours * 60 + Number(minute)) * 60_000;
}
