import { classifyIdentifier } from '../redaction/identifier';
import type { RedactionOptions } from '../redaction/scanner';
import { workspaceTagger } from '../redaction/tags';
import type { WorkspaceSettings } from '../store/settings';
import { redactionOf } from './redaction-of';

/** An id or a label that may not be kept; the code says why, the value is not repeated. */
export class IdentifierRefused extends Error {
  constructor(readonly code: 'secret_in_identifier' | 'pii_in_identifier') {
    super(code);
  }
}

/**
 * The id itself, or where it is an e-mail or a phone the workspace's pseudonym for it: the same every
 * time, with the same tag as in redacted text, and in a form that fits where an id fits.
 */
export function pseudonymOrId(id: string, options: RedactionOptions): string {
  const { contact, normalised } = classifyIdentifier(id, options);
  if (contact === null) return id;
  const type = contact === 'email' ? 'EMAIL' : 'PHONE';
  return `${contact}-${options.tag(type, normalised ?? id).toLowerCase()}`;
}

/** Ids of subjects, people and agents as a workspace knows them (contract, first paragraph). */
export class Pseudonyms {
  private readonly options = new Map<string, RedactionOptions>();
  private readonly names = new Map<string, readonly string[]>();

  constructor(private readonly secretKey: string) {}

  /**
   * The id itself, or the workspace's pseudonym where it is an e-mail or a phone.
   * @throws IdentifierRefused where it holds a secret.
   */
  of(workspace: string, id: string): string {
    const options = this.optionsOf(workspace);
    if (classifyIdentifier(id, options).secret) throw new IdentifierRefused('secret_in_identifier');
    return pseudonymOrId(id, options);
  }

  /** Any other id or label as it is. @throws IdentifierRefused where it holds a secret or a contact. */
  label(workspace: string, label: string): string {
    const { secret, contact } = classifyIdentifier(label, this.optionsOf(workspace));
    if (secret) throw new IdentifierRefused('secret_in_identifier');
    if (contact !== null) throw new IdentifierRefused('pii_in_identifier');
    return label;
  }

  /**
   * How text is redacted by these settings, for many small texts: a list of names stays the same one while
   * nothing in it changes, since looking names up takes an index that is made once a list.
   */
  redaction(
    workspace: string,
    settings: Pick<WorkspaceSettings, 'policy' | 'redactedNames'>,
  ): RedactionOptions {
    const { redactedNames } = settings;
    const known = this.names.get(workspace);
    const isSame =
      known?.length === redactedNames.length &&
      redactedNames.every((name, index) => name === known[index]);
    const names = isSame ? known : redactedNames;
    this.names.set(workspace, names);
    return { ...redactionOf(this.secretKey, workspace, settings), names };
  }

  private optionsOf(workspace: string): RedactionOptions {
    const known = this.options.get(workspace);
    if (known !== undefined) return known;
    const made = {
      tag: workspaceTagger(this.secretKey, workspace),
      keepContactData: false,
      names: [],
    };
    this.options.set(workspace, made);
    return made;
  }
}
