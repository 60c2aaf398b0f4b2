import type { Command } from 'commander';
import type { SkillScope } from '../client/skills';
import { WrongUse } from './failure';

export interface ScopeFlags {
  agent?: string;
  team?: string;
  workspace?: boolean;
}

/** Whose skill it is, where several scopes have one of the name, or a person writes one. */
export function withScope(command: Command): Command {
  return command
    .option('--agent <id>', "this agent's")
    .option('--team <id>', "this team's")
    .option('--workspace', "the workspace's");
}

/** @throws {WrongUse} more than one is named */
export function scopeOf({ agent, team, workspace }: ScopeFlags): SkillScope {
  const named: SkillScope[] = [
    ...(agent === undefined ? [] : [{ scope_type: 'agent' as const, scope_id: agent }]),
    ...(team === undefined ? [] : [{ scope_type: 'team' as const, scope_id: team }]),
    ...(workspace === true ? [{ scope_type: 'workspace' as const }] : []),
  ];
  if (named.length > 1) throw new WrongUse('Say whose: --agent ID, --team ID, or --workspace.');
  return named[0] ?? {};
}
