import { Code, ScrollArea } from '@mantine/core';

/** A value as JSON, to be read. */
export function JsonText({ value, maxHeight = 320 }: { value: unknown; maxHeight?: number }) {
  return (
    <ScrollArea.Autosize
      mah={maxHeight}
      type="auto"
      viewportProps={{ tabIndex: 0, 'aria-label': 'JSON' }}
    >
      <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {JSON.stringify(value, null, 2)}
      </Code>
    </ScrollArea.Autosize>
  );
}
