import { errorFamily } from '../src/domain/distill/error-family';

test.each([
  ['429: daily limit of 100 recipients exceeded', 'rate_limit'],
  ['HTTP 503', 'unavailable'],
  ['Request failed with status code 404', 'not_found'],
  ['HTTP/1.1 502 Bad Gateway', 'unavailable'],
  ['the server answered 403 Forbidden', 'permission'],
  ['batch_size must be at most 500 recipients a call', 'validation'],
  ['sent 404 of 900 messages, then the quota exceeded', 'rate_limit'],
  ['total price is 503, but paid 304: the amounts do not add up', 'validation'],
])('%s is of family %s', (text, family) => {
  expect(errorFamily(text)).toBe(family);
});
