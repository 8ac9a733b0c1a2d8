import { changesSince, NO_FACT, type ChangingFacts, type PresentFacts } from '#domain/receipt.ts';

/** Whether answers and points are still those of a receipt, for «…, с квитанции ответы не менялись.» */
export function describeChanges(
  held: ChangingFacts,
  present: PresentFacts,
): { isChanged: boolean; words: string } {
  const { comparesPoints, answers, points } = changesSince(held, present);
  if (!answers && !points) {
    const what = comparesPoints ? 'ни ответы, ни баллы' : 'ответы';
    return { isChanged: false, words: `с квитанции ${what} не менялись` };
  }
  const now = present.points === NO_FACT ? 'сейчас проверено не всё' : `стало ${present.points}`;
  const parts = [
    ...(answers ? ['ответы'] : []),
    ...(points ? [`баллы: было ${held.points}, ${now}`] : []),
  ];
  return { isChanged: true, words: `после квитанции изменились ${parts.join(' и ')}` };
}
