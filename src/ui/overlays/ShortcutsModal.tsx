import { Button } from '@mantine/core';
import { DefinitionRows } from '#app/ui/data/DefinitionRows.tsx';
import { ShortcutsSwitch } from '#app/ui/forms/ShortcutsSwitch.tsx';
import { Kbd } from '#app/ui/Kbd.tsx';
import { Modal } from './Modal.tsx';

/** What a shortcut does, and its keys. */
export type ShortcutRow = readonly [what: string, ...keys: string[]];

export interface ShortcutsModalProps {
  title: string;
  rows: readonly ShortcutRow[];
  /** Whether some of them are single letters or digits, which can be switched off. */
  hasSwitch?: boolean;
  onClose: () => void;
}

/** The keyboard shortcuts of a screen. */
export function ShortcutsModal({ title, rows, hasSwitch = false, onClose }: ShortcutsModalProps) {
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      footer={
        <Button data-autofocus onClick={onClose}>
          Понятно
        </Button>
      }
    >
      <DefinitionRows
        rows={rows.map(([label, ...keys]) => ({
          label,
          value: keys.map((key) => (
            <span key={key}>
              <Kbd>{key}</Kbd>{' '}
            </span>
          )),
        }))}
      />
      {hasSwitch && <ShortcutsSwitch />}
    </Modal>
  );
}
