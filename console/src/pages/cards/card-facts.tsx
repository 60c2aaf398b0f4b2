import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Card } from '../../../../src/contracts/card';
import { Facts } from '../../components/facts';
import { IdText } from '../../components/id-text';
import { JsonText } from '../../components/json-text';
import { AnchorLink } from '../../components/links';
import { Panel } from '../../components/panel';
import { When } from '../../components/when';
import { WorkflowLink } from '../../components/workflow-link';

/** What a card carries beside its words; what is empty is left out. */
export function CardFacts({ card }: { card: Card }) {
  const { hints, provenance, metadata } = card;
  const when = (at: string | null): ReactNode => (at === null ? null : <When at={at} />);
  return (
    <Stack gap="md">
      <Panel title="About">
        <Facts
          rows={[
            ['Service', filtered('service', hints.service)],
            ['Operation', hints.operation],
            ['Task type', hints.task_type],
            ['Workflow', hints.workflow],
            ['Step', hints.step],
            ['Error', hints.error_signature],
            ['Error family', hints.error_family],
            ['Keywords', hints.keywords.join(', ')],
            ['Topic', card.topic],
            ['Subject', filtered('subject', card.subject)],
            ['Project', card.project],
            ['Session', card.session],
            ['Key', card.key],
            ['Visibility', card.visibility],
          ]}
        />
      </Panel>
      <Panel title="How far it holds">
        <Facts
          rows={[
            ['Confidence', `${Math.round(card.confidence * 100)} %`],
            ['Importance', card.importance ?? 'not scored, counts as 5'],
            ['Trust', card.trust],
            ['Valid from', when(card.valid_from)],
            ['Valid to', when(card.valid_to)],
            ['Expires', when(card.expires_at)],
            ['Uses', card.use_count.toLocaleString()],
            ['Last used', when(card.last_used_at)],
          ]}
        />
      </Panel>
      <Panel title="Where it is from">
        <Facts
          rows={[
            ['Event', eventLink(provenance.event_id)],
            ['Written by', `${provenance.writer.kind} ${provenance.writer.id}`],
            ['Distilled by', DISTILLED[provenance.distilled_by]],
            ['Model', provenance.model],
            ['Prompt', provenance.prompt_version],
            ['Embedder', provenance.embedder],
            ['Recorded', when(card.recorded_at)],
            ['Card', <IdText key="id" id={card.id} />],
          ]}
        />
        {provenance.workflow_id !== null && (
          <WorkflowLink id={provenance.workflow_id} runId={provenance.run_id} />
        )}
      </Panel>
      {Object.keys(metadata).length > 0 && (
        <Panel title="Metadata">
          <JsonText value={metadata} />
        </Panel>
      )}
    </Stack>
  );
}

const DISTILLED: Record<Card['provenance']['distilled_by'], string> = {
  model: 'a model',
  fallback: 'rules, without a model',
  person: 'nobody: written by hand',
};

function filtered(name: 'service' | 'subject', value: string | null): ReactNode {
  if (value === null) return null;
  return (
    <AnchorLink to="/cards" search={{ [name]: value }} title={`Other cards with this ${name}`}>
      {value}
    </AnchorLink>
  );
}

function eventLink(id: string | null): ReactNode {
  if (id === null) return null;
  return (
    <AnchorLink to="/captures/$id" params={{ id }} ff="monospace" size="xs">
      {id}
    </AnchorLink>
  );
}
