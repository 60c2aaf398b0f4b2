/** A summary in its four parts, a line an entry. */
export interface SummaryParts {
  decisions: string[];
  details: string[];
  open: string[];
  story: string[];
}
export type SummaryPart = keyof SummaryParts;

/** In the order in which they stand; a part without a line is left out. */
const TITLES: readonly (readonly [SummaryPart, string])[] = [
  ['decisions', 'Decisions'],
  ['details', 'Details'],
  ['open', 'Open items'],
  ['story', 'Story'],
];

export function noParts(): SummaryParts {
  return { decisions: [], details: [], open: [], story: [] };
}

/** One line of a summary: no line break, and nothing that reads as a title of a part. */
export function asLine(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^#+\s*/, '');
}

export function summaryText(parts: SummaryParts): string {
  return TITLES.flatMap(([part, title]) => {
    const lines = parts[part].map(asLine).filter((line) => line !== '');
    return lines.length === 0
      ? []
      : [`## ${title}\n${lines.map((line) => `- ${line}`).join('\n')}`];
  }).join('\n');
}

/** What `summaryText` wrote; lines that belong to no part are taken for the story. */
export function summaryParts(text: string): SummaryParts {
  const parts = noParts();
  let part: SummaryPart = 'story';
  for (const raw of text.split('\n')) {
    const title = /^##\s+(.+?)\s*$/.exec(raw)?.[1];
    const named = TITLES.find(([, name]) => name === title)?.[0];
    const line = raw.replace(/^-\s+/, '').trim();
    if (named !== undefined) part = named;
    else if (line !== '') parts[part].push(line);
  }
  return parts;
}
