import { Group, Stack, Text } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import type { ProposalDecision } from '../../../../src/contracts/proposal';
import { Panel } from '../../components/panel';
import { When } from '../../components/when';
import classes from './inbox-page.module.css';

/** Who decided what, when, and why. */
export function Decisions({ of }: { of: readonly ProposalDecision[] }) {
  return (
    <Panel title="Decided">
      <Stack gap="sm">
        {of.map((one) => (
          <Group key={`${one.at} ${one.by}`} gap="xs" align="flex-start" wrap="nowrap">
            {one.decision === 'approve' ? (
              <IconCheck size={18} aria-hidden />
            ) : (
              <IconX size={18} aria-hidden />
            )}
            <Stack gap={2} style={{ minWidth: 0 }}>
              <Text size="sm">
                <b>{one.by}</b> {one.decision === 'approve' ? 'approved' : 'rejected'} version{' '}
                {one.version}, <When at={one.at} />
                {one.channel === 'temporal' && ', by Temporal directly'}
              </Text>
              {one.reason !== null && (
                <Text size="sm" className={`told ${classes.quote}`}>
                  {one.reason}
                </Text>
              )}
              {one.reason === null && (
                <Text size="sm" c="dimmed">
                  {one.reason_code ?? 'Without a reason'}
                </Text>
              )}
            </Stack>
          </Group>
        ))}
      </Stack>
    </Panel>
  );
}
