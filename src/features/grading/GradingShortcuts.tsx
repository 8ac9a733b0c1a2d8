import type { ShortcutsListProps } from '#app/ui/overlays/ShortcutsHelp.tsx';
import { ShortcutsModal, type ShortcutRow } from '#app/ui/overlays/ShortcutsModal.tsx';

const KEYS: readonly ShortcutRow[] = [
  ['Следующий ответ', '→', 'J'],
  ['Предыдущий ответ', '←', 'K'],
  ['Соседний ответ из поля', 'Alt', 'J или K'],
  ['Сохранить оценку', 'Ctrl', 'Enter'],
  ['Список клавиш', '?'],
];

/** The keys of «Проверка». */
export function GradingShortcuts({ onClose }: ShortcutsListProps) {
  return <ShortcutsModal title="Клавиши проверки" rows={KEYS} hasSwitch onClose={onClose} />;
}
