import { neutralText } from '../../domain/neutral-text';

/** A remembered text inside a tool's answer: data in quotation marks, as the packed context has it. */
export function quoted(text: string): string {
  return `«${neutralText(text)}»`;
}
