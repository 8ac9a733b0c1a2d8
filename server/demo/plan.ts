import type { Answer } from '#contract/answers.ts';
import { demoTest } from './content/all.ts';
import { stableId } from '#server/ids.ts';
import { questionsOf } from './content/stored.ts';
import { classmate, demoStudents } from './people.ts';
import { moscow, plannedTests, type PlannedTest } from './plan-tests.ts';
import { answerOf, randomOf } from './student.ts';

export interface PlannedAttempt {
  /** Key of the planned test. */
  readonly testKey: string;
  readonly studentEmail: string;
  /** 1, 2 … */
  readonly number: number;
  readonly startedAt: Date;
  /** In the order of writing; a later answer to the same question replaces the earlier one. */
  readonly answers: readonly { readonly answer: Answer; readonly at: Date }[];
  /** Files that answers refer to, from `server/demo/pictures`. */
  readonly files: readonly {
    readonly fileId: string;
    readonly questionIndex: number;
    readonly file: string;
    readonly at: Date;
  }[];
  /** When the student finished; null: runs, or was closed by the server. */
  readonly finishedAt: Date | null;
  /** When the server closed an unfinished attempt; null: runs, or was finished. */
  readonly closedAt: Date | null;
  /** Grades where the key cannot decide; missing ones await the teacher. */
  readonly grades: readonly {
    readonly questionIndex: number;
    readonly points: number;
    readonly comment: string;
    readonly at: Date;
  }[];
}

export interface DemoPlan {
  readonly tests: readonly PlannedTest[];
  readonly attempts: readonly PlannedAttempt[];
}

/** `HH:mm:ss` in milliseconds. */
export function durationMs(duration: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = duration.split(':').map(Number);
  return ((hours * 60 + minutes) * 60 + seconds) * 1000;
}

/** The end of the attempt: start + pass time + personal extra time, capped by the test's end. */
export function plannedDeadline(
  test: PlannedTest,
  { studentEmail, startedAt }: PlannedAttempt,
): Date {
  const extra = test.personalTerms.find(({ email }) => email === studentEmail)?.extraSeconds ?? 0;
  const own = startedAt.getTime() + durationMs(test.passTime) + extra * 1000;
  return new Date(Math.min(own, test.endTime.getTime()));
}

type Ending = 'graded' | 'ungraded' | 'running' | 'closed';

interface Lesson {
  readonly email: string;
  readonly number?: number;
  readonly startedAt: Date;
  readonly ending: Ending;
}

const LESSON_MS = 45 * 60_000;

/** From 0.45 to 0.95, constant for one person; a second attempt goes better. */
function skillOf(email: string, number: number): number {
  const own = email === 'student@demo.ru' ? 0.78 : 0.45 + randomOf(email)() * 0.45;
  return Math.min(0.97, own + (number - 1) * 0.15);
}

function attemptOf(
  test: PlannedTest,
  { email, number = 1, startedAt, ending }: Lesson,
  now: Date,
): PlannedAttempt {
  const seed = `${test.key}/${email}/${number}`;
  const random = randomOf(seed);
  const content = demoTest(test.content);
  const questions = questionsOf(content, { scope: test.key });
  const skill = skillOf(email, number);
  const pace = Math.min(LESSON_MS, durationMs(test.passTime)) * (0.5 + random() * 0.4);
  const step = pace / (content.questions.length + 1);

  const answers: { answer: Answer; at: Date }[] = [];
  const files: PlannedAttempt['files'][number][] = [];
  const grades: PlannedAttempt['grades'][number][] = [];
  const gradedAt = new Date(startedAt.getTime() + 8 * 3_600_000 + random() * 3_600_000);

  content.questions.forEach((written, questionIndex) => {
    const stored = questions[questionIndex];
    const at = new Date(
      Math.round(startedAt.getTime() + step * (questionIndex + 0.4 + random() * 0.6)),
    );
    const leftOpen = ending === 'closed' && questionIndex >= content.questions.length * 0.7;
    const skipped = random() < (1 - skill) * 0.2;
    if (stored === undefined || skipped || leftOpen || at >= now) return;
    const shownQuestionOf = { written, stored, fileId: stableId(`${seed}/${questionIndex}`) };
    const changedHisMind = random() < 0.12 && written.kind === 'variant';
    const first = changedHisMind ? answerOf(shownQuestionOf, 0, random) : null;
    if (first !== null)
      answers.push({ answer: first.answer, at: new Date(at.getTime() - Math.round(step * 0.3)) });
    const studentAnswer = answerOf(shownQuestionOf, skill, random);
    if (studentAnswer === null) return;
    answers.push({ answer: studentAnswer.answer, at });
    if (studentAnswer.handIn !== null) {
      files.push({
        fileId: shownQuestionOf.fileId,
        questionIndex,
        file: studentAnswer.handIn.file,
        at,
      });
    }
    if (studentAnswer.deserved !== null && (ending === 'graded' || ending === 'closed')) {
      const points = Math.round(written.points * studentAnswer.deserved.share * 2) / 2;
      grades.push({ questionIndex, points, comment: studentAnswer.deserved.comment, at: gradedAt });
    }
  });

  const attempt: PlannedAttempt = {
    testKey: test.key,
    studentEmail: email,
    number,
    startedAt,
    answers,
    files,
    finishedAt:
      ending === 'graded' || ending === 'ungraded'
        ? new Date(Math.round(startedAt.getTime() + pace))
        : null,
    closedAt: null,
    grades,
  };
  if (ending !== 'closed') return attempt;
  const window = Math.max(test.lateWindowSeconds, 60) * 1000;
  return { ...attempt, closedAt: new Date(plannedDeadline(test, attempt).getTime() + window) };
}

const STUDENT = 'student@demo.ru';
const everybody = demoStudents.map(({ email }) => email);
const these = (...numbers: number[]) => numbers.map(classmate);

/** A lesson in which these people passed the test: they start within two minutes after the bell. */
function lesson(
  emails: readonly string[],
  bell: Date,
  ending: (email: string) => Ending,
  number = 1,
): Lesson[] {
  return emails.map((email) => ({
    email,
    number,
    startedAt: new Date(bell.getTime() + Math.round(randomOf(`bell/${email}`)() * 120_000)),
    ending: ending(email),
  }));
}

/** Who passed which test, when, and how it ended. The assigned physics, math and russian stay untouched. */
function sittings(now: Date): Readonly<Record<string, Lesson[]>> {
  const writingNow = these(21, 24, 28);
  const neverFinished = these(12);
  const absent = these(30);
  const away = new Set([...writingNow, ...neverFinished, ...absent]);
  const waiting = new Set(these(3, 9, 15, 18, 26));
  const historyGraded = new Set(these(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12));
  const historyAbsent = new Set(these(25, 26, 27, 28, 29, 30));
  const chemistryAbsent = new Set([STUDENT, ...these(17, 29)]);
  return {
    informatics: [
      ...lesson(
        everybody.filter((email) => !away.has(email)),
        moscow(now, -3, 10, 15),
        (email) => (waiting.has(email) ? 'ungraded' : 'graded'),
      ),
      ...lesson(neverFinished, moscow(now, -3, 10, 15), () => 'closed'),
      ...lesson([STUDENT, ...these(2, 11)], moscow(now, -2, 14, 30), () => 'graded', 2),
      ...writingNow.map((email, index): Lesson => ({
        email,
        startedAt: new Date(now.getTime() - (10 + index * 2) * 60_000),
        ending: 'running',
      })),
    ],
    history: lesson(
      everybody.filter((email) => !historyAbsent.has(email)),
      moscow(now, -1, 9),
      (email) => (historyGraded.has(email) ? 'graded' : 'ungraded'),
    ),
    chemistry: lesson(
      everybody.filter((email) => !chemistryAbsent.has(email)),
      moscow(now, -8, 11, 10),
      (email) => (email === classmate(7) ? 'closed' : 'graded'),
    ),
    'physics-archive': lesson(
      these(1, 2, 4, 6, 8, 9, 10, 13, 14, 16, 19, 20, 22, 25, 27),
      moscow(now, -35, 8, 30),
      () => 'graded',
    ),
    'physics-training': lesson([STUDENT, ...these(3, 8, 17)], moscow(now, -5, 16), () => 'graded'),
    'history-training': lesson([STUDENT], moscow(now, -1, 13), () => 'ungraded'),
    'russian-training': lesson(
      these(2, 4, 5, 9, 11, 13, 16, 18, 21, 23, 26, 29),
      moscow(now, -10, 15),
      () => 'graded',
    ),
    'math-training': lesson(
      these(1, 3, 6, 7, 10, 12, 15, 19, 22, 24, 27, 30),
      moscow(now, -7, 15, 30),
      () => 'graded',
    ),
    'biology-archive': lesson([STUDENT], moscow(now, -30, 18), () => 'closed'),
    english: [
      ...lesson(these(1, 5, 6, 10, 14, 19, 23), moscow(now, -6, 17), () => 'graded'),
      ...lesson(these(5, 14, 23), moscow(now, -4, 18, 20), () => 'graded', 2),
      ...lesson(these(13, 20), moscow(now, -1, 12), () => 'ungraded'),
      { email: STUDENT, startedAt: new Date(now.getTime() - 18 * 60_000), ending: 'running' },
    ],
  };
}

/**
 * The demo's tests and attempts at a start at `now`: all dates depend on `now`, all answers are the same every
 * time.
 */
export function demoPlan(now: Date): DemoPlan {
  const tests = plannedTests(now);
  const sat = sittings(now);
  return {
    tests,
    attempts: tests.flatMap((test) =>
      (sat[test.key] ?? []).map((sitting) => attemptOf(test, sitting, now)),
    ),
  };
}
