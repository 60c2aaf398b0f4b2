export interface Section {
  title: string;
  lines: string[];
}

/** The sections of a Markdown text by its headings of the first and second order, without fenced code. */
export function sectionsIn(body: string): Section[] {
  const sections: Section[] = [];
  let fence: string | null = null;
  for (const line of body.split('\n')) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? null;
    if (fence !== null || mark !== null) {
      if (fence === null) fence = mark;
      else if (mark?.startsWith(fence) === true) fence = null;
      continue;
    }
    const title = /^#{1,2} +(.*?)[ #]*$/.exec(line)?.[1];
    if (title !== undefined) sections.push({ title, lines: [] });
    else sections.at(-1)?.lines.push(line);
  }
  return sections;
}
