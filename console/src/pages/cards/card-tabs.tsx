import { Paper, Tabs } from '@mantine/core';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { Card } from '../../../../src/contracts/card';
import { useSession } from '../../app/session-context';
import { EdgesTab } from './edges-tab';
import { HistoryTab } from './history-tab';
import { LineageTab } from './lineage-tab';
import { ReadersTab } from './readers-tab';
import { SeenTab } from './seen-tab';
import { StoryTab } from './story-tab';

const route = getRouteApi('/cards/$id');

const TABS = [
  { name: 'history', label: 'History', Tab: HistoryTab, governs: false },
  { name: 'edges', label: 'Edges', Tab: EdgesTab, governs: false },
  { name: 'lineage', label: 'Lineage', Tab: LineageTab, governs: false },
  { name: 'seen', label: 'Who can see', Tab: SeenTab, governs: true },
  { name: 'readers', label: 'Readers & injections', Tab: ReadersTab, governs: true },
  { name: 'story', label: 'Story', Tab: StoryTab, governs: true },
] as const;

/** What became of a card and who has to do with it. A member is shown what is for members. */
export function CardTabs({ card }: { card: Card }) {
  const { tab } = route.useSearch();
  const navigate = useNavigate({ from: '/cards/$id' });
  const isMember = useSession().principal.role === 'member';
  const shown = TABS.filter(({ governs }) => !(governs && isMember));
  const value = shown.find(({ name }) => name === tab)?.name ?? 'history';
  return (
    <Paper withBorder p="md">
      <Tabs
        value={value}
        keepMounted={false}
        onChange={(next) =>
          void navigate({
            search: (now) => ({ ...now, tab: next ?? 'history' }),
            resetScroll: false,
          })
        }
      >
        <Tabs.List aria-label="More about this card" mb="md">
          {shown.map(({ name, label }) => (
            <Tabs.Tab key={name} value={name}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {shown.map(({ name, Tab }) => (
          <Tabs.Panel key={name} value={name}>
            <Tab card={card} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Paper>
  );
}
