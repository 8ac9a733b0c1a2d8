import { Box, Button, Text, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Modal } from '#app/ui/overlays/Modal.tsx';
import { ChoiceRow } from './ChoiceRow.tsx';

export interface Pickable {
  id: string;
  name: string;
  /** «Класс, 24 ученика», «Преподаватель». */
  detail?: string | undefined;
}

export type PickableKind = 'people' | 'classes';

const WORDS: Readonly<Record<PickableKind, { search: string; none: string; narrow: string }>> = {
  people: { search: 'Найти по имени', none: 'Никого не нашлось', narrow: 'уточните имя' },
  classes: {
    search: 'Найти по названию',
    none: 'Таких классов не нашлось',
    narrow: 'уточните название',
  },
};

export interface PeoplePickerProps {
  opened: boolean;
  onClose: () => void;
  title: string;
  /** Everybody who can be picked; null: not known yet. */
  people: readonly Pickable[] | null;
  /** Ids that are picked already. */
  picked: readonly string[];
  /** Called with all picked ids when the person is done. */
  onPick: (ids: string[]) => void;
  /** Shown when there is nobody to pick. */
  empty: string;
  /** What the list contains. */
  of?: PickableKind;
  /** Message about a list that failed to load. */
  problem?: string | null;
}

/** Rows beyond it are reached by searching. */
const SHOWN = 50;

const plain = (text: string) => text.toLowerCase().replaceAll('ё', 'е');

const Quiet = (props: { role?: 'status'; children: ReactNode }) => (
  <Text size="sm" lh="inherit" c="dimmed" py="xs" {...props} />
);

function Picking({
  people,
  picked,
  empty,
  of,
  onDone,
}: {
  people: readonly Pickable[];
  picked: readonly string[];
  empty: string;
  of: PickableKind;
  onDone: (ids: string[]) => void;
}) {
  const [sought, setSought] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set(picked));
  const words = plain(sought).split(/\s+/).filter(Boolean);
  const found = people.filter(({ name }) => words.every((word) => plain(name).includes(word)));
  const toggle = (key: string) => {
    const next = new Set(chosen);
    if (!next.delete(key)) next.add(key);
    setChosen(next);
  };
  if (people.length === 0) return <Quiet>{empty}</Quiet>;
  return (
    <>
      <TextInput
        label={WORDS[of].search}
        type="search"
        data-autofocus
        autoComplete="off"
        value={sought}
        onChange={(event) => setSought(event.currentTarget.value)}
      />
      <Box component="ul" mt="sm">
        {found.slice(0, SHOWN).map(({ id: key, name, detail }) => (
          <li key={key}>
            <ChoiceRow
              type="checkbox"
              className="line-below"
              py={6}
              checked={chosen.has(key)}
              onChange={() => toggle(key)}
              aside={
                detail !== undefined && (
                  <Text span size="sm" c="dimmed">
                    {detail}
                  </Text>
                )
              }
            >
              {name}
            </ChoiceRow>
          </li>
        ))}
      </Box>
      <Quiet role="status">
        {found.length === 0 && WORDS[of].none}
        {found.length > SHOWN && `Показаны первые ${SHOWN} из ${found.length}: ${WORDS[of].narrow}`}
      </Quiet>
      <Box className="sticky" bottom="-1rem" pt="xs" pb="md" mb="-1rem" bg="var(--app-raised)">
        <Button fullWidth onClick={() => onDone([...chosen])}>
          Готово
        </Button>
      </Box>
    </>
  );
}

/** Picks people or classes from a list with a search. Nothing changes before «Готово». */
export function PeoplePicker({
  opened,
  onClose,
  title,
  people,
  picked,
  onPick,
  empty,
  of = 'people',
  problem = null,
}: PeoplePickerProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={title}>
      {people === null ? (
        <Quiet role="status">{problem ?? 'Загружаем список'}</Quiet>
      ) : (
        <Picking
          people={people}
          picked={picked}
          empty={empty}
          of={of}
          onDone={(ids) => {
            onPick(ids);
            onClose();
          }}
        />
      )}
    </Modal>
  );
}
