import { SimpleGrid, Skeleton, Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { RecallAnswer } from '../../../../src/contracts/recall';
import { Empty } from '../../components/empty';
import { Failed } from '../../components/failed';
import { PageHead } from '../../components/page-head';
import { Answer } from './answer';
import { useRecall } from './asking';
import { askedBy, otherOf, type Question } from './question';
import { RecallForm } from './recall-form';

const route = getRouteApi('/recall');

/** Any question as any agent one may act for, and every reason of the answer. */
export function RecallPage() {
  const question: Question = route.useSearch();
  const navigate = route.useNavigate();
  const client = useQueryClient();
  const asks = question.asked !== undefined && (question.q ?? '').trim() !== '';
  const second = asks ? otherOf(question) : null;
  const first = useRecall(asks ? askedBy(question) : null);
  const other = useRecall(second?.asked ?? null);

  const ask = (next: Question) => {
    const same = JSON.stringify(Object.entries(next).sort());
    if (same === JSON.stringify(Object.entries(question).sort())) {
      void client.resetQueries({ queryKey: ['recall'] });
    } else {
      void navigate({ search: next });
    }
  };
  const title = question.agent === undefined ? 'As yourself' : `As ${question.agent}`;

  return (
    <>
      <PageHead
        title="Recall lab"
        says="What an agent would be told, and why. Every recall stands in the access log."
      />
      <Stack gap="lg">
        <RecallForm question={question} busy={first.isFetching || other.isFetching} ask={ask} />
        {!asks && (
          <Empty title="Ask as an agent would">
            Say what is about to be done. You see the cards that the agent would be given, every
            number of their scores, and what was left out and why.
          </Empty>
        )}
        {asks && (
          <SimpleGrid cols={second === null ? 1 : { base: 1, lg: 2 }} spacing="lg">
            <Side
              query={first}
              title={second === null ? title : `${title} · ${second.first}`}
              other={other.data}
            />
            {second !== null && (
              <Side query={other} title={`${title} · ${second.label}`} other={first.data} />
            )}
          </SimpleGrid>
        )}
      </Stack>
    </>
  );
}

function Side({
  query,
  title,
  other,
}: {
  query: ReturnType<typeof useRecall>;
  title: string;
  other: RecallAnswer | undefined;
}) {
  if (query.data !== undefined) return <Answer answer={query.data} title={title} other={other} />;
  if (query.error !== null) {
    return <Failed error={query.error} again={() => void query.refetch()} />;
  }
  return (
    <Stack aria-busy aria-label="Recalling">
      <Skeleton h={28} w="40%" />
      <Skeleton h={96} />
      <Skeleton h={96} />
    </Stack>
  );
}
