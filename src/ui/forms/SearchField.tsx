import { ActionIcon, TextInput } from '@mantine/core';
import { IconSearch, IconX } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { Icon } from '#app/ui/Icon.tsx';
import { LimitNote } from './LimitNote.tsx';
import { useTextLimit } from './use-text-limit.ts';

const PAUSE_MS = 300;
const LONGEST = 200;
const CUT = { input: { textOverflow: 'ellipsis' } };

export interface SearchFieldProps {
  /** Spoken, not shown. */
  label: string;
  placeholder: string;
  /** The current search. A change from outside («назад») replaces the typed text. */
  value: string;
  /** Called at a pause in typing, at Enter and by the cross, with the trimmed text. */
  onSearch: (value: string) => void;
}

/** A search line. It waits for a pause in typing before it searches. */
export function SearchField({ label, placeholder, value, onSearch }: SearchFieldProps) {
  const [text, setText] = useState(value);
  const sent = useRef(value);
  // Searches sent but not applied yet: on a slow device one search may overtake another.
  const pending = useRef<string[]>([]);
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined);
  const box = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const at = pending.current.indexOf(value);
    if (at >= 0) {
      pending.current.splice(0, at + 1);
      return;
    }
    if (value === sent.current) return;
    clearTimeout(pause.current);
    pending.current = [];
    sent.current = value;
    setText(value);
  }, [value]);
  useEffect(() => () => clearTimeout(pause.current), []);

  const send = (typed: string) => {
    clearTimeout(pause.current);
    const next = typed.trim();
    if (next === sent.current) return;
    sent.current = next;
    pending.current.push(next);
    onSearch(next);
  };
  const type = (typed: string) => {
    setText(typed);
    clearTimeout(pause.current);
    const { pathname } = window.location;
    pause.current = setTimeout(() => {
      // The page stays until the next one is loaded: its search must not navigate back.
      if (window.location.pathname === pathname) send(typed);
    }, PAUSE_MS);
  };

  const typing = useTextLimit(text, LONGEST, type);

  const clear = (
    <ActionIcon
      aria-label="Очистить поиск"
      onClick={() => {
        setText('');
        send('');
        box.current?.querySelector('input')?.focus();
      }}
    >
      <Icon of={IconX} />
    </ActionIcon>
  );

  return (
    <div ref={box} role="search" style={{ minWidth: 0 }}>
      <TextInput
        type="search"
        enterKeyHint="search"
        styles={CUT}
        leftSection={<Icon of={IconSearch} />}
        leftSectionWidth="2.75rem"
        rightSection={text !== '' && clear}
        rightSectionWidth="2.75rem"
        rightSectionPointerEvents="all"
        aria-label={label}
        placeholder={placeholder}
        {...typing.field}
        onKeyDown={(event) => {
          if (event.key === 'Enter') send(text);
        }}
      />
      <LimitNote limit={typing.limit} />
    </div>
  );
}
