/**
 * Pages run scripts of files of ours alone. A component's own style attributes are let in, since measured places
 * (a bar's width, a row's offset in a list) are known at run time only; a style element needs the answer's nonce.
 */
function policyOf(styleElements: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src-elem ${styleElements}`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Of a page; its style elements have the nonce, which no other answer has. */
export function pagePolicy(nonce: string): string {
  return policyOf(`'self' 'nonce-${nonce}'`);
}

/** Of the files that pages load: a worker goes by the policy of its own file. */
export const FILE_POLICY = policyOf("'self'");

/** A build names these by what is in them: under the same name there is never anything else. */
const NAMED_BY_CONTENT = /^\/assets\//;

const YEAR = 'public, max-age=31536000, immutable';
/** Asked for anew each time, and answered by 304 where nothing has changed. */
const ASKED_ANEW = 'no-cache';

export function cacheControlOf(path: string): string {
  return NAMED_BY_CONTENT.test(path) ? YEAR : ASKED_ANEW;
}
