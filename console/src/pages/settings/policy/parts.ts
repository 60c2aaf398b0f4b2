import { FIELDS, PATHS } from './fields';
import type { PolicyPath } from './paths';

export interface Part {
  id: string;
  title: string;
  says: string;
}

/** In the order in which something passes them. */
export const PARTS: readonly Part[] = [
  {
    id: 'capture',
    title: 'Capture',
    says: 'What comes in, whom it is believed, and what is not kept',
  },
  {
    id: 'redaction',
    title: 'Redaction',
    says: 'What is taken out of every text before it is kept',
  },
  { id: 'link', title: 'Edges', says: 'When two cards are tied to each other' },
  {
    id: 'resolve',
    title: 'Contradictions',
    says: 'When the newer card counts, and when a person chooses',
  },
  { id: 'recall', title: 'Recall', says: 'What an agent is told, and in which order' },
  {
    id: 'strikes',
    title: 'Strikes',
    says: 'When a step that fails again and again becomes a proposal',
  },
  { id: 'proposals', title: 'Proposals', says: 'How long people have to decide' },
  { id: 'gate', title: 'Gate', says: 'What of the passes’ findings needs no person' },
  { id: 'consolidation', title: 'Consolidation', says: 'Nightly: episodes become notes' },
  { id: 'reflection', title: 'Reflection', says: 'Nightly: what several cards say together' },
  {
    id: 'recalibration',
    title: 'Recalibration',
    says: 'Monthly: confidence, unused cards, duplicates',
  },
  { id: 'retention', title: 'Retention', says: 'How long what is kept' },
  { id: 'learning', title: 'Learning', says: 'When a task becomes a skill' },
  { id: 'conversations', title: 'Conversations', says: 'When what was said is summed up' },
  {
    id: 'insights',
    title: 'Insights',
    says: 'How urgent a finding is, and when an action is measured',
  },
  { id: 'webhooks', title: 'Webhooks', says: 'Where deliveries may go' },
  { id: 'limits', title: 'Limits', says: 'How much may come in and be kept' },
];

const GROUP_TITLES: Readonly<Record<string, string>> = {
  'recall.weights': 'Factors of a score',
  'recall.weights.arms': 'Ways of finding, and what each counts',
  'recall.weights.intents': 'What an intent favours',
  'recall.weights.signs': 'By how it went',
  'recall.weights.trust': 'By whose word it is',
  'recall.weights.episodic': 'The episodic ranking',
  'link.weights': 'What speaks for an edge',
  'link.alike': 'How alike inputs have to be',
  'reflection.budget': 'What one pass may spend',
  'retention.by_kind': 'By kind of card',
};

export interface FieldGroup {
  id: string;
  title: string | null;
  paths: PolicyPath[];
}

/** Fields that lie together in the document stand together. */
export function groupsOf(part: string, matches: (path: PolicyPath) => boolean): FieldGroup[] {
  const groups = new Map<string, PolicyPath[]>();
  for (const path of PATHS) {
    if (!path.startsWith(`${part}.`) || !matches(path)) continue;
    const id = path.slice(0, path.lastIndexOf('.'));
    groups.set(id, [...(groups.get(id) ?? []), path]);
  }
  return [...groups].map(([id, paths]) => ({ id, title: GROUP_TITLES[id] ?? null, paths }));
}

export function matcher(text: string): (path: PolicyPath) => boolean {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return (path) => {
    const { label, says } = FIELDS[path];
    const told = `${path} ${label} ${says}`.toLowerCase();
    return words.every((word) => told.includes(word));
  };
}
