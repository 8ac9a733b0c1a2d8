import type { ShortcutRow } from '#app/ui/overlays/ShortcutsModal.tsx';

/** Keyboard shortcuts of the editor: none is a letter alone. */
export const EDITOR_KEYS: readonly ShortcutRow[] = [
  ['Отменить', 'Ctrl', 'Z'],
  ['Вернуть', 'Ctrl', 'Shift', 'Z'],
  ['Соседний вопрос списка', '↑', '↓'],
  ['Открыть вопрос', 'Enter'],
  ['Перенести выше или ниже', 'Alt', '↑', '↓'],
  ['Перенести в начало, в конец', 'Alt', 'Home', 'End'],
  ['Взять вопрос за ручку и оставить', 'Пробел'],
  ['Удалить вопрос', 'Delete'],
];
