import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { FastifyRequest, RequestPayload } from 'fastify';
import { Problem } from '../problem';

/**
 * What exporters send beside plain JSON: gzip is unpacked as it comes in, so that the bound of the body
 * holds for what it unpacks to; protobuf is refused with what to set.
 * @throws Problem 415
 */
export function unpacked(request: FastifyRequest, payload: RequestPayload): RequestPayload {
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') {
    throw new Problem(
      415,
      'unsupported_media_type',
      'send OTLP as JSON (Content-Type: application/json): set OTEL_EXPORTER_OTLP_PROTOCOL=http/json',
    );
  }
  const encoding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity') return payload;
  if (encoding !== 'gzip') {
    throw new Problem(
      415,
      'unsupported_media_type',
      'send the JSON as it is, or with Content-Encoding: gzip',
    );
  }
  delete request.headers['content-encoding'];
  const gunzip: RequestPayload = createGunzip();
  gunzip.receivedEncodedLength = 0;
  payload.on('data', (chunk: Buffer) => {
    gunzip.receivedEncodedLength = (gunzip.receivedEncodedLength ?? 0) + chunk.length;
  });
  payload.on('error', (error: Error) => (gunzip as Readable).destroy(error));
  return (payload as Readable).pipe(
    gunzip as unknown as NodeJS.WritableStream,
  ) as unknown as RequestPayload;
}
