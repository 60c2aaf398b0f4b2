import { PASS_TYPES } from '../../../../src/contracts/passes';
import type { Run, RunUndone } from '../../../../src/contracts/run';
import { send } from '../../api/http';
import { useMay } from '../../app/session-context';
import { confirm, DoButton, useDoing } from '../../components/doing';

/** What may be told to a run as it stands: wait, go on, end; and once it is over, to be taken back. */
export function RunActions({ run }: { run: Run }) {
  const path = `/v1/runs/${encodeURIComponent(run.id)}`;
  const touches = ['runs', 'cards', 'proposals'];
  const order = useDoing<'pause' | 'resume' | 'cancel'>({
    call: (what) => send(`${path}/${what}`, { method: 'POST' }),
    done: (_, what) =>
      what === 'pause' ? 'It waits' : what === 'resume' ? 'It goes on' : 'It is being ended',
    touches,
  });
  const undo = useDoing<void, { data: RunUndone }>({
    call: () => send(`${path}/undo`, { method: 'POST' }),
    done: ({ data }) => {
      const left = data.not_undone.length;
      const kept = left === 0 ? '' : `; ${left} had moved on and stay`;
      return `${data.undone.toLocaleString()} changes taken back${kept}${data.done ? '' : '; ask again to go on'}`;
    },
    touches,
  });
  const isPass = (PASS_TYPES as readonly string[]).includes(run.type);
  const mayOrder = useMay('POST /v1/runs/:id/pause') && isPass && run.status === 'running';
  const over = run.status !== 'running';
  const mayUndo =
    useMay('POST /v1/runs/:id/undo') && isPass && over && !run.dry_run && run.undone_at === null;
  return (
    <>
      {mayOrder && (
        <>
          <DoButton doing={order} onClick={() => order.mutate(run.paused ? 'resume' : 'pause')}>
            {run.paused ? 'Go on' : 'Pause'}
          </DoButton>
          <DoButton
            doing={order}
            color="red"
            onClick={() =>
              confirm({
                title: 'End this pass?',
                says: 'What it did by now stays, and can be taken back.',
                yes: 'End it',
                danger: true,
                onYes: () => order.mutate('cancel'),
              })
            }
          >
            End
          </DoButton>
        </>
      )}
      {mayUndo && (
        <DoButton
          doing={undo}
          onClick={() =>
            confirm({
              title: 'Take this run back?',
              says: 'Every card that nothing else has changed since is put back as it was before. What has moved on stays, and is named.',
              yes: 'Take it back',
              danger: true,
              onYes: () => undo.mutate(),
            })
          }
        >
          Undo
        </DoButton>
      )}
    </>
  );
}
