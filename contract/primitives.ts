import * as v from 'valibot';
import { MARKS_ON_A_LETTER, TYPED_NAME_CHARACTERS } from './limits.ts';

/** Opaque id, a UUID in lower case. */
export const Id = v.pipe(
  v.string(),
  v.maxLength(36, 'Неверный идентификатор'),
  v.regex(
    /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
    'Неверный идентификатор',
  ),
  v.transform((id) => id.toLowerCase()),
);

/** Without bidirectional marks and other invisible characters; blanks are single. */
export const withoutUnseen = (text: string): string =>
  text
    .normalize('NFC')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim();

const PILED_MARKS = new RegExp(String.raw`\p{M}{${MARKS_ON_A_LETTER + 1}}`, 'u');

/**
 * A name of a person or a class. Its length is limited before normalising, which is quadratic in the marks of a
 * letter.
 */
/* @__NO_SIDE_EFFECTS__ */
export const nameOf = ({
  missing,
  most,
  tooLong,
}: {
  missing: string;
  most: number;
  tooLong: string;
}) =>
  v.pipe(
    v.string(missing),
    v.maxLength(TYPED_NAME_CHARACTERS, tooLong),
    v.transform(withoutUnseen),
    v.nonEmpty(missing),
    v.maxLength(most, tooLong),
    v.check(
      (name) => !PILED_MARKS.test(name),
      'Слишком много знаков над одной буквой. Уберите лишние',
    ),
  );

/** Ids of options, pairs and other parts inside a question; stable within its test version. */
export const PartId = v.pipe(v.string(), v.minLength(1), v.maxLength(64));

/** Number of a gap: `[[1]]` in the question's text is its place. */
export const GapId = v.pipe(v.string(), v.maxLength(3), v.regex(/^[1-9]\d{0,2}$/));

const EARLIEST_YEAR = 1970;
/** The last year of four digits: a later time would be written in another form. */
const LATEST_YEAR = 9999;

/** ISO 8601, of the years 1970 to 9999 in UTC. */
export const IsoTime = v.pipe(
  v.string(),
  v.maxLength(40, 'Неверная дата'),
  v.isoTimestamp('Неверная дата'),
  // An offset of hours alone fits the pattern but is no valid date: its year is no number.
  v.check((text) => {
    const year = new Date(text).getUTCFullYear();
    return year >= EARLIEST_YEAR && year <= LATEST_YEAR;
  }, 'Неверная дата'),
);

/** `HH:mm:ss`; hours may pass 24. */
export const Duration = v.pipe(
  v.string(),
  v.maxLength(10, 'Длительность записывается как ЧЧ:ММ:СС'),
  v.regex(/^\d{2,4}:[0-5]\d:[0-5]\d$/, 'Длительность записывается как ЧЧ:ММ:СС'),
);

/** Points, at most two decimals. */
export const Points = v.pipe(
  v.number(),
  v.minValue(0, 'Баллы не бывают отрицательными'),
  v.maxValue(10_000, 'Слишком много баллов'),
);

/** Whether a number has at most two decimals, as marks are stored. */
export const isHundredths = (points: number): boolean =>
  Math.abs(points * 100 - Math.round(points * 100)) < 1e-6;
export const TWO_DECIMALS = 'Баллы: не больше двух знаков после запятой';

/** A sum of points: of a test or a mark. */
export const TotalPoints = v.pipe(v.number(), v.minValue(0));

/** 0 idle, 1 run, 2 over, any other value idle (specification, section 4); the server sends these three. */
export const AttemptState = v.fallback(v.picklist([0, 1, 2]), 0);

const WholeNumber = v.pipe(
  v.union([
    v.number(),
    v.pipe(v.string(), v.maxLength(15), v.regex(/^\d{1,15}$/), v.transform(Number)),
  ]),
  v.integer(),
);

/** What a database column of type integer holds. */
const MAX_INTEGER = 2_147_483_647;

/** A positive whole number from a header, a path or a query. */
export const PositiveInteger = v.pipe(WholeNumber, v.minValue(1), v.maxValue(MAX_INTEGER));

export const NonNegativeInteger = v.pipe(WholeNumber, v.minValue(0), v.maxValue(MAX_INTEGER));

/** Far above the number of writes in one attempt: a larger head could only distort the live view. */
const HIGHEST_SEQUENCE = 1_000_000;

/** Number of an operation in its stream. */
export const Sequence = v.pipe(PositiveInteger, v.maxValue(HIGHEST_SEQUENCE));

/** Highest sequence that a device has assigned in a stream; 0: none yet. */
export const SequenceHead = v.pipe(NonNegativeInteger, v.maxValue(HIGHEST_SEQUENCE));

/** Epoch of a stream: up to a thousand for each minute since 2026, above an integer from 2030 on. */
export const StreamEpoch = v.pipe(WholeNumber, v.minValue(0), v.maxValue(Number.MAX_SAFE_INTEGER));

const TEN_YEARS_MS = 315_576_000_000;

/** An age in milliseconds; above ten years it is unknown: the clock that measured it was set. */
export const plausibleAge = (ms: number): number | 'unknown' =>
  ms > TEN_YEARS_MS ? 'unknown' : ms;

/** Age in milliseconds, or `unknown` when the device's timeline was broken. */
export const Age = v.union([
  v.literal('unknown'),
  v.pipe(WholeNumber, v.minValue(0), v.transform(plausibleAge)),
]);

/** Every list on the wire. */
/* @__NO_SIDE_EFFECTS__ */
export function listOf<S extends v.BaseSchema<unknown, unknown, v.BaseIssue<unknown>>>(item: S) {
  return v.object({ items: v.array(item), total: v.number() });
}
