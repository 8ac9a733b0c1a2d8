import * as v from 'valibot';
import { IsoTime } from './primitives.ts';
import { route } from './route.ts';

/** Identifies the product, so that a captive portal's page is never mistaken for the server. */
export const PRODUCT = 'exam-room';

/** Default when the server names none. */
export const SCHOOL_TIME_ZONE = 'Europe/Moscow';

export const health = route({
  name: 'health',
  summary: 'The process is alive; also the client’s probe of the network',
  method: 'GET',
  path: '/healthz',
  access: 'anyone',
  ownership: 'none',
  reply: v.object({
    status: v.literal('ok'),
    product: v.literal(PRODUCT),
    serverTime: IsoTime,
    /** The school's time zone, for setting and showing all times. An IANA name. */
    timeZone: v.optional(v.string(), SCHOOL_TIME_ZONE),
    /** `open`, `code` (of a class) or `closed`: the registration of accounts. */
    registration: v.optional(v.string(), 'open'),
  }),
});

export const readiness = route({
  name: 'readiness',
  summary: 'The process can serve: its database answers',
  method: 'GET',
  path: '/readyz',
  access: 'anyone',
  ownership: 'none',
  reply: v.object({ status: v.literal('ready') }),
});
