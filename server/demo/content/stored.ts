import { createHash } from 'node:crypto';
import type { Question } from '#contract/questions.ts';
import { storedForm } from '#server/authoring/stored-form.ts';
import { stableId } from '#server/ids.ts';
import type { DemoQuestion } from './demo-question.ts';
import type { DemoTest } from './demo-test.ts';
import { typography } from './typography.ts';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The order of distractors is unchanged; the seed decides the position of each right option. */
function mixIn(seed: string, right: readonly string[], distractors: readonly string[]): string[] {
  const mixed = [...distractors];
  right.forEach((text, index) => {
    mixed.splice(digest(`${seed}/${index}`).readUInt32BE() % (mixed.length + 1), 0, text);
  });
  return mixed;
}

/** Sorts by a hash, so that the order reveals nothing of the pairs. */
function mixed(seed: string, texts: readonly string[]): string[] {
  const key = (text: string) => digest(`${seed}/${text}`).toString('hex');
  return texts.toSorted((one, other) => (key(one) < key(other) ? -1 : 1));
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

const areaOf = ({ areas }: DemoQuestion & { kind: 'variant' }, text: string) => {
  const area = areas?.[text];
  return area === undefined ? {} : { area: { ...area } };
};

interface IdOptions {
  /** Distinguishes questions of one content used in several tests; the content's key if absent. */
  readonly scope?: string;
  /** The stored key of a picture by its key in the content. */
  readonly pictureKey?: (key: string) => string;
}

/** The stored form with keys: ids are derived from the scope and the position in the test. */
export function questionsOf(
  test: DemoTest,
  { scope = test.key, pictureKey }: IdOptions = {},
): Question[] {
  const written = (text: string) =>
    typography(text).replace(/\]\(file:([\w-]+)\)/g, (found, key: string) =>
      pictureKey === undefined ? found : `](file:${pictureKey(key)})`,
    );
  const stored = test.questions.map((question, index): Question => {
    const seed = `${test.key}/${index}`;
    const base = {
      questionId: stableId(`${scope}/${index}`),
      text: written(question.text),
      points: question.points,
      ...(question.explanation === undefined ? {} : { explanation: written(question.explanation) }),
      ...(question.passage === undefined
        ? {}
        : {
            passage: {
              passageId: stableId(`${scope}/passage/${question.passage}`),
              text: written(question.passage),
            },
          }),
    };
    /** Ids follow the mixed order, so that they do not reveal the key. */
    const options = (texts: readonly string[], right: readonly string[]) =>
      texts.map((text, place) => ({
        optionId: LETTERS.charAt(place),
        text: written(text),
        isRight: right.includes(text),
      }));
    switch (question.kind) {
      case 'open':
        return {
          ...base,
          kind: 'open',
          input: question.input,
          accepted: question.accepted.map((one) => ({ ...one })),
          tolerance: question.tolerance,
        };
      case 'variant': {
        const texts = question.order ?? mixIn(seed, question.right, question.distractors);
        return {
          ...base,
          kind: 'variant',
          multiple: question.multiple,
          shuffle: question.shuffle,
          scoring: question.scoring,
          options: options(texts, question.right).map((option, place) => ({
            ...option,
            ...areaOf(question, texts[place] ?? ''),
          })),
        };
      }
      case 'compliance': {
        const paired = question.pairs.map(([, text]) => text);
        const rights = mixed(seed, [...new Set([...paired, ...question.extraRight])]);
        return {
          ...base,
          kind: 'compliance',
          shuffle: true,
          ...(new Set(paired).size < paired.length ? { reuse: true } : {}),
          left: question.pairs.map(([text], place) => ({
            leftId: `l${place + 1}`,
            text: written(text),
          })),
          right: rights.map((text, place) => ({ rightId: `r${place + 1}`, text: written(text) })),
          pairs: question.pairs.map(([, text], place) => ({
            leftId: `l${place + 1}`,
            rightId: `r${rights.indexOf(text) + 1}`,
          })),
        };
      }
      case 'ordering': {
        const texts = mixed(seed, question.items);
        return {
          ...base,
          kind: 'ordering',
          items: question.items.map((text) => ({
            itemId: LETTERS.charAt(texts.indexOf(text)),
            text: written(text),
          })),
        };
      }
      case 'gaps':
        return {
          ...base,
          kind: 'gaps',
          gaps: question.gaps.map((gap, place) => {
            const gapId = String(place + 1);
            if (gap.input === 'choice') {
              const texts = mixIn(`${seed}/${gapId}`, gap.right, gap.distractors);
              return { gapId, weight: 1, input: 'choice', options: options(texts, gap.right) };
            }
            const { input, tolerance } = gap;
            const accepted = gap.accepted.map((one) => ({ ...one }));
            return { gapId, weight: 1, input, accepted, tolerance };
          }),
        };
      case 'file':
        return { ...base, kind: 'file', maxBytes: question.maxBytes, accept: [...question.accept] };
    }
  });
  return stored.map(storedForm);
}
