import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Board } from '#contract/board.ts';
import { useDevice } from '#app/offline/device-context.ts';
import { FieldError } from '#app/ui/FieldError.tsx';
import { FieldGroup } from '#app/ui/FieldFrame.tsx';
import { NumberField } from '#app/ui/NumberField.tsx';
import { Sheet } from '#app/ui/Sheet.tsx';
import classes from './Board.module.css';
import {
  doneWords,
  isCandidate,
  planWords,
  readMinutes,
  type Candidate,
  type Granted,
} from './grant.ts';
import { bySurname, isOffline, isUnderWay } from './rules.ts';
import { useGrant } from './use-grant.ts';
import { contactWords } from './words.ts';

const QUICK = [5, 10, 15];

type Whom = 'one' | 'all' | 'offline';

function Done({ granted, board, now }: { granted: Granted; board: Board; now: number }) {
  const { timeZone } = useDevice();
  const names = new Map(board.rows.map((row) => [row.attemptId, row.userName]));
  return (
    <div className={classes.form} role="status">
      <p>{doneWords(granted, now, timeZone)}</p>
      {granted.skipped.length > 0 && (
        <>
          <p>Не добавлено:</p>
          <ul className={classes.skipped}>
            {granted.skipped.map(({ attemptId, message }) => (
              <li key={attemptId}>
                <b>{names.get(attemptId) ?? 'Ученик'}</b>: {message}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

function Choice({
  type,
  checked,
  onChange,
  children,
}: {
  type: 'radio' | 'checkbox';
  checked: boolean;
  onChange: () => void;
  children: React.ReactNode;
}) {
  return (
    <label className={classes.choice}>
      <input type={type} name={`grant-${type}`} checked={checked} onChange={onChange} />
      <span>{children}</span>
    </label>
  );
}

/** Minutes for one, for all who write, or for those who were not heard. */
export function AddTimeSheet({
  board,
  userId,
  now,
  onClose,
}: {
  board: Board;
  /** Opened for this pupil; null: for a choice. */
  userId: string | null;
  now: number;
  onClose: () => void;
}) {
  const { timeZone } = useDevice();
  // As it was at opening: nobody slips into or out of the choice while it is made.
  const [candidates] = useState<Candidate[]>(() => bySurname(board.rows).filter(isCandidate));
  const writing = candidates.filter(isUnderWay);
  const one = candidates.find((row) => row.userId === userId);
  const [whom, setWhom] = useState<Whom>(one ? 'one' : 'all');
  const [picked, setPicked] = useState<ReadonlySet<string>>(
    () => new Set(writing.filter((row) => isOffline(row, now)).map(({ attemptId }) => attemptId)),
  );
  const [minutes, setMinutes] = useState('10');
  const [isTried, setTried] = useState(false);
  const { isSending, problem, granted, send } = useGrant(board.testId);

  const chosen =
    whom === 'one' && one
      ? [one]
      : whom === 'all'
        ? writing
        : writing.filter(({ attemptId }) => picked.has(attemptId));
  const read = readMinutes(minutes);
  const minutesError = 'error' in read ? read.error : '';
  const whomError = chosen.length === 0 ? 'Выберите, кому добавить время' : '';

  const submit = () => {
    setTried(true);
    if ('error' in read || whomError !== '') return;
    send(
      read.minutes,
      chosen.map(({ attemptId }) => attemptId),
    );
  };
  const toggle = (attemptId: string) => {
    const next = new Set(picked);
    if (!next.delete(attemptId)) next.add(attemptId);
    setPicked(next);
  };

  if (granted) {
    return (
      <Sheet
        opened
        onClose={onClose}
        title="Добавить время"
        footer={
          <Button data-autofocus onClick={onClose}>
            Готово
          </Button>
        }
      >
        <Done granted={granted} board={board} now={now} />
      </Sheet>
    );
  }
  return (
    <Sheet
      opened
      onClose={onClose}
      title="Добавить время"
      footer={
        <>
          <div role="alert">{problem !== null && <FieldError>{problem}</FieldError>}</div>
          <Button loading={isSending} onClick={submit}>
            Добавить
          </Button>
          <Button variant="default" onClick={onClose}>
            Отменить
          </Button>
        </>
      }
    >
      <div className={classes.form}>
        <FieldGroup label="Кому" error={isTried ? whomError : ''}>
          {one && (
            <Choice type="radio" checked={whom === 'one'} onChange={() => setWhom('one')}>
              {one.userName}
            </Choice>
          )}
          <Choice type="radio" checked={whom === 'all'} onChange={() => setWhom('all')}>
            Всем, у кого тест идёт: {writing.length}
          </Choice>
          <Choice type="radio" checked={whom === 'offline'} onChange={() => setWhom('offline')}>
            Тем, кто был без связи
          </Choice>
        </FieldGroup>
        {whom === 'offline' && (
          <FieldGroup
            label="Кто был без связи"
            description="Отмечены те, кого сервер не слышал больше минуты. Остальных отметьте сами."
          >
            {writing.map((row) => (
              <Choice
                key={row.attemptId}
                type="checkbox"
                checked={picked.has(row.attemptId)}
                onChange={() => toggle(row.attemptId)}
              >
                {row.userName} <small>{contactWords(row, now)}</small>
              </Choice>
            ))}
          </FieldGroup>
        )}
        <div className={classes.quick}>
          {QUICK.map((n) => (
            <Button
              key={n}
              size="sm"
              variant="default"
              aria-pressed={minutes === String(n)}
              onClick={() => setMinutes(String(n))}
            >
              {n} мин
            </Button>
          ))}
        </div>
        <NumberField
          label="Минуты"
          description="От 1 до 1440"
          value={minutes}
          error={isTried ? minutesError : ''}
          onChange={(event) => setMinutes(event.currentTarget.value)}
        />
        {'minutes' in read && whomError === '' && (
          <p>{planWords(chosen, read.minutes, now, timeZone)}</p>
        )}
      </div>
    </Sheet>
  );
}
