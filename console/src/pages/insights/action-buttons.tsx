import { Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCheck } from '@tabler/icons-react';
import type { FollowUpAnswer, Insight, InsightAction } from '../../../../src/contracts/insight';
import { type Answer, send } from '../../api/http';
import { useMay } from '../../app/session-context';
import { askReason } from '../../components/ask-reason';
import { DoButton, useDoing } from '../../components/doing';
import { useBlocking } from './blocking';
import { ExtendForm } from './extend-form';
import { OutcomeForm } from './outcome-form';
import { TakeForm } from './take-form';
import { pathOf, TOUCHES } from './wire';
import { RESULTS, UNMEASURED } from './words';

/** What may be done with an action as it stands; the server refuses what changed meanwhile. */
export function ActionButtons({ insight, action }: { insight: Insight; action: InsightAction }) {
  const { status } = action;
  const mayTake = useMay('POST /v1/insights/:id/actions/:action_id/taken');
  const mayMeasure = useMay('POST /v1/insights/:id/actions/:action_id/measure');
  const mayExtend = useMay('POST /v1/insights/:id/actions/:action_id/extend');
  const mayCancel = useMay('POST /v1/insights/:id/actions/:action_id/cancel');
  const mayReport = useMay('POST /v1/insights/:id/outcome');
  const mayBlock = useMay('PUT /v1/actions/:hash/block');
  const [taking, take] = useDisclosure(false);
  const [extending, extend] = useDisclosure(false);
  const [telling, tell] = useDisclosure(false);
  const blocking = useBlocking();
  const measure = useDoing<void, Answer<FollowUpAnswer>>({
    call: () => send(pathOf(insight, action, 'measure'), { method: 'POST', body: {} }),
    done: ({ data }) => measuredInWords(data),
    touches: TOUCHES,
  });
  const cancel = useDoing<string | undefined>({
    call: (reason) =>
      send(pathOf(insight, action, 'cancel'), {
        method: 'POST',
        body: reason === undefined ? {} : { reason },
      }),
    done: 'It is not measured',
    touches: TOUCHES,
  });
  const askToCancel = () =>
    askReason({
      title: 'Do not measure it?',
      says: 'The action stays taken, and has no outcome. Nothing is learned of it.',
      yes: 'Do not measure it',
      danger: true,
      onYes: (reason) => cancel.mutate(reason),
    });
  const isOpen = status === 'recommended' || status === 'taken' || status === 'unmeasured';
  return (
    <Group gap="xs">
      {mayTake && status === 'recommended' && (
        <Button size="xs" leftSection={<IconCheck size={14} aria-hidden />} onClick={take.open}>
          It was taken
        </Button>
      )}
      {mayMeasure && (status === 'taken' || status === 'unmeasured') && (
        <DoButton doing={measure} variant="filled" onClick={() => measure.mutate()}>
          Measure now
        </DoButton>
      )}
      {mayExtend && status === 'taken' && (
        <Button size="xs" variant="default" onClick={extend.open}>
          Measure later
        </Button>
      )}
      {mayReport && isOpen && (
        <Button size="xs" variant="default" onClick={tell.open}>
          Tell the outcome
        </Button>
      )}
      {mayCancel && status === 'taken' && (
        <DoButton doing={cancel} onClick={askToCancel}>
          Do not measure
        </DoButton>
      )}
      {mayBlock && (
        <Button size="xs" variant="light" color="gray" onClick={() => blocking.askToBlock(action)}>
          Block everywhere
        </Button>
      )}
      <TakeForm insight={insight} action={action} opened={taking} close={take.close} />
      <ExtendForm insight={insight} action={action} opened={extending} close={extend.close} />
      <OutcomeForm insight={insight} action={action} opened={telling} close={tell.close} />
    </Group>
  );
}

function measuredInWords({ result, code }: FollowUpAnswer): string {
  if (result !== null) return `Measured: ${RESULTS[result]}`;
  const why = Object.entries(UNMEASURED).find(([name]) => name === code)?.[1];
  return why ?? 'It could not be measured';
}
