import { Alert, Group, Stack, Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useMay } from '../../app/session-context';
import { IdText } from '../../components/id-text';
import { ButtonLink } from '../../components/links';
import { PageHead } from '../../components/page-head';
import { RestoreButton } from './restore-button';

/** A card that nobody sees: deleted, erased, or not the viewer's. Only the server knows which. */
export function GoneCard({ id, says }: { id: string; says: string }) {
  const mayRestore = useMay('POST /v1/cards/:id/restore');
  return (
    <>
      <PageHead title="Card" />
      <Alert color="gray" icon={<IconTrash size={18} />} title="Not here" maw={720} role="alert">
        <Stack gap="sm" align="flex-start">
          <Text size="sm">
            {says.charAt(0).toUpperCase() + says.slice(1)}. It may have been deleted or erased, or
            never have been yours to see.
            {mayRestore && ' A deleted card can be brought back while its restore window lasts.'}
          </Text>
          <IdText id={id} />
          <Group gap="xs">
            <RestoreButton id={id} />
            <ButtonLink to="/cards" search={mayRestore ? { deleted: '1' } : {}}>
              {mayRestore ? 'All deleted cards' : 'All cards'}
            </ButtonLink>
          </Group>
        </Stack>
      </Alert>
    </>
  );
}
