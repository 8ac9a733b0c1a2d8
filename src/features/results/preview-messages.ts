import type { AttemptPreview } from '#contract/results.ts';
import { formatMoment, type Zone } from '#domain/format-time.ts';

interface When {
  now: number;
  timeZone: Zone;
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
const STUDENT_OPENS: Readonly<Record<Part, string>> = {
  ownAnswers: 'Свои ответы ученик увидит',
  points: 'Баллы ученик увидит',
  correctAnswers: 'Верные ответы ученик увидит',
};
const STUDENT_CLOSED: Readonly<Record<Part, string>> = {
  ownAnswers: 'Свои ответы ученику не показываются',
  points: 'Баллы ученику не показываются',
  correctAnswers: 'Верные ответы ученику не показываются',
};

const fromOf = (preview: Facts, part: Part): string | null => preview[`${part}From`];

function studentMessages(preview: Facts, { now, timeZone }: When): string[] {
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

function teacherMessages(preview: Facts, { now, timeZone }: When): string[] {
  if (preview.state === 1) {
    return ['Попытка ещё идёт. Здесь ответы, которые уже на сервере; баллы появятся после неё.'];
  }
  if (!preview.shows.points) {
    return ['Время вышло, но ответы ещё могут дойти. Баллы появятся, когда попытка закроется.'];
  }
  return PARTS.flatMap((part) => {
    const from = fromOf(preview, part);
    if (from === null) return [`${STUDENT_CLOSED[part]}.`];
    if (Date.parse(from) <= now) return [];
    return [`${STUDENT_OPENS[part]} ${formatMoment(new Date(from), now, timeZone)}.`];
  });
}

/** The hidden parts of an attempt, each with the moment it becomes visible; for a teacher, the parts hidden from the student. */
export function hiddenMessages(preview: Facts, isTeacher: boolean, when: When): string[] {
  if (preview.state === 0) return ['Попытка не начата.'];
  return isTeacher ? teacherMessages(preview, when) : studentMessages(preview, when);
}

const RULES = {
  best: 'В зачёт идёт лучшая попытка.',
  last: 'В зачёт идёт последняя попытка.',
  average: 'В зачёт идёт среднее по всем попыткам.',
} as const;

/** Message: which attempt makes the mark. */
export const countedLabel = (rule: keyof typeof RULES): string => RULES[rule];
