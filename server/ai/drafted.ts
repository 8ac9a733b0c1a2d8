import * as v from 'valibot';
import type { QuestionKind } from '#contract/bank.ts';
import { Question } from '#contract/questions.ts';
import { Difficulty } from '#contract/themes.ts';
import type { Kind } from '#domain/kinds/rules.ts';
import { wireKindLabel } from '#domain/labels-kinds.ts';
import { publishingProblems } from '#domain/publishing.ts';
import { AI_RULES, aiRules, isAiKind } from './kinds/ai-kinds.ts';
import { text } from './kinds/fields.ts';
import type { AiRules } from './kinds/rules.ts';

/** A valid question, or the reason why the text is none. */
export type DraftResult =
  | { readonly question: Question; readonly reason: null }
  | { readonly question: null; readonly reason: string };

export interface DraftRules {
  /** The requested kinds. */
  readonly kinds: readonly QuestionKind[];
  /** Pictures that a question may continue to show. */
  readonly pictures: ReadonlySet<string>;
  /** Random: part ids that reveal their order would reveal the key. */
  readonly newId: () => string;
}

/** Enough to see what is wrong with a draft. */
const MAX_REASONS = 5;

/** An optional value: anything unexpected counts as absent. */
const lenient = <S extends v.BaseSchema<unknown, unknown, v.BaseIssue<unknown>>>(item: S) =>
  v.fallback(v.optional(item), undefined);

/** The shared fields of a question that the provider writes, parsed leniently. */
const SharedFields = v.object({
  text,
  explanation: lenient(text),
  topic: lenient(v.pipe(text, v.maxLength(200))),
  difficulty: lenient(Difficulty),
  points: v.fallback(
    v.pipe(
      v.unknown(),
      v.transform(Number),
      v.minValue(0.01),
      v.maxValue(100),
      v.transform((points) => Math.round(points * 100) / 100),
    ),
    1,
  ),
});

/** Bounded, so that brackets that never close cost little. */
const PICTURE = /!\[([^[\]]*)\]\(([^)]{0,1000})\)/g;

/** Images that the provider was not given become text: its URLs would be foreign. */
function withoutForeignPictures(words: string, pictures: ReadonlySet<string>): string {
  return words.replace(PICTURE, (whole: string, alt: string, href: string) =>
    pictures.has(href.trim()) ? whole : alt,
  );
}

/** URLs of the pictures in a question, as its Markdown has them. */
export const picturesOf = (question: Question): ReadonlySet<string> =>
  new Set([...JSON.stringify(question).matchAll(PICTURE)].map(([, , href = '']) => href.trim()));

type Written = v.InferOutput<typeof SharedFields>;

/** The fields that questions of every kind have. */
const built = (kind: Kind, written: Written, newId: () => string) => ({
  kind,
  questionId: newId(),
  text: written.text,
  points: written.points,
  origin: { kind: 'ai' as const },
  ...(written.explanation ? { explanation: written.explanation } : {}),
  ...(written.topic ? { topic: written.topic } : {}),
  ...(written.difficulty === undefined ? {} : { difficulty: written.difficulty }),
});

/** Every text of a value without disallowed content; ids have no pictures in them. */
function cleaned(value: unknown, pictures: ReadonlySet<string>): unknown {
  if (typeof value === 'string') {
    // oxlint-disable-next-line no-control-regex -- PostgreSQL stores neither NUL nor half a surrogate pair.
    return withoutForeignPictures(value, pictures).replace(/\u0000|\p{Surrogate}/gu, '');
  }
  if (Array.isArray(value)) return value.map((item) => cleaned(item, pictures));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, cleaned(item, pictures)]),
  );
}

/** The first field that cannot be read. */
const fieldOf = ([issue]: readonly [v.BaseIssue<unknown>, ...v.BaseIssue<unknown>[]]): string =>
  (v.getDotPath(issue) ?? '').split('.')[0] ?? '';

/** Parses one object of a provider as a publishable question by the contract. */
export function drafted(value: Readonly<Record<string, unknown>>, rules: DraftRules): DraftResult {
  const no = (reason: string): DraftResult => ({ question: null, reason });
  const { kind } = value;
  if (!isAiKind(kind)) return no('неизвестный вид вопроса');
  const ofKind: Pick<AiRules<Kind>, 'read' | 'unclear'> = AI_RULES[kind];
  const unreadable = 'записано не по форме';
  const shared = v.safeParse(SharedFields, value);
  if (!shared.success) return no(fieldOf(shared.issues) === 'text' ? 'нет текста' : unreadable);
  const own = v.safeParse(ofKind.read(rules.newId), value);
  if (!own.success) return no(ofKind.unclear[fieldOf(own.issues)] ?? unreadable);
  if (!rules.kinds.includes(kind)) return no(`вопросов вида «${wireKindLabel(kind)}» не просили`);
  const whole = { ...built(kind, shared.output, rules.newId), ...own.output };
  const made = v.safeParse(Question, cleaned(whole, rules.pictures));
  if (!made.success) return no('слишком длинный текст или слишком много частей');
  const problems = publishingProblems([made.output])
    .slice(0, MAX_REASONS)
    .map(({ message }) => message.replace(/^Вопрос 1: /, ''));
  return problems.length > 0 ? no(problems.join('; ')) : { question: made.output, reason: null };
}

/** The questions inside any wrapper object. */
export function withoutWrapper(
  value: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>>[] {
  if ('kind' in value) return [value];
  const inner = Object.values(value).find(
    (item): item is Readonly<Record<string, unknown>>[] =>
      Array.isArray(item) &&
      item.length > 0 &&
      item.every((one) => typeof one === 'object' && one !== null && 'kind' in one),
  );
  return inner ?? [value];
}

/** The question in the provider's form, as the basis of a change. */
export const asWritten = (question: Question): unknown => ({
  kind: question.kind,
  // Several questions share it: it is sent for understanding, not for changing.
  passage: question.passage?.text,
  text: question.text,
  points: question.points,
  explanation: question.explanation,
  difficulty: question.difficulty,
  topic: question.topic,
  ...aiRules(question)?.write(question),
});
