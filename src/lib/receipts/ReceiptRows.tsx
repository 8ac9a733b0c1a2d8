import type { ReceiptFacts } from '#domain/receipt.ts';
import { formatMoment } from '#domain/format-time.ts';
import { useDevice, useShownZone } from '#app/lib/device-services.ts';
import { DefinitionRows } from '#app/ui/data/DefinitionRows.tsx';

/** What a receipt does not prove; said wherever one is shown. */
export const NOT_PROVEN =
  'Квитанция подтверждает, какие ответы были у школы в момент её выдачи, и баллы, если они уже были видны. Кто сидел за устройством и сам ли он отвечал, она не подтверждает. Баллы могут измениться и позже: сравнение это покажет. Если тест завершён на устройстве, время завершения сообщило само устройство.';

/** What a receipt says, in plain words. */
export function ReceiptRows({ facts }: { facts: ReceiptFacts }) {
  const { serverNow } = useDevice();
  const timeZone = useShownZone();
  const at = (iso: string) => formatMoment(new Date(iso), serverNow(), timeZone);
  return (
    <DefinitionRows
      rows={[
        { label: 'Ученик', value: facts.student },
        { label: 'Тест', value: facts.test },
        { label: 'Попытка', value: facts.attemptNumber },
        { label: 'Ответов учтено', value: facts.answersCount },
        { label: 'Баллы', value: facts.points },
        { label: 'Начало', value: at(facts.startedAt) },
        { label: 'Срок', value: at(facts.deadline) },
        { label: 'Завершение', value: at(facts.finishedAt) },
      ]}
    />
  );
}
