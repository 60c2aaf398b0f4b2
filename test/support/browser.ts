import type { Answer, CallOptions, Method, TestApi } from './api';

/** A browser without pages: it keeps its cookie, and says the word of its session with what it changes. */
export class Browser {
  private csrf: string | null = null;
  /** As it is sent; null before it signs in. */
  cookie: string | null = null;

  constructor(private readonly api: TestApi) {}

  /** One that is signed in. */
  static async of(api: TestApi, key = api.ownerKey): Promise<Browser> {
    const browser = new Browser(api);
    const { status, text } = await browser.signIn(key);
    if (status !== 200) throw new Error(`the browser could not sign in: ${status} ${text}`);
    return browser;
  }

  async signIn(key: string, headers: Record<string, string> = {}): Promise<Answer> {
    const answer = await this.bare('POST', '/v1/session', { body: { key }, headers });
    if (answer.status === 200) {
      this.cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? null;
      this.csrf = answer.body.csrf;
    }
    return answer;
  }

  async call(method: Method, path: string, options: CallOptions = {}): Promise<Answer> {
    const word = this.csrf === null || method === 'GET' ? {} : { 'cairn-csrf': this.csrf };
    return await this.bare(method, path, { ...options, headers: { ...word, ...options.headers } });
  }

  /** As a page of somebody else's would have it sent: with the cookie, and without the word. */
  async bare(method: Method, path: string, options: CallOptions = {}): Promise<Answer> {
    const cookie = this.cookie === null ? {} : { cookie: this.cookie };
    return await this.api.call(method, path, {
      key: null,
      ...options,
      headers: { ...cookie, ...options.headers },
    });
  }
}
