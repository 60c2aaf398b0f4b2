import { Autocomplete, type AutocompleteProps } from '@mantine/core';
import type { Agent, AgentGroup, Team } from '../../../../src/contracts/principal';
import { type Page, useOne } from '../../api/paging';
import { useMay } from '../../app/session-context';

/** As many as are suggested; an id beyond them can be typed. */
const KNOWN = 500;

function useIds<T extends { id: string }>(topic: string, path: string, may: boolean): string[] {
  const { data } = useOne<Page<T>>(topic, path, { limit: KNOWN }, { enabled: may });
  return data?.items.map(({ id }) => id) ?? [];
}

export function AgentInput(props: AutocompleteProps) {
  const ids = useIds<Agent>('agents', '/v1/agents', useMay('GET /v1/agents'));
  return <Autocomplete data={ids} limit={6} openOnFocus={false} {...props} />;
}

export function TeamInput(props: AutocompleteProps) {
  const ids = useIds<Team>('teams', '/v1/teams', useMay('GET /v1/teams'));
  return <Autocomplete data={ids} limit={6} openOnFocus={false} {...props} />;
}

export function GroupInput(props: AutocompleteProps) {
  const ids = useIds<AgentGroup>('agents', '/v1/agent-groups', useMay('GET /v1/agent-groups'));
  return <Autocomplete data={ids} limit={6} openOnFocus={false} {...props} />;
}
