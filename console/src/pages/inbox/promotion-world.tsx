import { Badge, Group, Stack, Text } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import type { Via } from '../../../../src/contracts/names';
import type { Agent } from '../../../../src/contracts/principal';
import type { PromotionChange } from '../../../../src/contracts/proposal';
import { type Page, useOne } from '../../api/paging';
import { useMay } from '../../app/session-context';
import { CardById } from '../../components/card-by-id';
import { AnchorLink } from '../../components/links';
import { Loaded } from '../../components/loaded';
import { Panel } from '../../components/panel';
import classes from './inbox-page.module.css';

const MOST_ASKED = 500;
const MOST_SHOWN = 40;

/** Whose card it is and would be, and who would read it that does not now. */
export function PromotionWorld({ change }: { change: PromotionChange }) {
  const { card_id, from, to, reason } = change;
  return (
    <>
      <Panel title="What would change">
        <Stack gap="sm">
          <Group gap="xs">
            <ScopeBadge scope={from} />
            <IconArrowRight size={16} aria-label="becomes" />
            <ScopeBadge scope={to} />
          </Group>
          <CardById id={card_id} lines={12} />
          {reason !== null && reason !== undefined && (
            <div>
              <Text size="xs" c="dimmed">
                Asked for because
              </Text>
              <Text size="sm" className={`told ${classes.quote}`}>
                {reason}
              </Text>
            </div>
          )}
        </Stack>
      </Panel>
      <Readers change={change} />
    </>
  );
}

function ScopeBadge({ scope }: { scope: { type: string; id: string } }) {
  return (
    <Badge variant="light" color="gray" size="lg" tt="none">
      {scope.type === 'workspace' ? 'the whole workspace' : `${scope.type} ${scope.id}`}
    </Badge>
  );
}

function Readers({ change: { card_id, to } }: { change: PromotionChange }) {
  const may = useMay('GET /v1/cards/:id/visible-to', 'GET /v1/agents');
  const now = useOne<{ agents: { agent: string; via: Via }[] }>(
    'cards',
    `/v1/cards/${encodeURIComponent(card_id)}/visible-to`,
    {},
    { enabled: may },
  );
  const within = useOne<Page<Agent>>(
    'agents',
    '/v1/agents',
    { limit: MOST_ASKED, team: to.type === 'team' ? to.id : null },
    { enabled: may },
  );
  if (!may) return null;
  return (
    <Panel
      title="Who would newly see it"
      says="Against a dry run of the one read path as it is now"
    >
      <Loaded query={now}>
        {({ agents: seeing }) => (
          <Loaded query={within}>
            {({ items, total }) => {
              const known = new Set(seeing.map(({ agent }) => agent));
              const newly = items.filter(({ id }) => !known.has(id));
              const more = total > items.length ? ' or more' : '';
              return (
                <Stack gap="xs">
                  <Text size="sm">
                    <b>
                      {newly.length}
                      {more}
                    </b>{' '}
                    {newly.length === 1 ? 'agent' : 'agents'} besides the {known.size} that{' '}
                    {known.size === 1 ? 'sees' : 'see'} it now.
                  </Text>
                  <Group gap="xs">
                    {newly.slice(0, MOST_SHOWN).map(({ id }) => (
                      <AnchorLink key={id} to="/agents/$id" params={{ id }}>
                        {id}
                      </AnchorLink>
                    ))}
                    {newly.length > MOST_SHOWN && (
                      <Text size="sm" c="dimmed">
                        and {newly.length - MOST_SHOWN} more
                      </Text>
                    )}
                  </Group>
                </Stack>
              );
            }}
          </Loaded>
        )}
      </Loaded>
    </Panel>
  );
}
