/**
 * Where recalled text begins and ends in a prompt. The mark names the version of the context, a hash over
 * its text, which no card in it can know: nothing that was remembered ends the block early.
 */
export function blockOf(context: string, version: string): string {
  return `[recalled from Cairn ${version}]\n${context}\n[end of what was recalled ${version}]`;
}

const BLOCK =
  /\[recalled from Cairn (\S+)\]\n(?<context>[\s\S]*?)\n\[end of what was recalled \1\]\n*/g;

/** Text without the blocks in it: what was recalled is no news, and is not remembered again. */
export function withoutBlocks(text: string): string {
  return text.replace(BLOCK, '');
}

/** Characters from which on a sentence is a quotation and no chance. */
const QUOTATION = 40;
const QUOTED = /«([^»]+)»/g;

/** The remembered sentences of all blocks in a text, as they stand there. */
export function recalledIn(text: string): string[] {
  return [...text.matchAll(BLOCK)]
    .flatMap(({ groups }) => [...(groups?.context ?? '').matchAll(QUOTED)])
    .map(([, sentence = '']) => sentence.trim())
    .filter((sentence) => sentence.length >= QUOTATION);
}

/** Text without recalled sentences that it repeats word for word. */
export function withoutRepeated(text: string, recalled: readonly string[]): string {
  return recalled.reduce((rest, sentence) => rest.replaceAll(sentence, ''), withoutBlocks(text));
}
