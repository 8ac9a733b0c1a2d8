import { actOn, recordAct } from '#server/admin/audit.ts';
import { spendOwnAct } from '#server/auth/act-limits.ts';
import { transaction } from '#server/db/query.ts';
import type { Attachment } from '#server/http/attachment.ts';
import { createSemaphore } from '#server/http/semaphore.ts';
import { attempts } from './personal-attempts.ts';
import { projects, teaching } from './personal-belongings.ts';
import {
  accountFile,
  acts,
  classes,
  deviceReports,
  exportedAccount,
  secondFactor,
  signIns,
  createTimeFormat,
  type ExportRequest,
} from './personal-data.ts';
import { zipOf, type ArchivedFile } from './zip.ts';

const readme = (wanted: ExportRequest): ArchivedFile => ({
  path: 'README.txt',
  // With a BOM, by which old editors detect UTF-8.
  bytes: `\uFEFFДанные, которые хранятся об этом человеке
Собраны: ${createTimeFormat(wanted)(wanted.now)} (часовой пояс ${wanted.deps.settings.schoolTimezone})

учётная запись.json — имя, почта, роль
входы.json — входы в систему и устройства
вход в два шага.json — ключи входа и приложение с кодами, без секретов (если включён)
классы.json — в каких классах состоит и какие ведёт
готовность устройств.json — готовы ли устройства к тестам без сети (если проверялись)
попытки — пройденные тесты: ответы, время, баллы и сданные файлы
проекты — свои проекты с файлами
оценки и просмотры проектов.json — оценки и просмотры чужих проектов
тесты, банк вопросов.json, шаблоны вопросов.json, картинки — то, что создано для преподавания
журнал действий.json — входы, что человек делал как преподаватель или администратор и что делали с ним

Файлы .json — обычный текст, их открывает любой редактор.
Пароля здесь нет: он не хранится, хранится только его отпечаток.
Верных ответов на чужие тесты здесь нет. Баллы и ответы, которые преподаватель ещё не открыл,
появятся здесь после того, как он их откроет; всё сразу может выгрузить администратор.
`,
});

/** Everything stored about a person, file by file. No hashes of passwords or tokens, nobody else's data. */
async function* personalData(wanted: ExportRequest): AsyncGenerator<ArchivedFile> {
  const account = await exportedAccount(wanted);
  yield readme(wanted);
  yield accountFile(wanted, account);
  yield await signIns(wanted);
  const factor = await secondFactor(wanted);
  if (factor) yield factor;
  yield await classes(wanted);
  const reports = await deviceReports(wanted);
  if (reports) yield reports;
  yield* attempts(wanted);
  yield* projects(wanted);
  yield* teaching(wanted);
  yield await acts(wanted);
}

/** Concurrent exports of one person: each reads everything that is stored. */
const EXPORTS_EACH = 2;
const exportSlots = createSemaphore(EXPORTS_EACH, {
  message: 'Данные уже собираются. Дождитесь, пока они скачаются',
  retryAfterSeconds: 10,
});

/** The files; occupies a slot while they are read. */
async function* inPlace(wanted: ExportRequest): AsyncGenerator<ArchivedFile> {
  const leave = exportSlots.take(wanted.caller.userId);
  try {
    yield* personalData(wanted);
  } finally {
    leave();
  }
}

/**
 * The same as an archive that is written while it is read. Logged as an act.
 * @throws {Refusal} NOT_FOUND, TOO_MANY_REQUESTS
 */
export async function exportPerson(wanted: ExportRequest): Promise<Attachment> {
  const { deps, userId, caller, now } = wanted;
  await exportedAccount(wanted);
  // A missing slot is refused at once; the slot is occupied when the reading begins.
  exportSlots.take(caller.userId)();
  const act = actOn('user', userId, { actorId: caller.userId, act: 'userExported' });
  await transaction(deps.pool, async (client) => {
    if (caller.userId === userId) await spendOwnAct(client, 'export', userId, now);
    await recordAct(client, deps, act, now);
  });
  const day = now.toISOString().slice(0, 10);
  return {
    bytes: zipOf(inPlace(wanted), now),
    size: null,
    name: `данные ${day}.zip`,
    mimeType: 'application/zip',
  };
}
