import { useState, type ComponentType } from 'react';
import { Kbd } from '#app/ui/Kbd.tsx';
import { QuietButton } from '#app/ui/QuietButton.tsx';
import { useShortcutKeys } from '#app/ui/shortcuts.ts';

export interface ShortcutsListProps {
  onClose: () => void;
}

/** «? Клавиши», and the key «?»: opens the list of a screen's shortcuts, with their switch. */
export function ShortcutsHelp({ list: List }: { list: ComponentType<ShortcutsListProps> }) {
  const [isOpen, setOpen] = useState(false);
  useShortcutKeys((event) => {
    if (event.key !== '?') return;
    event.preventDefault();
    setOpen(true);
  });
  return (
    <>
      <span className="with-keyboard">
        <QuietButton onClick={() => setOpen(true)}>
          <Kbd>?</Kbd> <span>Клавиши</span>
        </QuietButton>
      </span>
      {isOpen && <List onClose={() => setOpen(false)} />}
    </>
  );
}
