import { Question } from '#contract/questions.ts';

/** A field that questions of every kind have. */
export type SharedField = Exclude<keyof Question, 'kind'>;

const [{ entries: first }] = Question.options;
const isShared = (name: string): name is SharedField =>
  name !== 'kind' && Question.options.every(({ entries }) => name in entries);
/** Derived from the schema, so that no list has to be maintained. */
const SHARED = Object.keys(first).filter(isShared);

/** The shared fields of a question, without absent ones. */
export const sharedFields = (question: Question): Pick<Question, SharedField> =>
  Object.fromEntries(
    SHARED.flatMap((name) => (question[name] === undefined ? [] : [[name, question[name]]])),
  ) as Pick<Question, SharedField>;

/** The fields specific to a question's kind. */
export const ownFields = <Q extends Question>(question: Q): Omit<Q, SharedField> =>
  Object.fromEntries(Object.entries(question).filter(([name]) => !isShared(name))) as Omit<
    Q,
    SharedField
  >;
