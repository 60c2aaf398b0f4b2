import { Stack, Text, Title } from '@mantine/core';
import { ButtonLink } from '../components/links';

export function NoSuchPage() {
  return (
    <Stack align="flex-start" maw={520}>
      <Title order={1} size="h2">
        No such page
      </Title>
      <Text>This address leads nowhere. What it named may have been erased, or never was.</Text>
      <ButtonLink to="/cards">To the cards</ButtonLink>
    </Stack>
  );
}
