import type { AttemptPreview } from '#contract/results.ts';
import type { Question, StudentQuestion } from '#contract/questions.ts';
import { formatNumber, formatPercent, NBSP } from '#domain/format.ts';
import { formatMoment } from '#domain/format-time.ts';

interface When {
  now: number;
  timeZone: string;
}

type Facts = Pick<
  AttemptPreview,
  'state' | 'shows' | 'ownAnswersFrom' | 'pointsFrom' | 'correctAnswersFrom'
>;
type Part = keyof AttemptPreview['shows'];

const PARTS = ['ownAnswers', 'points', 'correctAnswers'] as const;

const OPENS: Readonly<Record<Part, string>> = {
  ownAnswers: 'Ваши ответы откроются',
  points: 'Баллы откроются',
  correctAnswers: 'Верные ответы откроются',
};
const CLOSED: Readonly<Record<Part, string>> = {
  ownAnswers: 'Преподаватель не показывает ваши ответы',
  points: 'Преподаватель не показывает баллы',
  correctAnswers: 'Преподаватель не показывает верные ответы',
};
const PUPIL_OPENS: Readonly<Record<Part, string>> = {
  ownAnswers: 'Свои ответы ученик увидит',
  points: 'Баллы ученик увидит',
  correctAnswers: 'Верные ответы ученик увидит',
};
const PUPIL_CLOSED: Readonly<Record<Part, string>> = {
  ownAnswers: 'Свои ответы ученику не показываются',
  points: 'Баллы ученику не показываются',
  correctAnswers: 'Верные ответы ученику не показываются',
};

const fromOf = (preview: Facts, part: Part): string | null => preview[`${part}From`];

function studentWords(preview: Facts, { now, timeZone }: When): string[] {
  if (preview.state === 1) {
    return [
      'Попытка ещё идёт. Здесь ответы, которые уже на сервере; баллы и верные ответы во время попытки не показываются.',
    ];
  }
  return PARTS.filter((part) => !preview.shows[part]).map((part) => {
    const from = fromOf(preview, part);
    if (from === null) return `${CLOSED[part]}.`;
    return `${OPENS[part]} ${formatMoment(new Date(from), now, timeZone)}.`;
  });
}

function teacherWords(preview: Facts, { now, timeZone }: When): string[] {
  if (preview.state === 1) {
    return ['Попытка ещё идёт. Здесь ответы, которые уже на сервере; баллы появятся после неё.'];
  }
  if (!preview.shows.points) {
    return ['Время вышло, но ответы ещё могут дойти. Баллы появятся, когда попытка закроется.'];
  }
  return PARTS.flatMap((part) => {
    const from = fromOf(preview, part);
    if (from === null) return [`${PUPIL_CLOSED[part]}.`];
    if (Date.parse(from) <= now) return [];
    return [`${PUPIL_OPENS[part]} ${formatMoment(new Date(from), now, timeZone)}.`];
  });
}

/** What of the attempt is not shown, each with the moment from which it is; for a teacher, what the pupil misses. */
export function hiddenWords(preview: Facts, isTeacher: boolean, when: When): string[] {
  if (preview.state === 0) return ['Попытка не начата.'];
  return isTeacher ? teacherWords(preview, when) : studentWords(preview, when);
}

const NUMBER = /^[-−+]?\d+(?:[.,]\d+)?$/;

/** «4,9 (допуск ±0,05)» and other answers that the key takes; empty: a person grades. */
export function acceptedWords(question: Question | StudentQuestion): string[] {
  if (question.kind !== 'open' || !('accepted' in question)) return [];
  const { accepted, tolerance } = question;
  // Wrong answers stand in the key for what is told with them.
  const paid = accepted.filter(({ share }) => share > 0);
  return paid.map(({ text, share, tolerance: own = tolerance }) => {
    const isNear = own > 0 && NUMBER.test(text.trim());
    const words = isNear ? `${text} (допуск ±${formatNumber(own, 6)})` : text;
    return share === 1 ? words : `${words}${NBSP}– ${formatPercent(share)} баллов`;
  });
}

const RULES = {
  best: 'В зачёт идёт лучшая попытка.',
  last: 'В зачёт идёт последняя попытка.',
  average: 'В зачёт идёт среднее по всем попыткам.',
} as const;

/** Which attempt makes the mark, in words. */
export const countedWords = (rule: keyof typeof RULES): string => RULES[rule];
