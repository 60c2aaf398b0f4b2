import type { ApiDependencies } from '../app';
import { Problem } from '../problem';
import { ChangeFeed, type Listener } from './change-feed';

/** The feeds of one process, one for each workspace that somebody listens to. */
export class ChangeFeeds {
  private readonly feeds = new Map<string, Promise<ChangeFeed>>();
  private isEnding = false;

  constructor(private readonly deps: Pick<ApiDependencies, 'database' | 'clock' | 'log'>) {}

  /**
   * @returns what ends it
   * @throws Problem 503 where the server ends; what the database throws where that is away
   */
  async listen(listener: Listener): Promise<() => void> {
    const { workspace } = listener.caller.context;
    const feed = await this.feedOf(workspace);
    feed.add(listener);
    return () => {
      feed.remove(listener);
      if (!feed.isUnheard || feed.hasStopped) return;
      this.feeds.delete(workspace);
      void feed.stop();
    };
  }

  /** The server drains: whoever listens is told to come again, to another process or later. */
  async end(): Promise<void> {
    this.isEnding = true;
    const feeds = await Promise.allSettled(this.feeds.values());
    this.feeds.clear();
    await Promise.all(feeds.map(stopped));
  }

  private async feedOf(workspace: string): Promise<ChangeFeed> {
    for (;;) {
      if (this.isEnding) throw ending();
      const feed = await (this.feeds.get(workspace) ?? this.opened(workspace));
      // The last who listened may have left while this waited.
      if (!feed.hasStopped) return feed;
    }
  }

  private opened(workspace: string): Promise<ChangeFeed> {
    const feed = new ChangeFeed(this.deps, workspace);
    const opening = feed.begin().then(
      () => feed,
      (error: unknown) => {
        this.feeds.delete(workspace);
        throw error;
      },
    );
    this.feeds.set(workspace, opening);
    return opening;
  }
}

function ending(): Problem {
  return new Problem(
    503,
    'unavailable',
    'this server is about to end; listen again in a moment',
    {},
    { 'retry-after': '1' },
  );
}

async function stopped(feed: PromiseSettledResult<ChangeFeed>): Promise<void> {
  if (feed.status === 'fulfilled') await feed.value.stop();
}
