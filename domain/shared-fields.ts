import { Question } from '#contract/questions.ts';

/** A field that questions of every kind have. */
export type SharedField = Exclude<keyof Question, 'kind'>;

const [{ entries: first }] = Question.options;
const isShared = (name: string): name is SharedField =>
  name !== 'kind' && Question.options.every(({ entries }) => name in entries);
/** As the schema names them, so that no list has to follow it. */
const SHARED = Object.keys(first).filter(isShared);

/** What a question of any kind has, absent fields left out. */
export const sharedFields = (question: Question): Pick<Question, SharedField> =>
  Object.fromEntries(
    SHARED.flatMap((name) => (question[name] === undefined ? [] : [[name, question[name]]])),
  ) as Pick<Question, SharedField>;

/** What is of a question's kind alone. */
export const ownFields = <Q extends Question>(question: Q): Omit<Q, SharedField> =>
  Object.fromEntries(Object.entries(question).filter(([name]) => !isShared(name))) as Omit<
    Q,
    SharedField
  >;
