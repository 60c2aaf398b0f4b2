import {
  Alert,
  Button,
  Card,
  Center,
  Code,
  Group,
  PasswordInput,
  Stack,
  Text,
  Title,
} from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { Problem } from '../api/http';
import { type Session, signIn } from '../api/session';

export function SignIn({ done }: { done: (session: Session) => void }) {
  const [key, setKey] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      done(await signIn(key));
    } catch (failure) {
      setError(failure instanceof Problem ? failure.detail : String(failure));
    } finally {
      setBusy(false);
    }
  };

  return (
    <Center mih="100vh" p="md" component="main">
      <Card withBorder shadow="sm" padding="xl" w={420} maw="100%">
        <form onSubmit={(event) => void submit(event)}>
          <Stack>
            <Group gap="sm">
              <img src="/cairn.svg" alt="" width={36} height={36} />
              <div>
                <Title order={1} size="h3">
                  Cairn
                </Title>
                <Text size="sm" c="dimmed">
                  See what the fleet knows, and decide
                </Text>
              </div>
            </Group>
            <PasswordInput
              label="Your key"
              description="The key of a person, as an owner or operator made it"
              placeholder="cairn_…"
              value={key}
              onChange={(event) => setKey(event.currentTarget.value)}
              autoComplete="current-password"
              autoFocus
              required
              error={error !== null}
              aria-describedby={error === null ? undefined : 'sign-in-error'}
              visibilityToggleButtonProps={{ 'aria-label': 'Show the key' }}
            />
            {error !== null && (
              <Alert
                id="sign-in-error"
                color="red"
                icon={<IconAlertCircle size={18} />}
                role="alert"
              >
                {error}
              </Alert>
            )}
            <Button type="submit" loading={busy} disabled={key.trim() === ''}>
              Sign in
            </Button>
            <Text size="xs" c="dimmed">
              The first key was printed by <Code>npm start</Code>. The key itself is not kept: a
              session stands for it, and ends with it.
            </Text>
          </Stack>
        </form>
      </Card>
    </Center>
  );
}
