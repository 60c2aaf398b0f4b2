import { Group, Modal, SimpleGrid, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconHandStop } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import type { Card } from '../../../../src/contracts/card';
import type { CompetenceRecord } from '../../../../src/contracts/competence';
import type { Agent } from '../../../../src/contracts/principal';
import { send } from '../../api/http';
import { type Page, useOne, useRows } from '../../api/paging';
import { useMay } from '../../app/session-context';
import { CardLine } from '../../components/card-line';
import { confirm, DoButton, useDoing } from '../../components/doing';
import { Facts } from '../../components/facts';
import { AnchorLink, ButtonLink } from '../../components/links';
import { Loaded } from '../../components/loaded';
import { PageHead } from '../../components/page-head';
import { Panel } from '../../components/panel';
import { RowsTable } from '../../components/rows-table';
import { When } from '../../components/when';
import { AgentForm, type AgentValues, bodyOf } from './agent-form';
import { AgentMarks } from './agent-marks';
import { COMPETENCE_COLUMNS } from './competence-list';

const route = getRouteApi('/agents/$id');

/** One agent: where it stands, what it is good at, what it knows; and the switch that stops it. */
export function AgentPage() {
  const { id } = route.useParams();
  const query = useOne<Agent>('agents', `/v1/agents/${encodeURIComponent(id)}`);
  return (
    <Loaded page query={query} lines={8}>
      {(agent) => <Shown agent={agent} />}
    </Loaded>
  );
}

function Shown({ agent }: { agent: Agent }) {
  const mayRead = useMay('GET /v1/access-log');
  const mayRecall = useMay('POST /v1/recall');
  const competence = useRows<CompetenceRecord>('agents', '/v1/competence', { agent: agent.id });
  const cards = useOne<Page<Card>>('cards', '/v1/cards', { agent: agent.id, limit: 8 });
  const children = useOne<Page<Agent>>('agents', '/v1/agents', {
    parent_agent: agent.id,
    limit: 50,
  });
  return (
    <Stack>
      <PageHead
        title={
          <Group gap="xs">
            {agent.id}
            <AgentMarks agent={agent} all />
          </Group>
        }
        tab={`Agent ${agent.id}`}
        says={agent.agent_type ?? 'An agent of this workspace'}
        actions={<Actions agent={agent} />}
      />
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Panel title="Where it stands">
          <Facts
            rows={[
              ['Team', agent.team],
              [
                'Spawned by',
                agent.parent_agent === null ? null : (
                  <AnchorLink key="p" to="/agents/$id" params={{ id: agent.parent_agent }}>
                    {agent.parent_agent}
                  </AnchorLink>
                ),
              ],
              ['Depth', agent.depth],
              [
                'Succeeds',
                agent.succeeds === null ? null : (
                  <AnchorLink key="s" to="/agents/$id" params={{ id: agent.succeeds }}>
                    {agent.succeeds}
                  </AnchorLink>
                ),
              ],
              ['Since', <When key="c" at={agent.created_at} />],
              [
                'Spawned',
                children.data === undefined || children.data.total === 0
                  ? null
                  : children.data.items.map(({ id }) => (
                      <AnchorLink key={id} to="/agents/$id" params={{ id }} mr={8}>
                        {id}
                      </AnchorLink>
                    )),
              ],
            ]}
          />
        </Panel>
        <Panel
          title="What it knows"
          says="Its own newest cards"
          actions={
            <ButtonLink to="/cards" search={{ agent: agent.id }}>
              All of them
            </ButtonLink>
          }
        >
          <Loaded query={cards}>
            {({ items }) =>
              items.length === 0 ? (
                <Text size="sm" c="dimmed">
                  It has no cards of its own.
                </Text>
              ) : (
                <Stack gap="sm">
                  {items.slice(0, 5).map((card) => (
                    <CardLine key={card.id} card={card} lines={2} />
                  ))}
                </Stack>
              )
            }
          </Loaded>
        </Panel>
      </SimpleGrid>
      <Panel
        title="What it is good at"
        says="The lower end of what the counts allow, a hundredth less for each day since"
      >
        <RowsTable
          label="Competence"
          rows={competence}
          columns={COMPETENCE_COLUMNS}
          keyOf={({ task_type }) => task_type}
          height={320}
          empty={
            <Text size="sm" c="dimmed">
              No work of its was counted yet.
            </Text>
          }
        />
      </Panel>
      <Group>
        {mayRecall && (
          <ButtonLink to="/recall" search={{ agent: agent.id }}>
            What would it be told?
          </ButtonLink>
        )}
        {mayRead && (
          <ButtonLink to="/audit/access" search={{ agent: agent.id }}>
            What it read
          </ButtonLink>
        )}
        <ButtonLink to="/captures" search={{ agent: agent.id }}>
          What it reported
        </ButtonLink>
      </Group>
    </Stack>
  );
}

function Actions({ agent }: { agent: Agent }) {
  const may = useMay('PUT /v1/agents/:id');
  const mayErase = useMay('POST /v1/erasures');
  const [open, { open: show, close }] = useDisclosure(false);
  const change = useDoing<Record<string, unknown>>({
    call: (body) => send(`/v1/agents/${encodeURIComponent(agent.id)}`, { method: 'PUT', body }),
    done: 'Saved; it counts from the next request on',
    touches: ['agents', 'cards'],
    then: close,
  });
  return (
    <>
      {may && (
        <DoButton
          doing={change}
          {...(agent.writes_stopped ? {} : { color: 'red', variant: 'light' })}
          leftSection={<IconHandStop size={14} aria-hidden />}
          onClick={() =>
            agent.writes_stopped
              ? change.mutate({ writes_stopped: false })
              : confirm({
                  title: `Stop ${agent.id}?`,
                  says: 'Nothing more is taken of it, by any door, until it is let go on. Cards that are there stay as they are.',
                  yes: 'Stop it',
                  danger: true,
                  onYes: () => change.mutate({ writes_stopped: true }),
                })
          }
        >
          {agent.writes_stopped ? 'Let it go on' : 'Stop'}
        </DoButton>
      )}
      {may && (
        <DoButton doing={change} onClick={show}>
          Change
        </DoButton>
      )}
      {mayErase && (
        <ButtonLink to="/erasures" search={{ tab: 'ask', agent: agent.id }}>
          Erase
        </ButtonLink>
      )}
      <Modal opened={open} onClose={close} title={`Change ${agent.id}`} centered>
        <AgentForm
          agent={agent}
          busy={change.isPending}
          save={(values: AgentValues) => change.mutate(bodyOf(values))}
        />
      </Modal>
    </>
  );
}
