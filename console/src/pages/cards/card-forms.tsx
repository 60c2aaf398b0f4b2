import { Modal } from '@mantine/core';
import type { Card } from '../../../../src/contracts/card';
import { useAllowed } from './card-judging';
import { CorrectForm } from './correct-form';
import { useForms } from './forms';
import { PromoteForm } from './promote-form';
import { ShareForm } from './share-form';
import { StopForm } from './stop-form';

/** The form that the address names, where role and state of the card allow it. */
export function CardForms({ card }: { card: Card }) {
  const may = useAllowed(card);
  const { opened, close } = useForms();
  return (
    <>
      <Modal
        opened={opened === 'correct' && may.correct}
        onClose={close}
        title="Correct the card"
        size="xl"
      >
        <CorrectForm card={card} close={close} />
      </Modal>
      <Modal opened={opened === 'share' && may.share} onClose={close} title="Share the card">
        <ShareForm card={card} close={close} />
      </Modal>
      <Modal opened={opened === 'promote' && may.promote} onClose={close} title="Promote the card">
        <PromoteForm card={card} close={close} />
      </Modal>
      <Modal opened={opened === 'stop' && may.stop} onClose={close} title="Stop the card" size="lg">
        <StopForm card={card} close={close} />
      </Modal>
    </>
  );
}
