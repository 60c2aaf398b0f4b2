import { notifications } from '@mantine/notifications';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { AuditExportPage } from '../../../../src/contracts/audit';
import { get } from '../../api/http';
import { DoButton } from '../../components/doing';
import { saveFile } from '../../components/save-file';

/** Both logs and their seals as one file, which `cairn audit verify --file` reads without a server. */
export function ExportButton() {
  const save = useMutation({
    mutationFn: async () => {
      const lines: string[] = [];
      let cursor: string | null = null;
      do {
        const page: AuditExportPage = await get('/v1/audit/export', { cursor });
        for (const line of page.lines) lines.push(JSON.stringify(line));
        cursor = page.next_cursor;
      } while (cursor !== null);
      saveFile('cairn-audit.jsonl', 'application/x-ndjson', `${lines.join('\n')}\n`);
      return lines.length;
    },
    onSuccess: (lines) =>
      notifications.show({ message: `${lines.toLocaleString()} lines saved`, color: 'lichen' }),
    onError: (error) => notifications.show({ message: error.message, color: 'red' }),
  });
  return (
    <DoButton
      doing={save}
      leftSection={<IconDownload size={14} aria-hidden />}
      onClick={() => save.mutate()}
    >
      Export both logs
    </DoButton>
  );
}
