import { z } from 'zod';

/**
 * OTLP/JSON as far as it is read here (opentelemetry-proto, `trace/v1`). What is not named is passed over,
 * as the protocol asks of a receiver: exporters are newer or older than this. Spans are looked at one by
 * one, so that a bad one costs no other.
 */

/** A 64-bit integer: a decimal string, or a number. */
const long = z.union([z.string().regex(/^\d{1,20}$/), z.number().nonnegative()]);
/** By number, or by name. */
const symbol = z.union([z.int(), z.string().max(100)]);

/** Values may hold lists and maps of values: looked into when they are needed, and no deeper than allowed. */
const attributes = z.array(z.object({ key: z.string(), value: z.unknown() })).default([]);

export const otelSpanSchema = z.object({
  traceId: z.string().max(64),
  spanId: z.string().max(64),
  parentSpanId: z.string().max(64).nullish(),
  name: z.string().default(''),
  kind: symbol.optional(),
  startTimeUnixNano: long.optional(),
  endTimeUnixNano: long.optional(),
  attributes,
  events: z.array(z.object({ name: z.string().default(''), attributes })).default([]),
  status: z.object({ code: symbol.optional(), message: z.string().nullish() }).nullish(),
});
export type OtelSpan = z.output<typeof otelSpanSchema>;

export const otelAttributesSchema = attributes;
export type OtelAttributes = z.output<typeof attributes>;

/** `ExportTraceServiceRequest`. */
export const otelRequestSchema = z
  .object({
    resourceSpans: z
      .array(
        z.object({
          resource: z.object({ attributes: z.unknown() }).partial().nullish(),
          scopeSpans: z
            .array(
              z.object({
                scope: z
                  .object({ name: z.string().max(1_000) })
                  .partial()
                  .nullish(),
                spans: z.array(z.unknown()).default([]),
              }),
            )
            .default([]),
        }),
      )
      .default([]),
  })
  .meta({
    description:
      'OTLP/JSON, ExportTraceServiceRequest: {resourceSpans: [{resource, scopeSpans: [{scope, spans}]}]}',
  });
export type OtelRequest = z.output<typeof otelRequestSchema>;

/** `ExportTraceServiceResponse`. */
export const otelAnswerSchema = z.object({
  partialSuccess: z.object({ rejectedSpans: z.int(), errorMessage: z.string() }).optional(),
});
export type OtelAnswer = z.output<typeof otelAnswerSchema>;
