import type { JsonObject, SettledEvent } from '../../../contracts/event';
import type { Answer } from './service';
import type { PlannedCall, PlannedTask } from './tasks';

/** The bodies of `POST /v1/events` that a run settles, numbered by seed and counter. */
export function eventsOf(seed: number) {
  let count = 0;
  const id = () => {
    count += 1;
    return `sim-${seed}-${String(count).padStart(6, '0')}`;
  };
  return {
    call(call: PlannedCall, input: JsonObject, answer: Answer, at: number): SettledEvent {
      return {
        event_id: id(),
        kind: 'service_call',
        agent: call.agent,
        team: call.team,
        task: call.task,
        session: call.session,
        service: call.service,
        operation: call.operation,
        outcome: answer.outcome,
        occurred_at: new Date(at).toISOString(),
        input,
        ...(answer.outcome === 'worked' ? { output: answer.output } : { error: answer.error }),
      };
    },
    /** The task is over; its words name no service, so that nothing is to be learned from them. */
    end(task: PlannedTask, worked: number, at: number): SettledEvent {
      const all = task.calls.length;
      return {
        event_id: id(),
        kind: 'observation',
        agent: task.agent,
        team: task.team,
        task: task.id,
        session: task.session,
        outcome: worked === all ? 'worked' : 'failed',
        occurred_at: new Date(at).toISOString(),
        final: true,
        text: `The task ended: ${worked} of its ${all} calls worked.`,
      };
    },
  };
}
