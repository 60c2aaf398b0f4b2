import { Button, Group } from '@mantine/core';
import {
  IconArrowBackUp,
  IconCheck,
  IconLockOpen,
  IconPencil,
  IconShare,
  IconX,
} from '@tabler/icons-react';
import type { Card } from '../../../../src/contracts/card';
import { DoButton } from '../../components/doing';
import { useAllowed, useJudging } from './card-judging';
import { CardMore } from './card-more';
import { useForms } from './forms';
import { JUDGEMENTS, judge } from './judgements';

const ICON = 16;
const AT_HAND = [
  ['release', IconLockOpen],
  ['restore', IconArrowBackUp],
  ['validate', IconCheck],
  ['reject', IconX],
] as const;

/** What is done most is a button; the rest is in the menu beside. */
export function CardActions({ card }: { card: Card }) {
  const may = useAllowed(card);
  const judging = useJudging(card);
  const { show } = useForms();
  return (
    <Group gap="xs" mt={4} role="group" aria-label="What can be done">
      {may.correct && (
        <Button
          size="xs"
          leftSection={<IconPencil size={ICON} aria-hidden />}
          onClick={() => show('correct')}
        >
          Correct
        </Button>
      )}
      {AT_HAND.filter(([name]) => may[name]).map(([name, Icon]) => (
        <DoButton
          key={name}
          doing={judging}
          leftSection={<Icon size={ICON} aria-hidden />}
          onClick={() => judge(name, judging.mutate)}
        >
          {JUDGEMENTS[name].label}
        </DoButton>
      ))}
      {may.share && (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconShare size={ICON} aria-hidden />}
          onClick={() => show('share')}
        >
          Share
        </Button>
      )}
      <CardMore card={card} may={may} judging={judging} />
    </Group>
  );
}
