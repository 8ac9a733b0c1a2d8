import { Button } from '@mantine/core';
import { DefinitionRows } from '#app/ui/data/DefinitionRows.tsx';
import { Kbd } from '#app/ui/Kbd.tsx';
import { Modal } from '#app/ui/overlays/Modal.tsx';

const KEYS: readonly (readonly [what: string, ...keys: string[]])[] = [
  ['Отменить', 'Ctrl', 'Z'],
  ['Вернуть', 'Ctrl', 'Shift', 'Z'],
  ['Соседний вопрос списка', '↑', '↓'],
  ['Открыть вопрос', 'Enter'],
  ['Перенести выше или ниже', 'Alt', '↑', '↓'],
  ['Перенести в начало, в конец', 'Alt', 'Home', 'End'],
  ['Взять вопрос за ручку и оставить', 'Пробел'],
  ['Удалить вопрос', 'Delete'],
];

/** Keyboard shortcuts of the editor. */
export function ShortcutsModal({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title="Клавиши редактора"
      footer={
        <Button data-autofocus onClick={onClose}>
          Понятно
        </Button>
      }
    >
      <DefinitionRows
        rows={KEYS.map(([label, ...keys]) => ({
          label,
          value: keys.map((key) => (
            <span key={key}>
              <Kbd>{key}</Kbd>{' '}
            </span>
          )),
        }))}
      />
    </Modal>
  );
}
