import type { Answer } from '#contract/answers.ts';
import { formatAnswer } from '#domain/format-answer.ts';
import { countedPoints } from '#domain/scoring.ts';
import type { Parts } from '#domain/visibility.ts';
import { one, rows } from '#server/db/query.ts';
import { Refusal } from '#server/http/refusal.ts';
import { ATTEMPT_COLUMNS, type Attempt } from '#server/passing/attempt.ts';
import { loadContent } from '#server/passing/content.ts';
import { computeMarks } from '#server/passing/counting.ts';
import { type HandedInFile, readHandedIn } from '#server/passing/handed-in.ts';
import { createUploadStore } from '#server/passing/upload-store.ts';
import { readAttempt } from '#server/results/reading.ts';
import { entryName, json, createTimeFormat, type ExportRequest } from './personal-data.ts';
import type { ArchivedFile } from './zip.ts';

type VisibleParts = Pick<Parts<boolean>, 'ownAnswers' | 'points'>;

/** What of an attempt is exported now. */
async function shownOf(wanted: ExportRequest, attempt: Attempt): Promise<VisibleParts> {
  const { deps, caller, now, userId } = wanted;
  const isOwn = caller.userId === userId;
  if (attempt.deletedAt) return { ownAnswers: !isOwn, points: false };
  try {
    return (await readAttempt(deps, caller, attempt.id, now)).shows;
  } catch (error) {
    if (error instanceof Refusal) return { ownAnswers: false, points: false };
    throw error;
  }
}

interface OperationRow {
  readonly ordinal: number;
  readonly kind: 'answer' | 'finish';
  readonly questionId: string | null;
  readonly body: Answer | null;
  readonly outcome: string;
  readonly writtenAt: Date | null;
  readonly receivedAt: Date;
  readonly isLate: boolean;
  readonly decision: 'accepted' | 'refused' | null;
}

const OUTCOMES: Readonly<Record<string, string>> = {
  stored: 'сохранён',
  superseded: 'заменён более новым',
  held: 'отложен до решения преподавателя',
  refused: 'не принят',
};
const DECISIONS = { accepted: 'принят преподавателем', refused: 'отклонён преподавателем' };
const BEGIN_DECISIONS: Readonly<Record<string, string>> = {
  waits: 'ждёт преподавателя',
  accept: 'принято преподавателем',
  refuse: 'отклонено преподавателем',
};
const ENDS = { finished: 'завершена учеником', closed: 'закрыта по времени' };

const HIDDEN = 'Преподаватель пока не открыл';

/** Journal rows read at once. */
const ROWS_AT_ONCE = 100;
/** Characters of answers after which a journal continues in another file. */
const PART_CHARACTERS = 4_000_000;

/** Every operation of an attempt, in order of receipt, in parts that fit into memory. */
async function* journal(wanted: ExportRequest, attempt: Attempt, shows: VisibleParts) {
  const at = createTimeFormat(wanted);
  const content = await loadContent(wanted.deps.pool, attempt.contentId);
  const numbers = new Map(content.questions.map((each, index) => [each.questionId, index + 1]));
  const entryOf = (operation: OperationRow) => ({
    что: operation.kind === 'answer' ? 'ответ' : 'завершение',
    ...(operation.questionId !== null && { вопрос: numbers.get(operation.questionId) ?? null }),
    // A finish has a body, too.
    ...(operation.kind === 'answer' &&
      operation.body !== null && {
        ответ: shows.ownAnswers
          ? formatAnswer(operation.body, content.byId.get(operation.questionId ?? ''))
          : HIDDEN,
      }),
    записан: at(operation.writtenAt),
    получен: at(operation.receivedAt),
    'после срока': operation.isLate,
    итог: operation.decision ? DECISIONS[operation.decision] : (OUTCOMES[operation.outcome] ?? ''),
  });
  let part: ReturnType<typeof entryOf>[] = [];
  let characters = 0;
  for (let last = 0, isMore = true; isMore;) {
    const found = await rows<OperationRow>(
      wanted.deps.pool,
      `select ordinal, kind, question_id as "questionId", body, outcome, written_at as "writtenAt",
         received_at as "receivedAt", received_late as "isLate", decision
       from operations where attempt_id = $1 and ordinal > $2 order by ordinal
       limit ${ROWS_AT_ONCE}`,
      [attempt.id, last],
    );
    for (const operation of found) {
      const entry = entryOf(operation);
      part.push(entry);
      characters += entry.ответ?.length ?? 0;
    }
    last = found.at(-1)?.ordinal ?? last;
    isMore = found.length === ROWS_AT_ONCE;
    if (isMore && characters < PART_CHARACTERS) continue;
    yield part;
    part = [];
    characters = 0;
  }
}

/** Questions with the answers that count; without the key or anything that reveals it. */
async function items(wanted: ExportRequest, attempt: Attempt, shows: VisibleParts) {
  const { questions } = await loadContent(wanted.deps.pool, attempt.contentId);
  const marks = await computeMarks(wanted.deps.pool, attempt);
  return questions.map((question, index) => {
    const item = marks.withLate.items.get(question.questionId);
    const answer = marks.answers.get(question.questionId) ?? null;
    return {
      номер: index + 1,
      вопрос: question.text,
      ответ: shows.ownAnswers ? formatAnswer(answer, question) : HIDDEN,
      баллы: shows.points ? (item?.kind === 'graded' ? item.points : null) : HIDDEN,
      'баллов всего': countedPoints(question),
      комментарий: shows.points ? marks.comments.get(question.questionId) || null : HIDDEN,
    };
  });
}

/** Begins without a network, with what the devices reported; empty: it began with one. */
async function begins(wanted: ExportRequest, attempt: Attempt) {
  const at = createTimeFormat(wanted);
  const found = await rows<Record<'begunAt' | 'receivedAt', Date> & { decision: string | null }>(
    wanted.deps.pool,
    `select begun_at as "begunAt", received_at as "receivedAt",
       case when hold is not null then coalesce(decision, 'waits') end as decision
     from begins where attempt_id = $1 order by received_at, stream`,
    [attempt.id],
  );
  return found.map(({ begunAt, receivedAt, decision }) => ({
    начато: at(begunAt),
    'дошло до сервера': at(receivedAt),
    ...(decision !== null && { решение: BEGIN_DECISIONS[decision] }),
  }));
}

/** The attempt with its journal; a long journal continues in files of its own. */
async function* attemptFiles(
  wanted: ExportRequest,
  {
    attempt,
    path,
    testName,
    shows,
  }: { attempt: Attempt; path: string; testName: string; shows: VisibleParts },
): AsyncGenerator<ArchivedFile> {
  const at = createTimeFormat(wanted);
  const begun = await begins(wanted, attempt);
  const receipt = await one<{ text: string }>(
    wanted.deps.pool,
    'select text from receipts where attempt_id = $1',
    [attempt.id],
  );
  let parts = 0;
  for await (const part of journal(wanted, attempt, shows)) {
    parts += 1;
    if (parts > 1) {
      yield json(`${path}/журнал ответов, часть ${parts}`, part);
      continue;
    }
    yield json(`${path}/попытка`, {
      тест: testName,
      попытка: attempt.number,
      ...(attempt.trial && { пробная: true }),
      начата: at(attempt.startedAt),
      ...(begun.length > 0 && { 'начало без сети': begun }),
      срок: at(attempt.deadline),
      окончена: at(attempt.endedAt),
      как: attempt.ended && ENDS[attempt.ended],
      ...(receipt && { квитанция: receipt.text.split('\n') }),
      'удалена преподавателем': at(attempt.deletedAt),
      вопросы: attempt.isHeld ? BEGIN_DECISIONS['waits'] : await items(wanted, attempt, shows),
      'журнал ответов': part,
    });
  }
}

async function* handedIn(
  { deps }: ExportRequest,
  { attempt, path }: { attempt: Attempt; path: string },
): AsyncGenerator<ArchivedFile> {
  const found = await rows<HandedInFile & { name: string }>(
    deps.pool,
    `select id, sha256, name from uploads where attempt_id = $1 and completed_at is not null
     order by created_at, id`,
    [attempt.id],
  );
  const store = createUploadStore(deps.dataDir);
  for (const [index, upload] of found.entries()) {
    const bytes = await readHandedIn(deps, store, upload);
    if (bytes) yield { path: `${path}/файлы/${entryName(index, upload.name)}`, bytes };
  }
}

/** The person's attempts, each with its journal and the handed-in files. */
export async function* attempts(wanted: ExportRequest): AsyncGenerator<ArchivedFile> {
  const { deps, userId } = wanted;
  const found = await rows<Attempt & { testName: string }>(
    deps.pool,
    `select x.*, t.name as "testName" from (
       select ${ATTEMPT_COLUMNS} from attempts where user_id = $1) x
       join tests t on t.id = x."testId"
     order by x."startedAt", x.id`,
    [userId],
  );
  for (const [index, { testName, ...attempt }] of found.entries()) {
    const path = `попытки/${entryName(index, testName)}`;
    const shows = await shownOf(wanted, attempt);
    yield* attemptFiles(wanted, { attempt, path, testName, shows });
    if (shows.ownAnswers) yield* handedIn(wanted, { attempt, path });
  }
}
