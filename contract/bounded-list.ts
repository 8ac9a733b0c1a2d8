import * as v from 'valibot';

type ItemSchema = v.BaseSchema<unknown, unknown, v.BaseIssue<unknown>>;

/** Issues of one list, those of lists in it included: nobody corrects more at one time. */
export const MAX_ISSUES = 50;

/**
 * A list of at most `max` items. Its length is checked first: valibot's own array validates every item before a
 * `maxLength` after it, so that a long list costs time and issues for each item before it is refused. Validation ends
 * at 50 issues: lists in lists within their bounds would have a hundred thousand.
 * @param tooLong message for people
 */
/* @__NO_SIDE_EFFECTS__ */
export function boundedList<const S extends ItemSchema>(item: S, max: number, tooLong?: string) {
  const list = v.array(item);
  const limit = v.maxLength<v.InferOutput<S>[], number, string | undefined>(max, tooLong);
  const lengthFirst: typeof list = {
    ...list,
    '~run'(dataset, config) {
      const { value } = dataset;
      if (!Array.isArray(value) || value.length <= max) {
        // valibot reads it after each item with an issue.
        const found: { readonly issues?: readonly unknown[] | undefined } = dataset;
        const isFull = () => (found.issues?.length ?? 0) >= MAX_ISSUES;
        const bounded = Object.defineProperty({ ...config }, 'abortEarly', {
          get: () => config.abortEarly === true || isFull(),
        });
        return list['~run'](dataset, bounded);
      }
      const judged = limit['~run']({ typed: true, value }, config);
      // The items are not validated: later steps of a pipe must not see them.
      return { ...judged, typed: false } as ReturnType<(typeof list)['~run']>;
    },
  };
  return v.pipe(lengthFirst, limit);
}
