import type { listMissing } from '#contract/grading.ts';
import type { ReplyOf } from '#contract/route.ts';
import { ANSWERS, formatCount, formatNumber, plural } from '#domain/format.ts';
import { inMoment, type When } from './messages.ts';

type Row = ReplyOf<typeof listMissing>['items'][number];

function endLabel(row: Row, when: When): string {
  const { end, endedAt, attemptNumber } = row;
  const at = endedAt === null ? '' : ` ${inMoment(endedAt, when)}`;
  const which = attemptNumber !== null && attemptNumber > 1 ? `Попытка ${attemptNumber}. ` : '';
  if (end === 'closed') return `${which}Не завершено учеником, сервер закрыл попытку${at}.`;
  if (end === 'finished') return `${which}Сдано${at}.`;
  if (row.recoveredAt !== null) return `${which}Ещё не сдано.`;
  return `${which}Время вышло, сервер ещё ждёт ответы.`;
}

/** The known facts of one row as sentences; never a guess. */
export function describeMissing(row: Row, when: When): string[] {
  if (row.stray > 0) {
    const came = plural(row.stray, ['Дошёл', 'Дошли', 'Дошло']);
    const belong = plural(row.stray, ['Он сохранён', 'Они сохранены', 'Они сохранены']);
    return [
      `${came} ${formatCount(row.stray, ANSWERS)} попытки, которой на сервере нет: её начали после той копии базы, из которой сервер восстановлен. ${belong}, но засчитать их можно только вместе с самой попыткой.`,
    ];
  }
  const sentences = [
    ...(row.recoveredAt === null
      ? []
      : [
          `Этой попытки не было в копии базы, из которой сервер восстановлен: она собрана заново ${inMoment(row.recoveredAt, when)} из того, что прислало устройство.`,
        ]),
    endLabel(row, when),
    `На сервере ${formatCount(row.answered, ANSWERS)} из ${formatNumber(row.totalQuestions)}.`,
  ];
  if (row.missing > 0 && row.missingAt !== null)
    sentences.push(
      `Устройство сообщило ${inMoment(row.missingAt, when)}, что у него ${formatCount(row.missing, ANSWERS)}; ${plural(row.missing, ['он не пришёл', 'они не пришли', 'они не пришли'])}.`,
    );
  else sentences.push('Устройство не сообщало о других ответах.');
  if (row.lastSeenAt !== null)
    sentences.push(`Последний раз устройство было на связи ${inMoment(row.lastSeenAt, when)}.`);
  return sentences;
}
