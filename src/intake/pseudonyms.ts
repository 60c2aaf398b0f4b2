import { classifyIdentifier } from '../redaction/identifier';
import type { RedactionOptions } from '../redaction/scanner';
import { workspaceTagger } from '../redaction/tags';

/** The same id for the same e-mail or phone, every time; it fits where an id fits. */
export function pseudonymOf(
  value: string,
  contact: 'email' | 'phone',
  options: RedactionOptions,
): string {
  const type = contact === 'email' ? 'EMAIL' : 'PHONE';
  const normalised = contact === 'email' ? value.toLowerCase() : value.replace(/[^0-9]/g, '');
  return `${contact}-${options.tag(type, normalised).toLowerCase()}`;
}

/** Ids of subjects, people and agents as a workspace knows them (contract, first paragraph). */
export class Pseudonyms {
  private readonly options = new Map<string, RedactionOptions>();

  constructor(private readonly secretKey: string) {}

  /** The id itself, or the workspace's pseudonym where it is an e-mail or a phone. */
  of(workspace: string, id: string): string {
    const options = this.optionsOf(workspace);
    const { contact } = classifyIdentifier(id, options);
    return contact === null ? id : pseudonymOf(id, contact, options);
  }

  private optionsOf(workspace: string): RedactionOptions {
    const known = this.options.get(workspace);
    if (known !== undefined) return known;
    const made = { tag: workspaceTagger(this.secretKey, workspace), keepContactData: false, names: [] };
    this.options.set(workspace, made);
    return made;
  }
}
