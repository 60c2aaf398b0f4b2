/** Actions: a click, the call, what came of it in words, and what has to be read again. */
import { Button, type ButtonProps, Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Problem } from '../api/http';
import { topicsOf } from '../api/paging';

export interface Doing<Input, Output> {
  /** The call itself, by `send` (api/http.ts). */
  call(input: Input): Promise<Output>;
  /** Said when it went well; left out: nothing is said. */
  done?: string | ((output: Output, input: Input) => string);
  /** Topics whose lists are read again (`live.ts`). */
  touches: readonly string[];
  then?(output: Output, input: Input): void;
  /** Told of a refusal; answers true where the page says it itself. */
  refused?(error: Error, input: Input): boolean;
}

/** Errors are told in the server's own words; a stale version says what to do. */
export function useDoing<Input = void, Output = unknown>(doing: Doing<Input, Output>) {
  const client = useQueryClient();
  return useMutation<Output, Error, Input>({
    mutationFn: doing.call,
    onSuccess: (output, input) => {
      const said = typeof doing.done === 'function' ? doing.done(output, input) : doing.done;
      if (said !== undefined) notifications.show({ message: said, color: 'lichen' });
      doing.then?.(output, input);
    },
    onError: (error, input) => {
      if (doing.refused?.(error, input) === true) return;
      const stale =
        error instanceof Problem && (error.status === 412 || error.code === 'stale_version');
      notifications.show({
        color: 'red',
        title: stale ? 'It changed meanwhile' : 'Not done',
        message: stale
          ? 'Somebody was faster. Look at what it is now, and do it again.'
          : error.message,
        autoClose: 12_000,
      });
    },
    onSettled: () =>
      client.invalidateQueries({
        predicate: ({ queryKey }) =>
          topicsOf(queryKey).some((topic) => doing.touches.includes(topic)),
      }),
  });
}

/** Asks before something that is hard to take back. */
export function confirm(options: {
  title: string;
  says: ReactNode;
  yes: string;
  danger?: boolean;
  onYes(): void;
}): void {
  modals.openConfirmModal({
    title: options.title,
    centered: true,
    children: (
      <Stack gap="xs">
        <Text component="div" size="sm">
          {options.says}
        </Text>
      </Stack>
    ),
    labels: { confirm: options.yes, cancel: 'Cancel' },
    confirmProps: { color: options.danger === true ? 'red.8' : 'lichen' },
    onConfirm: options.onYes,
  });
}

/** A button that is busy while its action runs. */
export function DoButton({
  doing,
  onClick,
  children,
  ...props
}: ButtonProps & {
  doing: { isPending: boolean };
  onClick(): void;
  children: ReactNode;
}) {
  return (
    <Button size="xs" variant="default" {...props} loading={doing.isPending} onClick={onClick}>
      {children}
    </Button>
  );
}
