import { classifyIdentifier } from '../redaction/identifier';
import { type RedactionOptions, redactText } from '../redaction/scanner';
import { workspaceTagger } from '../redaction/tags';
import { IdentifierRefused, pseudonymOrId } from './pseudonyms';

/** What people write about principals, made fit to be kept (contract, Principals and Events). */
export class Directory {
  private readonly options: RedactionOptions;

  constructor(secretKey: string, workspace: string) {
    // The directory is where names live, so none is redacted in it.
    this.options = {
      tag: workspaceTagger(secretKey, workspace),
      keepContactData: false,
      names: [],
    };
  }

  /**
   * The id of a person, an agent or a subject: itself, or the workspace's pseudonym of a contact.
   * @throws IdentifierRefused where it holds a secret.
   */
  namedId(value: string): string {
    const contact = this.contactIn(value);
    return contact === null ? value : pseudonymOrId(value, this.options);
  }

  /** Any other id or label. @throws IdentifierRefused where it holds a secret or a contact. */
  plainId(value: string): string {
    if (this.contactIn(value) !== null) throw new IdentifierRefused('pii_in_identifier');
    return value;
  }

  /** Free text without its secrets, e-mails and phones. */
  text(value: string): string {
    return redactText(value, this.options).value;
  }

  /** The stable token of an address, or null where the text is not one. */
  emailToken(address: string): string | null {
    const token = this.text(address);
    return /^\[EMAIL_[^\]\s]+\]$/.test(token) ? token : null;
  }

  private contactIn(value: string): 'email' | 'phone' | null {
    const { secret, contact } = classifyIdentifier(value, this.options);
    if (secret) throw new IdentifierRefused('secret_in_identifier');
    return contact;
  }
}
