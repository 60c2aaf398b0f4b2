import type { Answer, CallOptions, Method, TestApi } from './api';

/** Calls about one session after another, as agents of one workspace through the owner's key. */
export class SessionLane {
  private events = 0;

  constructor(
    readonly api: TestApi,
    readonly now: () => Date = () => new Date(),
  ) {}

  /** Agents and who spawned them; a parent stands before its children. */
  async spawn(parents: Readonly<Record<string, string | null>>): Promise<void> {
    for (const [id, parent_agent] of Object.entries(parents)) {
      await this.done('PUT', `/v1/agents/${id}`, { body: { parent_agent } });
    }
  }

  /** As the agent, or as the owner with their own eyes. */
  as(agent: string | null, method: Method, path: string, options: CallOptions = {}) {
    const headers = { ...(agent === null ? {} : { 'cairn-agent': agent }), ...options.headers };
    return this.api.call(method, `/v1/sessions/${path}`, { ...options, headers });
  }

  put(agent: string | null, session: string, key: string, value: unknown, options = {}) {
    return this.as(agent, 'PUT', `${session}/blackboard/${key}`, { body: { value }, ...options });
  }

  get(agent: string | null, session: string, key: string) {
    return this.as(agent, 'GET', `${session}/blackboard/${key}`);
  }

  list(agent: string | null, session: string, query = '') {
    return this.as(agent, 'GET', `${session}/blackboard${query}`);
  }

  end(agent: string | null, session: string, options: CallOptions = {}) {
    return this.as(agent, 'POST', `${session}/end`, options);
  }

  /** Settled work of the agent in the session. */
  async event(agent: string, session: string, more: object = {}): Promise<void> {
    this.events += 1;
    const event = {
      event_id: `work-${this.events}`,
      kind: 'observation',
      agent,
      session,
      outcome: 'worked',
      occurred_at: this.now().toISOString(),
      text: `Piece of work ${this.events}.`,
      ...more,
    };
    const { body } = await this.done('POST', '/v1/events', { body: { events: [event] } });
    if (body.items[0].status !== 'accepted') throw new Error(JSON.stringify(body));
  }

  async done(method: Method, path: string, options: CallOptions = {}): Promise<Answer> {
    const answer = await this.api.call(method, path, options);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer;
  }

  /** What is stored of a session, whoever may see it. */
  async stored(session: string): Promise<string[]> {
    const rows = await this.api.database.inWorkspace('default', (tx) =>
      tx.query<{ key: string }>('SELECT key FROM blackboard WHERE session_id = $1 ORDER BY key', [
        session,
      ]),
    );
    return rows.map(({ key }) => key);
  }
}
