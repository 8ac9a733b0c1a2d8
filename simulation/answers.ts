import type { Answer } from '#contract/answers.ts';
import type { Question } from '#contract/questions.ts';
import type { Random } from './random.ts';

type Kind<K extends Question['kind']> = Extract<Question, { kind: K }>;

const JPEG_HEAD = [
  0xff, 0xd8, 0xff, 0xe0, 0x00, 0x10, 0x4a, 0x46, 0x49, 0x46, 0x00, 0x01, 0x01, 0x00,
];
const NOISE_BYTES = 1_024;

/** A picture of 1 KB to 300 KB, mostly small; larger ones are sent in several chunks. */
export function somePicture(random: Random): Uint8Array<ArrayBuffer> {
  const size = random.chance(0.3)
    ? random.between(140_000, 300_000)
    : random.between(1_000, 20_000);
  return somePhoto(random, size);
}

export function somePhoto(random: Random, size: number): Uint8Array<ArrayBuffer> {
  const noise = random.bytes(NOISE_BYTES);
  const bytes = new Uint8Array(size);
  for (let at = 0; at < size; at += NOISE_BYTES) bytes.set(noise.subarray(0, size - at), at);
  bytes.set(JPEG_HEAD);
  return bytes;
}

function someText(question: Kind<'open'>, random: Random): string {
  if (random.chance(0.05)) return '';
  if (question.input === 'text') return `Опыт № ${random.int(1_000_000)}`;
  return random.chance(0.4) ? random.pick(['4,9', '4.9', '4,93']) : `${random.int(1_000_000)}`;
}

function someOptions(question: Kind<'variant'>, random: Random): string[] {
  const ids = question.options.map(({ optionId }) => optionId);
  return question.multiple ? ids.filter(() => random.chance(0.5)) : [random.pick(ids)];
}

/** An answer that fits the question; null for questions that take a file, and for kinds that are not answered here. */
export function someAnswer(
  question: Pick<Question, 'questionId'> & Question,
  random: Random,
): Answer | null {
  const { questionId } = question;
  switch (question.kind) {
    case 'open':
      return { questionId, kind: 'open', text: someText(question, random) };
    case 'variant':
      return { questionId, kind: 'variant', optionIds: someOptions(question, random) };
    case 'compliance': {
      const rights = question.right.map(({ rightId }) => rightId);
      const pairs = question.left.map(({ leftId }) => ({ leftId, rightId: random.pick(rights) }));
      return { questionId, kind: 'compliance', pairs };
    }
    case 'ordering': {
      const rest = question.items.map(({ itemId }) => itemId);
      const itemIds: string[] = [];
      while (rest.length > 0) itemIds.push(...rest.splice(random.int(rest.length), 1));
      return { questionId, kind: 'ordering', itemIds };
    }
    case 'gaps': {
      const gaps = question.gaps.map((gap) =>
        gap.input === 'choice'
          ? { gapId: gap.gapId, optionId: random.pick(gap.options).optionId }
          : { gapId: gap.gapId, text: String(random.int(100)) },
      );
      return { questionId, kind: 'gaps', gaps };
    }
    default:
      return null;
  }
}
