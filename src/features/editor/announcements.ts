import type { Announcements, UniqueIdentifier } from '@dnd-kit/core';
import type { QuestionPlace } from './rows.ts';

export const DRAG_HELP =
  'Чтобы перенести вопрос, нажмите пробел, двигайте его стрелками вверх и вниз и нажмите пробел ещё раз. Escape оставит его на месте.';

/** Screen reader announcements while a question is dragged. */
export function dragAnnouncements(places: readonly QuestionPlace[]): Announcements {
  const at = (id: UniqueIdentifier) => places.findIndex((place) => place.id === id);
  const words = (id: UniqueIdentifier) => {
    const place = places[at(id)];
    return place ? `Вопрос ${place.number}, ${place.rows[0].label}` : 'Вопрос';
  };
  const spot = (id: UniqueIdentifier) => `${at(id) + 1} из ${places.length}`;
  return {
    onDragStart: ({ active }) => `${words(active.id)}: взят. Место ${spot(active.id)}`,
    onDragOver: ({ over }) => (over ? `Место ${spot(over.id)}` : 'Вне списка'),
    onDragEnd: ({ over }) =>
      over ? `Оставлен на месте ${spot(over.id)}` : 'Остался на своём месте',
    onDragCancel: ({ active }) => `Перенос отменён. Вопрос остался на месте ${spot(active.id)}`,
  };
}
