import { Tabs } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useSession } from '../../app/session-context';
import { PageHead } from '../../components/page-head';
import { AskErasure } from './ask-erasure';
import { ErasureList } from './erasure-list';
import { Holds } from './holds';
import { Rescan } from './rescan';
import { TABS, type TabName } from './tabs';
import { Transfer } from './transfer';
import { VerifyReceipt } from './verify-receipt';

const route = getRouteApi('/erasures');

/** What is to be forgotten, and the proof that it is; what may not be, and what leaves as a file. */
export function ErasuresPage() {
  const { allowed } = useSession();
  const { tab } = route.useSearch();
  const navigate = route.useNavigate();
  const names = (Object.keys(TABS) as TabName[]).filter((name) =>
    allowed.includes(TABS[name].needs),
  );
  const at = names.find((name) => name === tab) ?? names[0] ?? 'erasures';
  return (
    <>
      <PageHead
        title="Erasures"
        says="Forgetting with proof: a dry run says what would go, a signed receipt what went."
      />
      <Tabs
        value={at}
        onChange={(to) => void navigate({ search: { tab: to ?? undefined } })}
        keepMounted={false}
      >
        <Tabs.List aria-label="Erasures" mb="md">
          {names.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {TABS[name].label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="erasures">
          <ErasureList />
        </Tabs.Panel>
        <Tabs.Panel value="ask">
          <AskErasure />
        </Tabs.Panel>
        <Tabs.Panel value="holds">
          <Holds />
        </Tabs.Panel>
        <Tabs.Panel value="proof">
          <VerifyReceipt />
        </Tabs.Panel>
        <Tabs.Panel value="rescan">
          <Rescan />
        </Tabs.Panel>
        <Tabs.Panel value="transfer">
          <Transfer />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
