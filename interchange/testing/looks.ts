import fc from 'fast-check';
import type { Question } from '#contract/questions.ts';
import { entryOf, type KindTable } from '#domain/kinds/kind-table.ts';
import type { QuestionOf } from '#domain/kinds/rules.ts';
import { parseNumber } from '#domain/normalise.ts';
import { comparable } from '#interchange/comparable.ts';
import { lookOf } from '#interchange/html/to-xhtml.ts';
import { ownTitle } from '#interchange/items/titles.ts';
import type { Exported, ExportedTest, Imported, Reader, Writer } from '#interchange/model.ts';
import { exportedTest } from './question-arbitrary.ts';

const BLOCK = { inline: false };
const INLINE = { inline: true };

/**
 * A question by its appearance and grading: texts by their look, titles with information beyond the text, numbers by
 * their value, each answer with its own tolerance, right sides in any order.
 */
function seen(given: Question, pictureName: (key: string) => string): unknown {
  const look = (text: string, shape: { inline: boolean }) =>
    lookOf(text, shape).replaceAll(
      /src="([\w-]+)"/g,
      (_, key: string) => `src="${pictureName(key)}"`,
    );
  const title = ownTitle(given.title ?? '', given.text);
  const { title: _title, ...question } = given;
  const shared = {
    text: look(question.text, BLOCK),
    explanation: look(question.explanation ?? '', BLOCK),
    transcript: look(question.transcript ?? '', BLOCK),
    ...(question.passage && {
      passage: {
        ...question.passage,
        text: look(question.passage.text, BLOCK),
        transcript: look(question.passage.transcript ?? '', BLOCK),
      },
    }),
    ...(title === undefined ? {} : { title }),
  };
  const whole = { ...question, ...shared };
  return comparable(entryOf(SEEN_PARTS, whole)?.(whole, look) ?? whole);
}

type Look = (text: string, shape: { inline: boolean }) => string;

const withLook = <P extends { text: string; feedback?: string | undefined }>(
  part: P,
  look: Look,
) => ({
  ...part,
  text: look(part.text, INLINE),
  feedback: look(part.feedback ?? '', BLOCK),
});

function seenPairs(question: QuestionOf<'compliance'>, look: Look): Question {
  const { left, right, pairs } = question;
  const isUsed = (id: string) => pairs.some(({ rightId }) => rightId === id);
  const order = [
    ...right.filter(({ rightId }) => isUsed(rightId)),
    ...right.filter(({ rightId }) => !isUsed(rightId)),
  ];
  const place = (rightId: string) =>
    left.findIndex(({ leftId }) =>
      pairs.some((pair) => pair.leftId === leftId && pair.rightId === rightId),
    );
  return {
    ...question,
    left: left.map((one) => ({ ...one, text: look(one.text, INLINE) })),
    right: order
      .map((one) => ({ ...one, text: look(one.text, INLINE) }))
      .sort(
        (a, b) =>
          (place(a.rightId) + 1 || 1000) - (place(b.rightId) + 1 || 1000) ||
          a.text.localeCompare(b.text),
      ),
  };
}

function seenGaps(question: QuestionOf<'gaps'>, look: Look): Question {
  const withFeedback = <P extends { feedback?: string | undefined }>(value: P) => ({
    ...value,
    feedback: look(value.feedback ?? '', BLOCK),
  });
  const gaps = question.gaps.map((gap) =>
    gap.input === 'choice'
      ? {
          ...gap,
          options: gap.options
            .map((option) => withFeedback({ ...option, text: oneLine(option.text) }))
            .sort((a, b) => (a.text < b.text ? -1 : 1)),
        }
      : {
          ...gap,
          tolerance: 0,
          accepted: gap.accepted.map((answer) =>
            withFeedback({
              ...answer,
              text: String(parseNumber(answer.text) ?? oneLine(answer.text)),
              tolerance: answer.tolerance ?? gap.tolerance,
            }),
          ),
        },
  );
  return { ...question, gaps };
}

/** The parts of the kinds that formats preserve. */
const SEEN_PARTS: KindTable<Question, [look: Look]> = {
  variant: (question, look) => ({
    ...question,
    options: question.options.map((option) => withLook(option, look)),
  }),
  compliance: seenPairs,
  open: (question, look) => ({
    ...question,
    tolerance: 0,
    accepted: question.accepted.map((answer) => ({
      ...answer,
      text: String(parseNumber(answer.text) ?? oneLine(answer.text)),
      feedback: look(answer.feedback ?? '', BLOCK),
      tolerance: answer.tolerance ?? question.tolerance,
    })),
  }),
  ordering: (question, look) => ({
    ...question,
    items: question.items.map((item) => ({ ...item, text: look(item.text, INLINE) })),
  }),
  gaps: seenGaps,
};

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

let made = 0;
/** Ids for readers. */
export const tools = {
  newId: () => `00000000-0000-4000-8000-${String((made += 1)).padStart(12, '0')}`,
};

export async function outAndBack(
  write: Writer,
  read: Reader,
  test: ExportedTest,
): Promise<{ exported: Exported; imported: Imported }> {
  const exported = await write(test);
  const imported = await read({ name: exported.fileName, bytes: exported.bytes }, tools);
  return { exported, imported };
}

/** Pictures are equal when their bytes are. */
const namer = (pictures: Iterable<readonly [string, { bytes: Uint8Array }]>) => {
  const names = new Map(Array.from(pictures, ([key, { bytes }]) => [key, `${bytes.length}`]));
  return (key: string) => names.get(key) ?? 'missing';
};

/**
 * Exports and imports random tests: every question is the same as before, or the writer reported a loss.
 * @returns the share that came back without any loss
 */
export async function expectSameOrReported(
  write: Writer,
  read: Reader,
  question: fc.Arbitrary<Question>,
  numRuns: number,
): Promise<number> {
  let whole = 0;
  let all = 0;
  await fc.assert(
    fc.asyncProperty(exportedTest(question), async (test) => {
      const { exported, imported } = await outAndBack(write, read, test);
      const before = namer(test.pictures);
      const after = namer(imported.pictures.map((picture) => [picture.key, picture] as const));
      for (const [index, original] of test.questions.entries()) {
        all += 1;
        const withFeedback = exported.losses.some((line) =>
          line.startsWith(`Вопрос ${index + 1}:`),
        );
        const back = imported.items[index]?.question;
        if (withFeedback) continue;
        if (!back)
          throw new Error(
            `Question ${index + 1} did not come: ${JSON.stringify(imported.refused)}`,
          );
        const expected = JSON.stringify(sorted(seen(original, before)), null, 1);
        const actual = JSON.stringify(sorted(seen(back, after)), null, 1);
        if (actual !== expected)
          throw new Error(`Changed without a word, from\n${expected}\nto\n${actual}`);
        whole += 1;
      }
    }),
    { numRuns, endOnFailure: true },
  );
  return whole / all;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, part]) => part !== undefined)
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([key, part]) => [key, sorted(part)]),
  );
}
