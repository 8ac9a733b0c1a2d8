import type { ShareLevel } from '#contract/sharing.ts';
import type { ShareTarget } from './share-target.ts';

/** What a colleague may do with a test. */
export const LEVELS: readonly { value: ShareLevel; label: string }[] = [
  { value: 'results', label: 'смотрит ход теста и результаты' },
  { value: 'grade', label: 'ещё и проверяет ответы' },
  { value: 'edit', label: 'ещё и меняет тест' },
];

export const shareTitle = (target: ShareTarget): string =>
  target.kind === 'bank'
    ? 'Доступ коллег к банку'
    : `Доступ коллег: ${target.kind === 'group' ? `класс ${target.name}` : target.name}`;

/** The rights of colleagues, and those reserved to the owner. */
export const shareExplanation = ({ kind }: ShareTarget): string =>
  ({
    test: 'Коллеги увидят тест среди своих. Удалить его и открыть доступ другим может только владелец.',
    group:
      'Коллеги ведут класс вместе с владельцем: меняют состав и код, назначают классу свои тесты, сбрасывают пароли учеников, у которых это можно сделать из класса. Удалить класс может только владелец. Если закрыть доступ, тесты коллеги снимутся с класса, начатые попытки останутся.',
    bank: 'Коллеги смотрят вопросы вашего банка и берут их копии в свои тесты. Изменить ваши вопросы они не могут.',
  })[kind];

/** What the caller may do with a colleague's test, in a list. */
export const levelNote = (level: ShareLevel): string =>
  ({ results: 'вам видны результаты', grade: 'вы проверяете', edit: 'вы редактируете' })[level];
