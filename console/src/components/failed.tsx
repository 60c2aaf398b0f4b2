import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconLock, IconPlugConnectedX } from '@tabler/icons-react';
import { Problem } from '../api/http';

interface Kind {
  title: string;
  icon: typeof IconLock;
  color: string;
  retry: boolean;
}

function kindOf(error: unknown): Kind {
  if (!(error instanceof Problem)) {
    return { title: 'This could not be shown', icon: IconAlertTriangle, color: 'red', retry: true };
  }
  if (error.status === 403) {
    return { title: 'Not with this key', icon: IconLock, color: 'gray', retry: false };
  }
  if (error.status === 404 || error.status === 410) {
    return { title: 'Not here', icon: IconAlertTriangle, color: 'gray', retry: false };
  }
  if (error.status === 0) {
    return { title: 'No answer', icon: IconPlugConnectedX, color: 'red', retry: true };
  }
  return { title: 'The server refused', icon: IconAlertTriangle, color: 'red', retry: true };
}

/** The same in a few words: the heading of a page that has nothing else to show. */
export function failureTitle(error: unknown): string {
  return kindOf(error).title;
}

/** Why something is not shown, in the server's words, and what can be done about it. */
export function Failed({ error, again }: { error: unknown; again?: () => void }) {
  const { title, icon: Icon, color, retry } = kindOf(error);
  const says = error instanceof Error ? error.message : String(error);
  return (
    <Alert role="alert" color={color} icon={<Icon size={18} />} title={title} maw={720}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm" className="told">
          {says}
        </Text>
        <Group gap="xs">
          {retry && again !== undefined && (
            <Button size="xs" variant="light" color={color} onClick={again}>
              Try again
            </Button>
          )}
          {error instanceof Problem && error.code !== 'unknown' && <Code>{error.code}</Code>}
        </Group>
      </Stack>
    </Alert>
  );
}
