import { Badge, Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import { type Page, useOne } from '../../api/paging';
import { useMay } from '../../app/session-context';
import { PageHead } from '../../components/page-head';
import { FixesView } from './fixes-view';
import classes from './inbox-page.module.css';
import { ProposalsView } from './proposals-view';
import { useInbox } from './use-inbox';
import { VIEWS, type View, viewOf } from './views';
import { WritesView } from './writes-view';

const SHOWN: Record<View, { label: string; shows: () => ReactNode }> = {
  proposals: { label: 'Proposals', shows: () => <ProposalsView /> },
  writes: { label: 'Pending writes', shows: () => <WritesView /> },
  fixes: { label: 'Fixes to follow up', shows: () => <FixesView /> },
};

/** What waits for a person: look at it, and decide. */
export function InboxPage() {
  const { id, search, show } = useInbox();
  const view = viewOf(search, id);
  const waiting = useWaiting();
  return (
    <>
      <PageHead
        title="Inbox"
        tab={`${SHOWN[view].label} · Inbox`}
        says="What waits for a person. Nothing of it happens until somebody decides."
      />
      <Tabs
        value={view}
        keepMounted={false}
        onChange={(next) => show(next === null || next === 'proposals' ? {} : { view: next })}
      >
        <Tabs.List mb="md" className={classes.tabs} data-open={id !== undefined}>
          {VIEWS.filter((one) => waiting[one] !== null).map((one) => (
            <Tabs.Tab key={one} value={one} rightSection={<Count of={waiting[one]} />}>
              {SHOWN[one].label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={view}>{SHOWN[view].shows()}</Tabs.Panel>
      </Tabs>
    </>
  );
}

/** How many wait in each list; null where the reader may not see the list, undefined until it is known. */
function useWaiting(): Record<View, number | null | undefined> {
  const seesWrites = useMay('GET /v1/pending-writes');
  const seesFixes = useMay('GET /v1/config-fixes');
  const one = { limit: 1 };
  const proposals = useOne<Page<unknown>>('proposals', '/v1/proposals', {
    ...one,
    status: ['open', 'reopened'],
  });
  const writes = useOne<Page<unknown>>(
    'pending_writes',
    '/v1/pending-writes',
    { ...one, status: 'waiting' },
    { enabled: seesWrites },
  );
  const fixes = useOne<Page<unknown>>(
    'config_fixes',
    '/v1/config-fixes',
    { ...one, status: 'approved' },
    { enabled: seesFixes },
  );
  return {
    proposals: proposals.data?.total,
    writes: seesWrites ? writes.data?.total : null,
    fixes: seesFixes ? fixes.data?.total : null,
  };
}

function Count({ of }: { of: number | null | undefined }) {
  if (of === null || of === undefined || of === 0) return null;
  return (
    <Badge size="sm" variant="light" color="gray" c="inherit" aria-label={`${of} waiting`}>
      {of > 999 ? '999+' : of}
    </Badge>
  );
}
