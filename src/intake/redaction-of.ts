import { DETECTORS_VERSION } from '../redaction/detectors';
import type { RedactionOptions } from '../redaction/scanner';
import { workspaceTagger } from '../redaction/tags';
import type { WorkspaceSettings } from '../store/settings';

/** How the text of a workspace is redacted now: by its policy and its directory. */
export function redactionOf(
  secretKey: string,
  workspace: string,
  { policy, redactedNames }: Pick<WorkspaceSettings, 'policy' | 'redactedNames'>,
): RedactionOptions {
  return {
    tag: workspaceTagger(secretKey, workspace),
    keepContactData: policy.redaction.contact_data === 'keep_for_subjects',
    names: redactedNames,
  };
}

/** What text is scanned with now: whoever asks for a rescan says so in its record. */
export const DETECTORS = DETECTORS_VERSION;
