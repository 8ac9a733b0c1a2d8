/**
 * A kind of question that does not exist: a student chooses a step of a scale. What is written here is all that a new
 * kind needs; `tests/architecture/toy-kind.test.ts` puts it into a copy of the product. A field that no question has,
 * `hint`, needs the contract and the screens that show it.
 */

/** New files, by their paths. */
export const TOY_FILES: Readonly<Record<string, string>> = {
  'domain/kinds/toy/answers.ts': `
import type { AnswerRules } from '#domain/kinds/rules.ts';

export const toyAnswers: AnswerRules<'toy'> = {
  isAnswered: ({ step }) => step !== null,
  fits: ({ step }, { steps }) => step === null || (step >= 1 && step <= steps),
};
`,
  'domain/kinds/toy/questions.ts': `
import type { QuestionRules } from '#domain/kinds/rules.ts';

export const toyQuestions: QuestionRules<'toy'> = {
  empty: () => ({ kind: 'toy', steps: 5, right: 1 }),
  arrange: (shown) => shown,
  problems: ({ steps, right }) => (right > steps ? ['верной ступени нет на шкале'] : []),
  keyProblems: () => [],
  withKeyOf: (question, { right }) => ({ ...question, right }),
  isGradedByHand: () => false,
  share: ({ right }, { step }) => (step === right ? 1 : 0),
  key: ({ right }) => right,
  answerText: ({ step }) => String(step),
  keyText: ({ right }) => String(right),
};
`,
  'domain/kinds/toy/forms.ts': `
import type { FormRules } from '#domain/kinds/rules.ts';

export const toyForms: FormRules<'toy', 'scale'> = {
  labels: { scale: 'Шкала' },
  formOf: () => 'scale',
  setAside: () => null,
};
`,
  'src/questions/toy/answer-input.tsx': `
import type { AnswerFieldProps, AnswerInput } from '#app/questions/answer-field.ts';

function AnswerField({ question, answer, store, locked, labelledBy }: AnswerFieldProps<'toy'>) {
  const { questionId, steps } = question;
  return (
    <input
      type="range"
      min={1}
      max={steps}
      value={answer?.step ?? 1}
      disabled={locked}
      aria-labelledby={labelledBy}
      onChange={({ currentTarget: { value } }) =>
        store.choose({ questionId, kind: 'toy', step: Number(value) })
      }
    />
  );
}

export const toyInput: AnswerInput<'toy'> = {
  Field: AnswerField,
  summary: ({ step }) => \`Ступень \${step}\`,
};
`,
  'src/questions/toy/review.tsx': `
import type { AnswerReview, ReviewProps } from '#app/questions/review.ts';

const Review = ({ question, answer }: ReviewProps<'toy'>) => (
  <p>
    {answer?.step} {'right' in question && question.right}
  </p>
);

export const toyReview: AnswerReview<'toy'> = { Review };
`,
  'src/questions/toy/authoring.tsx': `
import type { EditorPartProps, KeyViewProps, KindAuthoring } from '#app/questions/authoring.ts';

const Editor = ({ question, onChange }: EditorPartProps<'toy'>) => (
  <input
    aria-label="Верная ступень"
    value={question.right}
    onChange={({ currentTarget: { value } }) =>
      onChange({ ...question, right: Number(value) }, 'right')
    }
  />
);

const KeyView = ({ question }: KeyViewProps<'toy'>) => <p>{question.right}</p>;

export const toyAuthoring: KindAuthoring<'toy'> = { Editor, KeyView };
`,
  'src/questions/toy/icons.ts': `
import { IconRuler } from '@tabler/icons-react';

export const toyIcons = { scale: IconRuler };
`,
};

/** What the copy must do with the kind. */
export const TOY_TEST = {
  path: 'domain/toy.test.ts',
  text: `
import { expect, test } from 'vitest';
import { isAnswered } from '#domain/answered.ts';
import { changeKind } from '#domain/change-kind.ts';
import { questionKindLabel } from '#domain/labels-kinds.ts';
import { newQuestion } from '#domain/new-question.ts';
import { mapTexts, textsOf } from '#domain/question-texts.ts';
import { publishingProblems } from '#domain/publishing.ts';
import { groupSaved, listSaved } from '#domain/saved-answers.ts';
import { scoreItem } from '#domain/scoring.ts';
import { studentQuestion } from '#domain/student-question.ts';
import { writeFile } from '#interchange/formats.ts';
import { aiRules } from '#server/ai/kinds/ai-kinds.ts';

let last = 0;
const newId = () => 'id-' + (last += 1);
const question = { ...newQuestion('toy', newId), text: 'Как вам урок?', right: 3 };
const answer = { questionId: question.questionId, kind: 'toy', step: 3 } as const;

test('it is asked without its key, answered, grouped and marked', () => {
  expect(studentQuestion(question, (_, id) => id)).not.toHaveProperty('right');
  expect(isAnswered(answer)).toBe(true);
  expect(publishingProblems([question])).toEqual([]);
  expect(scoreItem(question, answer, undefined)).toMatchObject({ points: 1 });
  const position = { operationId: 'o', epoch: 1, sequence: 1, receivedAt: '', receivedLate: false };
  const saved = { ...answer, ...position };
  expect(listSaved(groupSaved([saved]))).toEqual([saved]);
});

test('it has a name, and other kinds become it and come back', () => {
  expect(questionKindLabel(question)).toBe('Шкала');
  const line = { ...newQuestion('open', newId), text: 'Сколько?' };
  const there = changeKind(line, 'scale', {}, newId);
  expect(there.question).toMatchObject({ kind: 'toy', text: 'Сколько?' });
  expect(changeKind(there.question, 'line', there.others, newId).question).toMatchObject(line);
});

test.each(['gift', 'aiken', 'moodleXml', 'qti2', 'qti3', 'csv', 'xlsx'] as const)(
  'a format that does not know it says so: %s',
  async (format) => {
    const file = await writeFile(format, { title: 'Тест', questions: [question], pictures: new Map() });
    expect(file.losses.join(' ')).toMatch(/Вопрос 1: .*(вид «Шкала» этот формат не передаёт|Aiken)/);
  },
);

test('a new field is read, searched, converted and changed as the others, and no file loses it without a word', async () => {
  const hinted = { ...newQuestion('variant', newId), text: 'Где?', hint: 'Слева' };
  expect(studentQuestion(hinted, (_, id) => id)).toMatchObject({ hint: 'Слева' });
  expect(textsOf(hinted)).toContain('Слева');
  expect(mapTexts(hinted, (text) => text.toUpperCase())).toMatchObject({ hint: 'СЛЕВА' });
  expect(changeKind(hinted, 'scale', {}, newId).question).toMatchObject({ hint: 'Слева' });
  const file = await writeFile('gift', { title: 'Тест', questions: [hinted], pictures: new Map() });
  expect(file.losses.join()).toMatch('Вопрос 1: в нём есть сведения, которых файлы других систем не передают');
});

test('the AI has no form of it', () => {
  expect(aiRules(question)).toBeUndefined();
});
`,
};

interface Edit {
  readonly path: string;
  /** What stands there, once. */
  readonly before: string;
  /** What is added after it. */
  readonly added: string;
}

const registry = (
  path: string,
  name: string,
  module: string,
  after: string,
  entry = `  toy: ${name},\n`,
): Edit[] => [
  { path, before: '', added: `import { ${name} } from './toy/${module}';\n` },
  { path, before: after, added: entry },
];

/** The contract, and a line in each registry. */
export const TOY_EDITS: readonly Edit[] = [
  {
    path: 'contract/questions.ts',
    before: 'const shown = { ...common, passage: v.optional(StudentPassage), ...transcript',
    added: ', hint: v.optional(FormattedText)',
  },
  {
    path: 'contract/questions.ts',
    before: 'const stored = { ...common, passage: v.optional(Passage), ...transcript',
    added: ', hint: v.optional(FormattedText)',
  },
  {
    path: 'contract/questions.ts',
    before: "  v.object({ ...shown, kind: v.literal('file'), ...fileRules }),\n",
    added: "  v.object({ ...shown, kind: v.literal('toy'), steps: v.number() }),\n",
  },
  {
    path: 'contract/questions.ts',
    before: "  v.object({ ...stored, kind: v.literal('file'), ...fileRules }),\n",
    added:
      "  v.object({ ...stored, kind: v.literal('toy'), steps: v.number(), right: v.number() }),\n",
  },
  {
    path: 'contract/answers.ts',
    before:
      "import { GapId, Id, IsoTime, NonNegativeInteger, PartId, StreamEpoch } from './primitives.ts';\n",
    added:
      "const ToyAnswer = v.strictObject({ questionId: Id, kind: v.literal('toy'), step: v.nullable(v.number()) });\n",
  },
  {
    path: 'contract/answers.ts',
    before: '  GapsAnswer,\n  FileAnswer,\n',
    added: '  ToyAnswer,\n',
  },
  {
    path: 'contract/answers.ts',
    before: '  fileAnswers: saved(FileAnswer),\n',
    added: '  toyAnswers: v.optional(saved(ToyAnswer), []),\n',
  },
  {
    path: 'contract/answers.ts',
    before: "  file: 'fileAnswers',\n",
    added: "  toy: 'toyAnswers',\n",
  },
  { path: 'contract/answers.ts', before: '  fileAnswers: [],\n', added: '  toyAnswers: [],\n' },
  ...registry('domain/kinds/answer-kinds.ts', 'toyAnswers', 'answers.ts', '  file: fileAnswers,\n'),
  ...registry(
    'domain/kinds/question-kinds.ts',
    'toyQuestions',
    'questions.ts',
    '  file: fileQuestions,\n',
  ),
  ...registry('domain/kinds/form-kinds.ts', 'toyForms', 'forms.ts', '  file: fileForms,\n'),
  ...registry(
    'src/questions/answer-inputs.ts',
    'toyInput',
    'answer-input.tsx',
    '  file: fileInput,\n',
  ),
  ...registry('src/questions/reviews.ts', 'toyReview', 'review.tsx', '  file: fileReview,\n'),
  ...registry(
    'src/questions/kind-authoring.ts',
    'toyAuthoring',
    'authoring.tsx',
    '  file: fileAuthoring,\n',
  ),
  ...registry(
    'src/questions/kind-icons.ts',
    'toyIcons',
    'icons.ts',
    '  ...fileIcons,\n',
    '  ...toyIcons,\n',
  ),
];

/** The text with the edit. Throws where it does not fit, so that it follows the product. */
export function withEdit(text: string, { path, before, added }: Edit): string {
  if (before === '') return `${added}${text}`;
  const parts = text.split(before);
  if (parts.length !== 2)
    throw new Error(`${path}: «${before}» stands there ${parts.length - 1} times`);
  return parts.join(`${before}${added}`);
}
