import { Counter, Gauge, Registry } from 'prom-client';

/** One update of a metric of Temporal's SDK: what was counted, by how much, and its tags. */
export interface SdkUpdate {
  name: string;
  value: number;
  tags: Readonly<Record<string, unknown>>;
}

/**
 * What the workers of this process say of themselves. Labels are names out of this program: types of
 * workflows and activities, queues, codes of failure; never an id.
 */
export class WorkerMeter {
  readonly registry = new Registry();
  private readonly taskFailures = this.counter(
    'cairn_workflow_task_failures_total',
    'Workflow tasks that failed; a workflow whose every task fails is stuck',
    ['workflow', 'reason'],
  );
  private readonly activityFailures = this.counter(
    'cairn_activity_failures_total',
    'Tries of activities that failed, by the code of their failure',
    ['activity', 'type'],
  );
  private readonly slots = new Gauge({
    name: 'cairn_worker_slots',
    help: 'Tasks that a worker has in hand, and could take besides',
    labelNames: ['queue', 'worker', 'state'],
    registers: [this.registry],
  });

  activityFailed(activity: string, type: string): void {
    this.activityFailures.inc({ activity, type });
  }

  /** Takes what counts out of the SDK's many metrics. */
  take({ name, value, tags }: SdkUpdate): void {
    const tag = (key: string): string => String(tags[key] ?? 'unknown');
    switch (name) {
      case 'temporal_workflow_task_execution_failed':
        this.taskFailures.inc(
          { workflow: tag('workflow_type'), reason: tag('failure_reason') },
          value,
        );
        return;
      case 'temporal_worker_task_slots_used':
        this.slots.set(
          { queue: tag('task_queue'), worker: tag('worker_type'), state: 'used' },
          value,
        );
        return;
      case 'temporal_worker_task_slots_available':
        this.slots.set(
          { queue: tag('task_queue'), worker: tag('worker_type'), state: 'free' },
          value,
        );
        return;
      default:
    }
  }

  private counter(name: string, help: string, labelNames: string[]): Counter {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }
}
