import { Alert, Code, Group, Progress, SimpleGrid, Stack, Table, Text } from '@mantine/core';
import { IconLoader2, IconRefresh } from '@tabler/icons-react';
import type { LanguageModel, Models } from '../../../../src/contracts/overview';
import type { Page, Run } from '../../../../src/contracts/run';
import { useOne } from '../../api/paging';
import { useMay } from '../../app/session-context';
import { Facts } from '../../components/facts';
import { AnchorLink, ButtonLink } from '../../components/links';
import { Loaded } from '../../components/loaded';
import { Panel } from '../../components/panel';
import { When } from '../../components/when';

const STATES: Readonly<Record<Models['embedder']['state'], string>> = {
  ready: 'ready',
  loading: 'loading; recall goes by words until then',
  absent: 'none; recall goes by words',
};

/** By what cards are worded and found. They are chosen where Cairn starts, not here. */
export function ModelsTab() {
  const models = useOne<Models>('models runs', '/v1/models');
  return (
    <Loaded query={models}>
      {(data) => (
        <Stack>
          <SimpleGrid cols={{ base: 1, md: 3 }}>
            <Wording title="Words captures" says="What an event becomes" model={data.distiller} />
            <Wording
              title="Writes notes"
              says="Notes, lessons, skills, summaries"
              model={data.writer}
            />
            <Panel title="Finds by meaning" says="Vectors of cards and queries">
              <Facts
                rows={[
                  ['Model', data.embedder.id ?? 'none yet'],
                  ['State', STATES[data.embedder.state]],
                  ['Dimensions', data.embedder.dimensions],
                ]}
              />
            </Panel>
          </SimpleGrid>
          <Vectors models={data} />
        </Stack>
      )}
    </Loaded>
  );
}

function Wording({ title, says, model }: { title: string; says: string; model: LanguageModel }) {
  return (
    <Panel title={title} says={says}>
      <Facts
        rows={[
          ['By', model.kind === 'model' ? 'a language model' : 'rules, without a model'],
          ['Model', model.model],
          ['At', model.endpoint],
        ]}
      />
      {model.kind === 'rules' && (
        <Text size="sm" c="dimmed">
          Set <Code>OPENAI_API_KEY</Code> or <Code>OPENAI_BASE_URL</Code> and start Cairn again;
          what rules worded is worded anew then.
        </Text>
      )}
    </Panel>
  );
}

function Vectors({ models }: { models: Models }) {
  const mayRuns = useMay('GET /v1/runs');
  const { vectors, embedder, reembedding } = models;
  const total = vectors.reduce((sum, { cards }) => sum + cards, 0);
  return (
    <Panel
      title="Vectors"
      says="By which model cards have one"
      actions={
        mayRuns && (
          <ButtonLink to="/runs" search={{ type: 'reembed' }}>
            Runs that replaced vectors
          </ButtonLink>
        )
      }
    >
      <Stack gap="sm">
        {reembedding !== null && (
          <Alert color="blue" icon={<IconLoader2 size={18} />} title="Vectors are being replaced">
            <Group gap="sm">
              <Text size="sm">Cards are found by both models until all have the new one’s.</Text>
              {mayRuns && (
                <ButtonLink to="/runs/$id" params={{ id: reembedding }}>
                  See the run, pause or cancel it
                </ButtonLink>
              )}
            </Group>
          </Alert>
        )}
        <Table aria-label="Cards by the model of their vector" verticalSpacing={6}>
          <Table.Tbody>
            {vectors.map(({ embedder: id, cards }) => (
              <Table.Tr key={id}>
                <Table.Th fw={550} style={{ overflowWrap: 'anywhere' }}>
                  {id}
                  {id === embedder.id && (
                    <Text size="xs" c="dimmed">
                      in use
                    </Text>
                  )}
                </Table.Th>
                <Table.Td w="40%">
                  <Progress
                    value={total === 0 ? 0 : (cards / total) * 100}
                    aria-label={`Share of ${id}`}
                  />
                </Table.Td>
                <Table.Td w={120} ta="right" className="numbers">
                  {cards.toLocaleString()} cards
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        {vectors.length === 0 && (
          <Text size="sm" c="dimmed">
            No card has a vector yet.
          </Text>
        )}
        {mayRuns && <LastRun />}
        <Text size="sm" c="dimmed">
          <IconRefresh size={14} aria-hidden style={{ verticalAlign: '-2px' }} /> To change the
          model, set <Code>CAIRN_EMBEDDING_MODEL</Code> and start Cairn again: it sees that vectors
          are of another model and replaces them by itself, while recall goes on.
        </Text>
      </Stack>
    </Panel>
  );
}

function LastRun() {
  const { data } = useOne<Page<Run>>('runs', '/v1/runs', { type: 'reembed', limit: 1 });
  const last = data?.items[0];
  if (last === undefined) return null;
  return (
    <Text size="sm">
      Replaced last: <When at={last.finished_at ?? last.started_at} />, {last.status}.{' '}
      <AnchorLink to="/runs/$id" params={{ id: last.id }}>
        What it did
      </AnchorLink>
    </Text>
  );
}
