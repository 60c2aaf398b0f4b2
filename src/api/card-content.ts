import { fitForCard, fitText, type WrittenContent } from '../intake/card-content';
import { redactionOf } from '../intake/redaction-of';
import type { Tx } from '../store/database';
import { readSettings, type WorkspaceSettings } from '../store/settings';
import type { ApiDependencies } from './app';
import type { Caller } from './authentication';
import { Problem } from './problem';

export async function settingsIn(tx: Tx): Promise<WorkspaceSettings> {
  const settings = await readSettings(tx);
  if (settings === null) throw new Error('the workspace of this key is gone');
  return settings;
}

/**
 * What a caller wrote, fit to be kept.
 * @throws Problem 422 where an identifier holds a secret or somebody's address.
 */
export function fitContent<T extends WrittenContent>(
  deps: ApiDependencies,
  caller: Caller,
  settings: WorkspaceSettings,
  written: T,
): T {
  const options = redactionOf(deps.secretKey, caller.context.workspace, settings);
  const checked = fitForCard(written, options);
  if ('content' in checked) return checked.content;
  const { code, detail, pointer } = checked.refused;
  throw new Problem(422, code, detail, pointer === undefined ? {} : { pointer });
}

/** A reason, a note or a purpose, fit to be kept; null where none was given. */
export async function fitRemark(
  deps: ApiDependencies,
  caller: Caller,
  text: string | undefined,
): Promise<string | null> {
  if (text === undefined) return null;
  const { workspace } = caller.context;
  const settings = await deps.database.inWorkspace(workspace, settingsIn);
  return fitText(text, redactionOf(deps.secretKey, workspace, settings));
}
