import { logProblem } from '#app/lib/log.ts';
import { OutboxRefusal } from '#app/outbox/types.ts';
import { PickProblem } from '#app/questions/file/file-picks.ts';

const REFUSED: Readonly<Record<OutboxRefusal['reason'], string>> = {
  unknownAttempt: 'Этой попытки на устройстве нет. Откройте тест ещё раз.',
  finished: 'Тест завершён: ответы закрыты для правки.',
  takenOver: 'Тест продолжается на другом устройстве: отвечайте там.',
  gone: 'Преподаватель удалил эту попытку.',
  fileRefused: 'Такой файл не подойдёт. Выберите другой.',
};

/** Why an answer could not be written, in Russian; an unexpected cause is logged. */
export function writeProblem(cause: unknown, unexpected: string): string {
  if (cause instanceof OutboxRefusal) return cause.explanation ?? REFUSED[cause.reason];
  if (cause instanceof PickProblem) return cause.message;
  logProblem('Ответ не записан', { cause });
  return unexpected;
}
