import { SegmentedControl } from '@mantine/core';
import { Loaded } from '../../components/loaded';
import { PageHead } from '../../components/page-head';
import { GraphBody } from './graph-body';
import { useGraph } from './use-graph';
import { useView } from './use-view';

/** Cards and what ties them: thousands at once, or those around one. */
export function GraphPage() {
  const { view, change } = useView();
  const { graph, error, changing, again } = useGraph(view);
  return (
    <>
      <PageHead
        title="Graph"
        says="What supports, answers, replaces and contradicts what. Open contradictions bear a red ring."
        actions={
          <SegmentedControl
            aria-label="How to look at it"
            value={view.table === null ? 'map' : 'table'}
            onChange={(to) => change({ view: to === 'table' ? 'table' : undefined }, true)}
            data={[
              { value: 'map', label: 'Map' },
              { value: 'table', label: 'Table' },
            ]}
          />
        }
      />
      <Loaded query={{ data: graph, error, refetch: again }} lines={12}>
        {(data) => (
          <GraphBody graph={data} view={view} change={change} changing={changing} again={again} />
        )}
      </Loaded>
    </>
  );
}
