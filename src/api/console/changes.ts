import { STREAM_TOPICS, type StreamTopic } from '../../contracts/console';
import type { ChangeRow, RunMark } from '../../store/stream-changes';
import { topicOfId, topicsOfRun, topicsOfTarget } from './topics';

/** More than these of a topic at once, and its reader does better to read all of it again. */
const MOST_IDS = 50;

/** What has changed since somebody looked, by topic. */
export class Changes {
  private readonly ids = new Map<StreamTopic, Set<string>>();
  /** Topics of which anything may have changed. */
  private readonly whole = new Set<StreamTopic>();

  addRow({ target_type, target }: ChangeRow): void {
    this.addAny('audit');
    const named = topicOfId(target_type);
    for (const topic of topicsOfTarget(target_type)) {
      if (topic === named) this.add(topic, target);
      else this.addAny(topic);
    }
  }

  addRun({ id, type, event_id }: RunMark): void {
    this.add('runs', id);
    for (const topic of topicsOfRun(type)) {
      if (topic === 'events' && event_id !== null) this.add(topic, event_id);
      else this.addAny(topic);
    }
  }

  addAny(...topics: readonly StreamTopic[]): void {
    for (const topic of topics) this.whole.add(topic);
  }

  addAll(): void {
    this.addAny(...STREAM_TOPICS);
  }

  /** What of it somebody may read; null where that is nothing. */
  for(
    topics: ReadonlySet<StreamTopic>,
  ): { topics: StreamTopic[]; ids: Partial<Record<StreamTopic, string[]>> } | null {
    const told = STREAM_TOPICS.filter(
      (topic) => topics.has(topic) && (this.whole.has(topic) || this.ids.has(topic)),
    );
    if (told.length === 0) return null;
    const listed = told.flatMap((topic) => {
      const ids = this.ids.get(topic);
      const isWhole = this.whole.has(topic) || ids === undefined || ids.size > MOST_IDS;
      return isWhole ? [] : [[topic, [...ids]] as const];
    });
    return { topics: told, ids: Object.fromEntries(listed) };
  }

  private add(topic: StreamTopic, id: string): void {
    const ids = this.ids.get(topic) ?? new Set();
    this.ids.set(topic, ids.add(id));
  }
}
