import { createHash } from 'node:crypto';
import type { Question } from '#contract/questions.ts';
import type { OwnFields } from '#domain/kinds/rules.ts';
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

type WriteText = (text: string) => string;

/** Ids follow the mixed order, so that they do not reveal the key. */
const optionsFrom = (texts: readonly string[], right: readonly string[], written: WriteText) =>
  texts.map((text, place) => ({
    optionId: LETTERS.charAt(place),
    text: written(text),
    isRight: right.includes(text),
  }));

type DemoOf<K extends DemoQuestion['kind']> = DemoQuestion & { kind: K };

function variantOf(question: DemoOf<'variant'>, seed: string, written: WriteText) {
  const texts = question.order ?? mixIn(seed, question.right, question.distractors);
  return {
    kind: 'variant' as const,
    multiple: question.multiple,
    shuffle: question.shuffle,
    scoring: question.scoring,
    options: optionsFrom(texts, question.right, written).map((option, place) => ({
      ...option,
      ...areaOf(question, texts[place] ?? ''),
    })),
  };
}

function complianceOf(question: DemoOf<'compliance'>, seed: string, written: WriteText) {
  const paired = question.pairs.map(([, text]) => text);
  const rights = mixed(seed, [...new Set([...paired, ...question.extraRight])]);
  return {
    kind: 'compliance' as const,
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

function orderingOf(question: DemoOf<'ordering'>, seed: string, written: WriteText) {
  const texts = mixed(seed, question.items);
  return {
    kind: 'ordering' as const,
    items: question.items.map((text) => ({
      itemId: LETTERS.charAt(texts.indexOf(text)),
      text: written(text),
    })),
  };
}

const gapsOf = (question: DemoOf<'gaps'>, seed: string, written: WriteText) => ({
  kind: 'gaps' as const,
  gaps: question.gaps.map((gap, place) => {
    const gapId = String(place + 1);
    const base = { gapId, weight: 1 };
    if (gap.input === 'choice') {
      const texts = mixIn(`${seed}/${gapId}`, gap.right, gap.distractors);
      const options = optionsFrom(texts, gap.right, written);
      return { ...base, input: 'choice' as const, options };
    }
    const { input, tolerance } = gap;
    return { ...base, input, accepted: gap.accepted.map((one) => ({ ...one })), tolerance };
  }),
});

type DemoKind = DemoQuestion['kind'];
type WriteOwn<K extends DemoKind> = (
  question: DemoOf<K>,
  seed: string,
  written: WriteText,
) => OwnFields<K>;

const OWN_FIELDS: { readonly [K in DemoKind]: WriteOwn<K> } = {
  open: ({ input, accepted, tolerance }) => ({
    kind: 'open',
    input,
    accepted: accepted.map((one) => ({ ...one })),
    tolerance,
  }),
  variant: variantOf,
  compliance: complianceOf,
  ordering: orderingOf,
  gaps: gapsOf,
  file: ({ maxBytes, accept }) => ({ kind: 'file', maxBytes, accept: [...accept] }),
};
const ownFieldsOf = <K extends DemoKind>({ kind }: { readonly kind: K }): WriteOwn<K> =>
  OWN_FIELDS[kind];

/** The stored form with keys: ids are derived from the scope and the position in the test. */
export function questionsOf(
  test: DemoTest,
  { scope = test.key, pictureKey }: IdOptions = {},
): Question[] {
  const written = (text: string) =>
    typography(text).replace(/\]\(file:([\w-]+)\)/g, (found, key: string) =>
      pictureKey === undefined ? found : `](file:${pictureKey(key)})`,
    );
  const passageOf = (passage: string) => ({
    passageId: stableId(`${scope}/passage/${passage}`),
    text: written(passage),
  });
  const stored = test.questions.map((question, index): Question => ({
    questionId: stableId(`${scope}/${index}`),
    text: written(question.text),
    points: question.points,
    ...(question.explanation === undefined ? {} : { explanation: written(question.explanation) }),
    ...(question.passage === undefined ? {} : { passage: passageOf(question.passage) }),
    ...ownFieldsOf(question)(question, `${test.key}/${index}`, written),
  }));
  return stored.map(storedForm);
}
