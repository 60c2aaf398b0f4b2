import { eventIdOf, idOfName } from './ids';
import type { Span } from './span';
import { textIn } from './values';

/** Who reports: an agent's key is the agent, whatever its spans name. */
export interface ReportedBy {
  /** Of an agent's key; null of a runtime's. */
  agent: string | null;
  /** Whom a runtime names with the call, for spans that name nobody. */
  fallback: string | null;
}

/** What one export tells of the spans around a span. */
export class Trace {
  private readonly spans: ReadonlyMap<string, Span>;

  constructor(
    spans: readonly Span[],
    private readonly by: ReportedBy,
    private readonly becomesEvent: (span: Span) => boolean,
  ) {
    this.spans = new Map(spans.map((span) => [keyOf(span.trace, span.id), span]));
  }

  /** Whose work it is; null where nobody is named. */
  agentOf(span: Span): string | null {
    if (this.by.agent !== null) return this.by.agent;
    return span.agent ?? this.agentAbove(span) ?? this.by.fallback ?? serviceOf(span);
  }

  /** The agent that called another: named above it, or the service that calls a remote one. */
  callerOf(span: Span): string | null {
    if (this.by.agent !== null) return span.agent === this.by.agent ? null : this.by.agent;
    const remote = span.kind === 'client' ? serviceOf(span) : null;
    const caller = this.agentAbove(span) ?? remote;
    return caller === span.agent ? null : caller;
  }

  /**
   * Whether nothing of an agent's work stands above it, as far as this export tells: its parents are here,
   * up to the first span of the trace, and none is an agent's.
   */
  isFirst(span: Span): boolean {
    const above = this.above(span);
    const last = above.at(-1) ?? span;
    return last.parent === null && !above.some((one) => one.operation !== null);
  }

  /**
   * The event of the nearest span above it that becomes one. A parent that is not in this export may
   * come in the next, and is named as it will be.
   */
  parentEvent(span: Span): string | null {
    const above = this.above(span);
    const nearest = above.find((one) => this.becomesEvent(one));
    if (nearest !== undefined) return eventIdOf(nearest.trace, nearest.id);
    const unseen = (above.at(-1) ?? span).parent;
    return unseen === null ? null : eventIdOf(span.trace, unseen);
  }

  private agentAbove(span: Span): string | null {
    return this.above(span).find((one) => one.agent !== null)?.agent ?? null;
  }

  /** From the parent upwards, as far as this export goes. */
  private above(span: Span): Span[] {
    const found: Span[] = [];
    const seen = new Set([span.id]);
    let at: Span | undefined = span;
    while (at?.parent != null && !seen.has(at.parent) && found.length < MOST_ABOVE) {
      seen.add(at.parent);
      at = this.spans.get(keyOf(span.trace, at.parent));
      if (at !== undefined) found.push(at);
    }
    return found;
  }
}

/** Deeper than traces are: each span walks up, and a chain of thousands would cost their square. */
const MOST_ABOVE = 64;

function keyOf(trace: string, id: string): string {
  return `${trace}.${id}`;
}

/** The name that SDKs make up where nobody set one is nobody's. */
function serviceOf({ resource }: Span): string | null {
  const name = textIn(resource, 'service.name');
  return name === null || name.startsWith('unknown_service') ? null : idOfName(name);
}
