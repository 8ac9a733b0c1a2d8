import * as v from 'valibot';

export const Difficulty = v.picklist(['easy', 'medium', 'hard']);
export type Difficulty = v.InferOutput<typeof Difficulty>;

/** Keys of subjects (specification, section 3). */
export const Theme = v.picklist([
  'english',
  'math',
  'physics',
  'russian',
  'chemistry',
  'biology',
  'geography',
  'informatics',
  'history',
  'literature',
  'astronomy',
  'ecology',
  'social_studies',
  'programming',
  'art',
  'music',
  'physical_education',
  'philosophy',
]);
export type Theme = v.InferOutput<typeof Theme>;

/** Languages that questions may be written in (BCP 47). */
export const Language = v.picklist(['ru', 'en', 'de', 'fr', 'es', 'zh', 'tt', 'ba', 'cv']);
export type Language = v.InferOutput<typeof Language>;
