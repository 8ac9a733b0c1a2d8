import { createHash } from 'node:crypto';
import type { Answer, GapAnswer } from '#contract/answers.ts';
import type { Question } from '#contract/questions.ts';
import type { QuestionOf } from '#domain/kinds/rules.ts';
import type { DemoGap, DemoQuestion, HandIn, DemoTextKey } from './content/demo-question.ts';

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
export function randomOf(seed: string): () => number {
  let state = createHash('sha256').update(seed).digest().readUInt32BE();
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export interface StudentAnswer {
  readonly answer: Answer;
  /** What a teacher's grade of it deserves; null where the key decides. */
  readonly deserved: { readonly share: number; readonly comment: string } | null;
  readonly handIn: HandIn | null;
}

interface ShownToStudent {
  readonly written: DemoQuestion;
  readonly stored: Question;
  /** The id of a handed-in file. */
  readonly fileId: string;
}

function pick<T>(random: () => number, items: readonly T[]): T | undefined {
  return items[Math.floor(random() * items.length)];
}

const byKey = (answer: Answer): StudentAnswer => ({ answer, deserved: null, handIn: null });

/** Hand-graded answers, best first: the better the student, the nearer to the first. */
function pickBySkill<T>(random: () => number, skill: number, items: readonly T[]): T | undefined {
  const place = (1 - skill) * 1.4 * items.length + (random() - 0.5) * 2;
  return items[Math.max(0, Math.min(items.length - 1, Math.floor(place)))];
}

function typedText(written: DemoTextKey, right: boolean, random: () => number): string | undefined {
  if (!right) return pick(random, written.mistakes);
  const text = pick(
    random,
    written.accepted.filter(({ share }) => share === 1),
  )?.text;
  return random() < 0.2 ? text?.replace(',', '.') : text;
}

function chosen(stored: QuestionOf<'variant'>, right: boolean, random: () => number): string[] {
  const ids = (isRight: boolean) =>
    stored.options.filter((option) => option.isRight === isRight).map(({ optionId }) => optionId);
  if (right) return ids(true);
  const wrong = pick(random, ids(false));
  if (!stored.multiple) return wrong === undefined ? [] : [wrong];
  const forgotten = pick(random, ids(true));
  const remaining = ids(true).filter((id) => id !== forgotten);
  return wrong === undefined || random() < 0.4 ? remaining : [...remaining, wrong].toSorted();
}

/** Wrong: one pair gets the right item of another, or one that matches none; where items may repeat, any other. */
function paired(stored: QuestionOf<'compliance'>, right: boolean, random: () => number) {
  const pairs = stored.pairs.map((pair) => ({ ...pair }));
  const [first, second] = pairs.toSorted(() => random() - 0.5);
  if (right || first === undefined || second === undefined) return pairs;
  const used = new Set(stored.reuse ? [first.rightId] : pairs.map(({ rightId }) => rightId));
  const extra = pick(
    random,
    stored.right.filter(({ rightId }) => !used.has(rightId)),
  );
  if (extra !== undefined && (stored.reuse || random() < 0.4)) first.rightId = extra.rightId;
  else [first.rightId, second.rightId] = [second.rightId, first.rightId];
  return pairs;
}

/** Wrong: one item stands elsewhere, or the whole order is turned round. */
function ordered(stored: QuestionOf<'ordering'>, right: boolean, random: () => number) {
  const ids = stored.items.map(({ itemId }) => itemId);
  if (right) return ids;
  if (random() < 0.15) return ids.toReversed();
  const from = Math.floor(random() * ids.length);
  const to = (from + 1 + Math.floor(random() * (ids.length - 1))) % ids.length;
  const moved = ids.splice(from, 1);
  return ids.toSpliced(to, 0, ...moved);
}

/** Each gap for itself: some are left empty. */
function filled(
  written: readonly DemoGap[],
  stored: QuestionOf<'gaps'>,
  skill: number,
  random: () => number,
): GapAnswer[] {
  return stored.gaps.flatMap((gap, place): GapAnswer[] => {
    const right = random() < skill;
    if (!right && random() < 0.2) return [];
    const { gapId } = gap;
    if (gap.input === 'choice') {
      const option = pick(
        random,
        gap.options.filter(({ isRight }) => isRight === right),
      );
      return option === undefined ? [] : [{ gapId, optionId: option.optionId }];
    }
    const field = written[place];
    if (field === undefined || field.input === 'choice') return [];
    const text = typedText(field, right, random);
    return text === undefined ? [] : [{ gapId, text }];
  });
}

type DemoKind = DemoQuestion['kind'];

interface Answering<K extends DemoKind> {
  readonly written: DemoQuestion & { kind: K };
  readonly stored: QuestionOf<K>;
  readonly fileId: string;
  /** From 0 to 1. */
  readonly skill: number;
  /** Whether this student knows the answer. */
  readonly right: boolean;
  readonly random: () => number;
}

const ANSWERS: { readonly [K in DemoKind]: (given: Answering<K>) => StudentAnswer | null } = {
  open({ written, stored: { questionId }, skill, right, random }) {
    if (written.accepted.length > 0) {
      const text = typedText(written, right, random);
      return text === undefined ? null : byKey({ questionId, kind: 'open', text });
    }
    const sample = pickBySkill(random, skill, written.samples);
    if (sample === undefined) return null;
    const { text } = sample;
    return { answer: { questionId, kind: 'open', text }, deserved: sample, handIn: null };
  },
  variant({ stored, right, random }) {
    const { questionId } = stored;
    return byKey({ questionId, kind: 'variant', optionIds: chosen(stored, right, random) });
  },
  compliance({ stored, right, random }) {
    const { questionId } = stored;
    return byKey({ questionId, kind: 'compliance', pairs: paired(stored, right, random) });
  },
  ordering({ stored, right, random }) {
    const { questionId } = stored;
    return byKey({ questionId, kind: 'ordering', itemIds: ordered(stored, right, random) });
  },
  gaps({ written, stored, skill, random }) {
    const gaps = filled(written.gaps, stored, skill, random);
    if (gaps.length === 0) return null;
    return byKey({ questionId: stored.questionId, kind: 'gaps', gaps });
  },
  file({ written, stored: { questionId }, fileId, skill, random }) {
    const handIn = pickBySkill(random, skill, written.handIns);
    if (handIn === undefined) return null;
    const { name, size, sha256 } = handIn;
    return {
      answer: { questionId, kind: 'file', fileId, name, size, mimeType: 'image/png', sha256 },
      deserved: handIn,
      handIn,
    };
  },
};
const answerOfKind = <K extends DemoKind>({
  kind,
}: {
  readonly kind: K;
}): ((given: Answering<K>) => StudentAnswer | null) => ANSWERS[kind];

/**
 * The answer of a student of this skill (0 to 1); null: none. `random` decides, so the same seed gives the same
 * answer. Both forms of the question must be of the same kind.
 */
export function answerOf(
  { written, stored, fileId }: ShownToStudent,
  skill: number,
  random: () => number,
): StudentAnswer | null {
  const right = random() < skill;
  const own = stored as QuestionOf<DemoKind>;
  return answerOfKind(written)({ written, stored: own, fileId, skill, right, random });
}
