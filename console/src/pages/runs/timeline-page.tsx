import { Stack, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { Empty } from '../../components/empty';
import { IdText } from '../../components/id-text';
import { ButtonLink } from '../../components/links';
import { PageHead } from '../../components/page-head';
import { Panel } from '../../components/panel';
import { Steps } from './steps';

const route = getRouteApi('/timeline');

/** Any lifecycle by its workflow id. */
export function TimelinePage() {
  const { workflow_id: workflowId, run_id: runId } = route.useSearch();
  const navigate = route.useNavigate();
  if (workflowId === undefined) {
    return (
      <>
        <PageHead title="Timeline" />
        <Empty title="Which lifecycle?">
          <Stack align="center" gap="xs">
            <Text size="sm">Cards, captures, proposals and runs each lead to their own.</Text>
            <ButtonLink to="/runs">To the runs</ButtonLink>
          </Stack>
        </Empty>
      </>
    );
  }
  const [type, , ...rest] = workflowId.split('/');
  return (
    <>
      <PageHead
        title={`${type}: ${rest.join('/') || workflowId}`}
        tab={`Timeline: ${type}`}
        says={<IdText id={workflowId} />}
        actions={<Source type={type ?? ''} id={rest.join('/')} />}
      />
      <Panel title="Timeline" says="As Temporal recorded it: the audit trail of this lifecycle.">
        <Steps
          workflowId={workflowId}
          runId={runId ?? null}
          choose={(to) =>
            void navigate({ search: { workflow_id: workflowId, run_id: to }, replace: true })
          }
        />
      </Panel>
    </>
  );
}

/** Where the thing itself stands, of which this is the life. */
function Source({ type, id }: { type: string; id: string }) {
  switch (type) {
    case 'capture':
      return (
        <ButtonLink to="/captures/$id" params={{ id }}>
          The capture
        </ButtonLink>
      );
    case 'proposal':
      return (
        <ButtonLink to="/inbox/$id" params={{ id }}>
          The proposal
        </ButtonLink>
      );
    case 'insight':
      return (
        <ButtonLink to="/insights/$id" params={{ id: id.split('/')[0] ?? id }}>
          The insight
        </ButtonLink>
      );
    case 'erase':
      return (
        <ButtonLink to="/erasures/$id" params={{ id }}>
          The erasure
        </ButtonLink>
      );
    default:
      return <ButtonLink to="/runs">All runs</ButtonLink>;
  }
}
