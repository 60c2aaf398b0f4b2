import type { Insight, OutcomeResult } from '../../src/contracts/insight';
import type { Answer, CallOptions, TestApi } from './api';

/** A finding as one saves it: a number, and two things to do about it. */
export const OVERTIME = {
  origin: 'automated_run',
  title: 'Overtime is up',
  finding: 'Overtime at the quay cost $1,200 more than the week before.',
  domain: 'labor',
  severity: 'high',
  metrics: [{ name: 'overtime_hours', value: 41, unit: 'h' }],
  actions: [{ text: 'Cap shifts at eight hours.' }, { text: 'Hire a second cook.' }],
} as const;

/** What a test asks of insights, as whoever holds a key. */
export class Insights {
  constructor(
    private readonly api: TestApi,
    private readonly options: Omit<CallOptions, 'body'> = {},
  ) {}

  as(key: string, headers: Record<string, string> = {}): Insights {
    return new Insights(this.api, { key, headers });
  }

  /** With the same key, for this agent. */
  for(agent: string): Insights {
    return new Insights(this.api, {
      ...this.options,
      headers: { ...this.options.headers, 'cairn-agent': agent },
    });
  }

  get(path = ''): Promise<Answer> {
    return this.api.call('GET', `/v1/insights${path}`, this.options);
  }

  post(path: string, body: object = {}, headers: Record<string, string> = {}): Promise<Answer> {
    const own = this.options.headers ?? {};
    const options = { ...this.options, body, headers: { ...own, ...headers } };
    return this.api.call('POST', `/v1/insights${path}`, options);
  }

  /** @throws where it is refused */
  async saved(body: object = {}): Promise<Insight> {
    return good(await this.post('', { ...OVERTIME, ...body })).body;
  }

  async shown(id: string): Promise<Insight> {
    return good(await this.get(`/${id}`)).body;
  }

  async listed(query = ''): Promise<Insight[]> {
    return good(await this.get(query)).body.items;
  }

  /** Saves an insight of one action, and reports what it came to. */
  async learned(text: string, result: OutcomeResult, body: object = {}): Promise<Insight> {
    const insight = await this.saved({ ...body, actions: [{ text }] });
    const outcome = { action_id: insight.actions[0]?.id, result };
    return good(await this.post(`/${insight.id}/outcome`, outcome)).body;
  }
}

function good(answer: Answer): Answer {
  if (answer.status < 300) return answer;
  throw new Error(`refused: ${answer.status} ${answer.text}`);
}
