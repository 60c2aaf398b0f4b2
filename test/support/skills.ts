import type { Answer, CallOptions, TestApi } from './api';

/** A skill as one writes it: three calls of a mailer, and one error that it knows. */
export const NEWSLETTER = {
  name: 'send-the-newsletter',
  description: 'Sends the newsletter to all readers, in batches.',
  document: {
    purpose: 'Every reader has the newsletter once.',
    preconditions: ['The list of readers is of today'],
    steps: [
      { text: 'Fetch the readers.', service: 'mailer', operation: 'list_readers' },
      { text: 'Send them 100 at a time.', service: 'mailer', operation: 'send_batch' },
    ],
    failure_handling: [
      { when: 'a batch is too large', then: 'halve it', error_family: 'validation' },
    ],
    causes: ['A batch holds at most 100.'],
  },
} as const;

export const ORIGIN = {
  kind: 'origin',
  trace: [
    { service: 'mailer', operation: 'list_readers', outcome: 'worked' },
    { service: 'mailer', operation: 'send_batch', outcome: 'worked' },
  ],
} as const;

/** What a test asks of skills, as whoever holds a key. */
export class Skills {
  constructor(
    private readonly api: TestApi,
    private readonly options: Omit<CallOptions, 'body'> = {},
  ) {}

  as(key: string): Skills {
    return new Skills(this.api, { ...this.options, key });
  }

  get(path: string): Promise<Answer> {
    return this.api.call('GET', `/v1/skills${path}`, this.options);
  }

  post(path: string, body: object = {}, headers: Record<string, string> = {}): Promise<Answer> {
    return this.api.call('POST', `/v1/skills${path}`, { ...this.options, body, headers });
  }

  /** @throws where it is refused */
  async made(body: object = NEWSLETTER): Promise<Answer> {
    const answer = await this.post('', body);
    if (answer.status !== 201) throw new Error(`no skill: ${answer.status} ${answer.text}`);
    return answer;
  }
}
