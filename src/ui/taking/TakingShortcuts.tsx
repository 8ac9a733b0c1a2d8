import type { ShortcutsListProps } from '#app/ui/overlays/ShortcutsHelp.tsx';
import { ShortcutsModal, type ShortcutRow } from '#app/ui/overlays/ShortcutsModal.tsx';

const KEYS: readonly ShortcutRow[] = [
  ['Выбрать ответ', '1', '…', '9'],
  ['Пара или пропуск: выбрать из списка', 'А', '…', 'Е'],
  ['Убрать пару', 'Delete'],
  ['Дальше', 'Enter'],
  ['Отметить вопрос', 'М'],
  ['Список клавиш', '?'],
];

/** The keys of the taking page. */
export function TakingShortcuts({ onClose }: ShortcutsListProps) {
  return <ShortcutsModal title="Клавиши теста" rows={KEYS} hasSwitch onClose={onClose} />;
}
