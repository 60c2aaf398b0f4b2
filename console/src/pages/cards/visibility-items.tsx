import { Menu } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import type { Card } from '../../../../src/contracts/card';
import { VISIBILITIES, type Visibility } from '../../../../src/contracts/names';
import { send } from '../../api/http';
import { confirm, useDoing } from '../../components/doing';
import { pathOf } from './wire';
import { VISIBILITY_WORDS } from './words';

export function useVisibility({ id, version }: Card) {
  return useDoing<Visibility>({
    call: (visibility) =>
      send(pathOf(id), { method: 'PATCH', ifMatch: version, body: { visibility } }),
    done: (_output, visibility) => `Its visibility is “${visibility}” now.`,
    touches: ['cards'],
  });
}

/** From the narrowest on. Narrowing is done at once; more eyes are asked about first. */
export function VisibilityItems({ card, set }: { card: Card; set(visibility: Visibility): void }) {
  const now = VISIBILITIES.indexOf(card.visibility);
  return VISIBILITIES.map((to, at) => {
    if (at === now) return null;
    const isWider = at > now;
    return (
      <Menu.Item
        key={to}
        leftSection={<IconEye size={16} aria-hidden />}
        onClick={() => {
          if (!isWider) return set(to);
          confirm({
            title: `Widen to ${to}?`,
            says: VISIBILITY_WORDS[to],
            yes: 'Widen',
            onYes: () => set(to),
          });
        }}
      >
        {isWider ? `Widen to ${to}…` : `Narrow to ${to}`}
      </Menu.Item>
    );
  });
}
