import * as v from 'valibot';

/** Opaque id, a UUID in lower case. */
export const Id = v.pipe(
  v.string(),
  v.regex(
    /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
    'Неверный идентификатор',
  ),
  v.transform((id) => id.toLowerCase()),
);

/** Without marks that turn the direction of writing and other signs nobody sees; blanks are single. */
export const withoutUnseen = (text: string): string =>
  text
    .normalize('NFC')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim();

/** Ids of options, pairs and other parts inside a question; stable within its test version. */
export const PartId = v.pipe(v.string(), v.minLength(1), v.maxLength(64));

/** ISO 8601 in UTC. */
export const IsoTime = v.pipe(
  v.string(),
  v.isoTimestamp('Неверная дата'),
  // An offset of hours alone fits the shape and is still no date.
  v.check((text) => !Number.isNaN(Date.parse(text)), 'Неверная дата'),
);

/** `HH:mm:ss`; hours may pass 24. */
export const Duration = v.pipe(
  v.string(),
  v.regex(/^\d{2,4}:[0-5]\d:[0-5]\d$/, 'Длительность записывается как ЧЧ:ММ:СС'),
);

/** Points, at most two decimals. */
export const Points = v.pipe(
  v.number(),
  v.minValue(0, 'Баллы не бывают отрицательными'),
  v.maxValue(10_000, 'Слишком много баллов'),
);

/** Whether a number has at most two decimals, as marks are kept. */
export const isHundredths = (points: number): boolean =>
  Math.abs(points * 100 - Math.round(points * 100)) < 1e-6;
export const TWO_DECIMALS = 'Баллы: не больше двух знаков после запятой';

/** A sum of points: of a test or a mark. */
export const TotalPoints = v.pipe(v.number(), v.minValue(0));

/** 0 idle, 1 run, 2 over. */
export const AttemptState = v.picklist([0, 1, 2]);

const WholeNumber = v.pipe(
  v.union([v.number(), v.pipe(v.string(), v.regex(/^\d{1,15}$/), v.transform(Number))]),
  v.integer(),
);

/** What a database column of type integer holds. */
const MOST = 2_147_483_647;

/** A positive whole number from a header, a path or a query. */
export const PositiveInteger = v.pipe(WholeNumber, v.minValue(1), v.maxValue(MOST));

export const NonNegativeInteger = v.pipe(WholeNumber, v.minValue(0), v.maxValue(MOST));

const TEN_YEARS_MS = 315_576_000_000;

/** Milliseconds that passed on a device; more than ten years count as ten. */
export const ElapsedMs = v.pipe(
  WholeNumber,
  v.minValue(0),
  v.transform((ms) => Math.min(ms, TEN_YEARS_MS)),
);

/** Every list on the wire. */
/* @__NO_SIDE_EFFECTS__ */
export function listOf<S extends v.BaseSchema<unknown, unknown, v.BaseIssue<unknown>>>(item: S) {
  return v.object({ items: v.array(item), total: v.number() });
}
