import { IconFilePlus, IconPencil, IconTrash } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { BankEntry } from '#contract/bank.ts';
import { usesWords } from '#domain/labels-bank.ts';
import { questionLabel } from '#domain/question-label.ts';
import { RowMenu } from '#app/ui/RowMenu.tsx';
import classes from './Bank.module.css';
import { EntrySummary, Facility } from './EntrySummary.tsx';

interface EntryActions {
  onAdd: (entry: BankEntry) => void;
  onEdit: (entry: BankEntry) => void;
  onRemove: (entry: BankEntry) => void;
}

/** Tests that have the question; more than one open under their number. */
function Uses({ entry: { uses, usesCount } }: { entry: BankEntry }) {
  const [only] = uses;
  if (only === undefined) return <span>{usesWords(0)}</span>;
  const link = ({ testId, name }: BankEntry['uses'][number]) => (
    <Link to="/tests/manage/$testId/edit" params={{ testId }} title={name}>
      <span className={classes.clamp}>{name}</span>
    </Link>
  );
  if (usesCount === 1) return link(only);
  return (
    <details className={classes.uses}>
      <summary>{usesWords(usesCount)}</summary>
      <ul>
        {uses.map((use) => (
          <li key={use.testId}>{link(use)}</li>
        ))}
        {usesCount > uses.length && <li>и ещё {usesCount - uses.length}</li>}
      </ul>
    </details>
  );
}

function Row({ entry, onAdd, onEdit, onRemove }: { entry: BankEntry } & EntryActions) {
  return (
    <li className={classes.row}>
      <EntrySummary entry={entry} />
      <div className={classes.facts}>
        <div className={classes.where}>
          <Uses entry={entry} />
        </div>
        <Facility facility={entry.facility} />
      </div>
      <span className={classes.menu}>
        <RowMenu
          label={`Действия с вопросом «${questionLabel(entry.question)}»`}
          actions={[
            { icon: IconFilePlus, label: 'Добавить в тест…', onClick: () => onAdd(entry) },
            { icon: IconPencil, label: 'Изменить', onClick: () => onEdit(entry) },
            { icon: IconTrash, label: 'Убрать из банка…', onClick: () => onRemove(entry) },
          ]}
        />
      </span>
    </li>
  );
}

/** Questions as rows: on phones with hairlines, from 1024 px one card with columns. */
export function BankRows({ items, ...actions }: { items: readonly BankEntry[] } & EntryActions) {
  return (
    <div className={classes.list}>
      <div className={classes.head} aria-hidden>
        <span>Вопрос</span>
        <span>Где используется</span>
        <span>Решаемость</span>
      </div>
      <ul>
        {items.map((entry) => (
          <Row key={entry.entryId} entry={entry} {...actions} />
        ))}
      </ul>
    </div>
  );
}
