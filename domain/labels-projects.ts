import type { ProjectOrder } from '#contract/orders.ts';
import { formatNumber, type Forms } from './format.ts';

export const PROJECTS: Forms = ['проект', 'проекта', 'проектов'];
export const VIEWS: Forms = ['просмотр', 'просмотра', 'просмотров'];
export const RATINGS: Forms = ['оценка', 'оценки', 'оценок'];
export const STARS: Forms = ['звезда', 'звезды', 'звёзд'];

const ORDERS: Readonly<Record<ProjectOrder, string>> = {
  new: 'Сначала новые',
  high_rating: 'По оценке',
  high_views: 'Популярные',
  name: 'По названию',
};

/** Orders of a list of projects, the default first. */
export const PROJECT_ORDER_CHOICES = (
  ['new', 'high_rating', 'high_views', 'name'] as const satisfies readonly ProjectOrder[]
).map((value) => ({ value, label: ORDERS[value] }));

/** The mean of ratings with one decimal, «4,8»; null: nobody has rated. */
export function formatRating(rating: number | null): string {
  return rating === null ? '—' : formatNumber(rating, 1);
}
