import { Group, Stack, Text } from '@mantine/core';
import { useSession } from '../../app/session-context';
import { Failed } from '../../components/failed';
import { ButtonLink } from '../../components/links';
import { PageHead } from '../../components/page-head';

/** The door of whoever may not see the numbers of the whole: why, and where they can go. */
export function NoOverview({ error }: { error: Error | null }) {
  const { principal, allowed } = useSession();
  return (
    <>
      <PageHead title="Home" says={`Signed in as ${principal.name ?? principal.id}.`} />
      <Stack gap="md">
        {error !== null && <Failed error={error} />}
        <Text size="sm">Numbers of the whole workspace are not for this role. Yours are here:</Text>
        <Group gap="xs">
          {allowed.includes('GET /v1/cards') && (
            <ButtonLink to="/cards" variant="filled">
              Look through the cards
            </ButtonLink>
          )}
          {allowed.includes('POST /v1/recall') && (
            <ButtonLink to="/recall">Ask what is known</ButtonLink>
          )}
          {allowed.includes('GET /v1/insights') && (
            <ButtonLink to="/insights">See the insights</ButtonLink>
          )}
          {allowed.includes('GET /v1/erasures') && (
            <ButtonLink to="/erasures">Have something erased</ButtonLink>
          )}
        </Group>
      </Stack>
    </>
  );
}
