import { Button, Drawer, Grid, Group, SegmentedControl, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconFilter, IconPlus } from '@tabler/icons-react';
import type { Card } from '../../../../src/contracts/card';
import { useRows } from '../../api/paging';
import { useMay, useSession } from '../../app/session-context';
import { PageHead } from '../../components/page-head';
import { CardsTable } from './cards-table';
import { FacetsPanel } from './facets-panel';
import { FilterChips } from './filter-chips';
import { FILTERS, useFilters } from './filters';
import { NewCard } from './new-card';
import { SearchBox } from './search-box';
import { TimeRange } from './time-range';

/** Everything that the fleet knows, as far as the viewer may see it: search, narrow, open, write. */
export function CardsPage() {
  const { search, change, query, isDeleted } = useFilters();
  const rows = useRows<Card>('cards', '/v1/cards', query);
  const mayWrite = useMay('POST /v1/cards');
  const isMember = useSession().principal.role === 'member';
  const mayRestore = useMay('POST /v1/cards/:id/restore') && !isMember;
  const [open, drawer] = useDisclosure(false);
  const on = FILTERS.filter((name) => name !== 'q' && search[name] !== undefined).length;

  return (
    <>
      <PageHead
        title="Cards"
        says={
          isDeleted
            ? 'What was deleted and can still be brought back.'
            : 'What the fleet knows. Open a card to correct, share, confirm or stop it.'
        }
        actions={
          mayWrite && (
            <Button
              size="sm"
              leftSection={<IconPlus size={16} aria-hidden />}
              onClick={() => change({ new: '1' })}
            >
              New card
            </Button>
          )
        }
      />
      <Grid gap="md">
        <Grid.Col span="content" visibleFrom="md" w={224}>
          <Facets />
        </Grid.Col>
        <Grid.Col span="auto" miw={0}>
          <Stack gap="sm">
            <Group gap="xs">
              <SearchBox />
              <TimeRange />
              {mayRestore && (
                <SegmentedControl
                  aria-label="Which cards"
                  size="xs"
                  data={[
                    { value: 'kept', label: 'Kept' },
                    { value: 'deleted', label: 'Deleted' },
                  ]}
                  value={isDeleted ? 'deleted' : 'kept'}
                  onChange={(value) => change({ deleted: value === 'deleted' ? '1' : null })}
                />
              )}
              <Button
                hiddenFrom="md"
                size="sm"
                variant="default"
                leftSection={<IconFilter size={16} aria-hidden />}
                onClick={drawer.open}
              >
                {on === 0 ? 'Filters' : `Filters (${on})`}
              </Button>
            </Group>
            <FilterChips />
            <CardsTable rows={rows} />
          </Stack>
        </Grid.Col>
      </Grid>
      <Drawer opened={open} onClose={drawer.close} title="Filters" size="xs" position="left">
        <FacetsPanel />
      </Drawer>
      {mayWrite && (
        <NewCard opened={search.new !== undefined} close={() => change({ new: null }, true)} />
      )}
    </>
  );
}

function Facets() {
  return (
    <Stack
      component="section"
      aria-label="Filters"
      gap="xs"
      mah="calc(100vh - 170px)"
      style={{ overflowY: 'auto' }}
      tabIndex={0}
    >
      <FacetsPanel />
    </Stack>
  );
}
