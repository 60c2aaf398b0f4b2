import { SegmentedControl, SimpleGrid, Stack } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import type { Overview } from '../../../../src/contracts/overview';
import { useOne } from '../../api/paging';
import { useMay } from '../../app/session-context';
import { Loaded } from '../../components/loaded';
import { PageHead } from '../../components/page-head';
import { CapturesPanel } from './captures-panel';
import { CostPanel } from './cost-panel';
import { FirstSteps } from './first-steps';
import { NoOverview } from './no-overview';
import { NowPanel } from './now-panel';
import { QualityPanel } from './quality-panel';
import { WaitingPanel } from './waiting-panel';
import { DAYS, daysOf, sumOf, USUAL_DAYS } from './words';

const route = getRouteApi('/');

/** Everything that the overview counts, so that it is read again when any of it changes. */
const TOPICS = 'events proposals cards erasures agents runs';
/** What no topic tells of: recalls, calls of models, and shares that the server counts at times. */
const AGAIN_MS = 60_000;

/** What waits for a person comes first; how the fleet does stands below. */
export function HomePage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const may = useMay('GET /v1/overview');
  const days = daysOf(search.days);
  const overview = useOne<Overview>(
    TOPICS,
    '/v1/overview',
    { days },
    { refetchInterval: may ? AGAIN_MS : false, keep: true },
  );
  const change = (changes: Partial<typeof search>) =>
    void navigate({ search: (now) => ({ ...now, ...changes }), replace: true });
  if (!may) return <NoOverview error={overview.error} />;
  return (
    <>
      <PageHead
        title="Home"
        says="What waits for a person, and how the fleet’s memory does."
        actions={
          <SegmentedControl
            aria-label="Over how many days"
            size="xs"
            data={DAYS.map((value) => ({
              value,
              label: value === '1' ? '1 day' : `${value} days`,
            }))}
            value={days}
            onChange={(value) => change({ days: value === USUAL_DAYS ? undefined : value })}
          />
        }
      />
      <Loaded query={overview} lines={8}>
        {(data) =>
          isNew(data) ? (
            <FirstSteps />
          ) : (
            <Stack gap="md" aria-busy={overview.isPlaceholderData}>
              <WaitingPanel overview={data} days={days} />
              <CapturesPanel
                overview={data}
                days={days}
                asTable={search.show === 'table'}
                setTable={(table) => change({ show: table ? 'table' : undefined })}
              />
              <SimpleGrid cols={{ base: 1, md: 2 }}>
                <QualityPanel overview={data} />
                <Stack gap="md">
                  <NowPanel overview={data} days={days} />
                  <CostPanel overview={data} days={days} />
                </Stack>
              </SimpleGrid>
            </Stack>
          )
        }
      </Loaded>
    </>
  );
}

/** Nothing was told to this workspace yet, as far as these days show. */
function isNew({ quality, captures, proposals }: Overview): boolean {
  return quality.cards === 0 && sumOf(captures.totals) === 0 && proposals.open === 0;
}
