import { z } from 'zod';
import {
  DELIVERY_ERRORS,
  DELIVERY_STATES,
  WEBHOOK_EVENTS,
  type Webhook,
  type WebhookDelivery,
} from '../contracts/webhook';
import { labelSchema } from './event';
import { listQuery } from './listing';
import { wholeNumber } from './whole-number';

/** What browsers and proxies take. */
const MAX_URL = 2_000;
/** A shorter one can be guessed by whoever holds one signature. */
const MIN_SECRET = 16;
const MAX_SECRET = 200;

const events = z
  .array(z.enum(WEBHOOK_EVENTS))
  .min(1)
  .max(WEBHOOK_EVENTS.length)
  .refine((names) => new Set(names).size === names.length, 'must name each event once');

/** A secret that is left out stays as it is; null has Cairn make a new one. */
export const putWebhookSchema = z.strictObject({
  url: z.string().min(1).max(MAX_URL),
  events,
  secret: z
    .string()
    .regex(
      new RegExp(`^[\\x21-\\x7e]{${MIN_SECRET},${MAX_SECRET}}$`),
      `must be ${MIN_SECRET} to ${MAX_SECRET} printable ASCII characters without spaces`,
    )
    .nullable()
    .optional(),
});

export const webhookSchema = z.object({
  id: z.string(),
  url: z.string(),
  events: z.array(z.enum(WEBHOOK_EVENTS)),
  has_secret: z.boolean(),
  created_at: z.string(),
  changed_at: z.string(),
});

/** `signing_secret` is shown once, where Cairn has just made it. */
export const putWebhookAnswerSchema = webhookSchema.extend({
  signing_secret: z.string().optional(),
});

export const deliverySchema = z.object({
  n: z.int(),
  id: z.string(),
  type: z.enum(WEBHOOK_EVENTS),
  state: z.enum(DELIVERY_STATES),
  attempts: z.int(),
  last_status: z.int().nullable(),
  last_error: z.enum(DELIVERY_ERRORS).nullable(),
  created_at: z.string(),
  delivered_at: z.string().nullable(),
  next_at: z.string().nullable(),
});

export const deliveriesQuery = listQuery({ state: z.enum(DELIVERY_STATES).optional() });
export const deliveryParams = z.object({ id: labelSchema, n: wholeNumber(1, 999_999_999) });

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never;
const sameAsWebhook: Same<z.output<typeof webhookSchema>, Webhook> = true;
const sameAsDelivery: Same<z.output<typeof deliverySchema>, WebhookDelivery> = true;
void [sameAsWebhook, sameAsDelivery];
