import { Paper, Typography } from '@mantine/core';
import Markdown from 'react-markdown';

/**
 * A skill's Markdown. It is text from agents: links lead nowhere and pictures are not fetched, so that
 * reading it does nothing.
 */
export function SkillBody({ body }: { body: string }) {
  return (
    <Paper withBorder p="lg">
      <Typography>
        <Markdown
          disallowedElements={['img', 'iframe']}
          components={{
            a: ({ children }) => <span>{children}</span>,
            // The page has its own first heading.
            h1: ({ children }) => <h2>{children}</h2>,
          }}
        >
          {body}
        </Markdown>
      </Typography>
    </Paper>
  );
}
