import type { FastifyError } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { IdentifierRefused } from '../intake/pseudonyms';
import { shortPointer } from '../schemas/event';
import { isUnavailable, sqlState } from '../store/database';
import { isHeldRefusal } from '../store/legal-holds';
import { heldProblem } from './held';
import { badRequest, Problem, unavailable } from './problem';
import { refusedIdentifier } from './refused-identifier';
import { meantIssue } from './union-issue';

/** An error of Fastify's, or any other. */
type Thrown = Error & Partial<Pick<FastifyError, 'code' | 'statusCode'>>;

export function noRoute(): Problem {
  return new Problem(
    404,
    'not_found',
    'there is no such route, or not by this method; GET /docs lists them',
  );
}

/** Of Postgres, where a value holds NUL or half a surrogate pair. */
const UNSTORABLE: ReadonlySet<string> = new Set(['22021', '22P05']);

/**
 * Whatever was thrown, as what the caller can do about it; never its own words, which may hold content.
 * @param bodyLimit of the route, in bytes
 */
export function problemOf(error: Thrown, bodyLimit?: number): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof IdentifierRefused) return refusedIdentifier(error);
  if (isUnavailable(error)) return unavailable();
  if (isHeldRefusal(error)) return heldProblem();
  if (hasZodFastifySchemaValidationErrors(error)) {
    // A parameter that nobody knows is said before one that is missing: it may be that one, misspelt.
    const { validation, validationContext } = error;
    const misspelt = validation.find(({ params }) => Array.isArray(params.keys));
    const first = (validationContext === 'querystring' ? misspelt : undefined) ?? validation[0];
    const root = first?.instancePath === '/' ? '' : (first?.instancePath ?? '');
    const { path, message, keys } = meantIssue(root, first?.message, first?.params ?? {});
    const [unknown] = keys ?? [];
    const where = unknown === undefined ? path : `${path}/${unknown}`;
    const detail =
      unknown === undefined
        ? (message ?? 'the request is not valid')
        : 'unknown field or parameter';
    return badRequest(`${error.validationContext ?? 'body'}: ${detail}`, shortPointer(where));
  }
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return new Problem(
      413,
      'too_large',
      `the body is over ${bodyLimit ?? 'as many bytes as are taken'}; send it in parts`,
    );
  }
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return new Problem(415, 'unsupported_media_type', 'send JSON: Content-Type: application/json');
  }
  if (UNSTORABLE.has(sqlState(error) ?? '')) {
    return badRequest('the request holds a character that no text may hold, such as NUL');
  }
  if (error.code === 'FST_ERR_BAD_URL') {
    return badRequest('the path is not valid percent-encoded UTF-8');
  }
  if (error.code === 'FST_ERR_MAX_PARAM_LENGTH') {
    return new Problem(414, 'invalid', 'an id in the path is longer than any id can be');
  }
  // What the docs page's files answer to a path that climbs out of them.
  if (error.statusCode === 403 || error.statusCode === 404) return noRoute();
  if (error.statusCode !== undefined && error.statusCode < 500) {
    return new Problem(
      error.statusCode,
      'invalid',
      'the request cannot be read as HTTP with a JSON body',
    );
  }
  return new Problem(500, 'internal', 'something went wrong here; the log has its trace');
}
