import { VisuallyHidden } from '@mantine/core';
import type { BoardRow } from '#contract/board.ts';
import { formatCount } from '#domain/format.ts';
import { QuietButton } from '#app/ui/QuietButton.tsx';
import { TrialPill } from '#app/ui/TrialPill.tsx';
import { useMedia } from '#app/ui/use-media.ts';
import classes from './Board.module.css';
import { Answered, Contact, LastWord } from './Signs.tsx';
import { PUPILS } from './words.ts';

interface Rows {
  rows: readonly BoardRow[];
  now: number;
  onOpen: (userId: string) => void;
}

function More({ row, onOpen }: { row: BoardRow } & Pick<Rows, 'onOpen'>) {
  return (
    <QuietButton tone="ink" onClick={() => onOpen(row.userId)}>
      Подробнее <VisuallyHidden>{row.userName}</VisuallyHidden>
    </QuietButton>
  );
}

function Wide({ rows, now, onOpen }: Rows) {
  return (
    <table className={classes.stuckTable} aria-labelledby="stuck-pupils">
      <thead className={classes.hiddenHead}>
        <tr>
          <th scope="col">Ученик</th>
          <th scope="col">На сервере</th>
          <th scope="col">Связь</th>
          <th scope="col">На устройстве</th>
          <th scope="col">Действие</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.userId}>
            <th scope="row">
              {row.userName} {row.trial && <TrialPill />}
            </th>
            <td>
              <Answered row={row} />
            </td>
            <td>
              <Contact row={row} now={now} />
            </td>
            <td>
              <LastWord row={row} now={now} />
            </td>
            <td>
              <More row={row} onOpen={onOpen} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Narrow({ rows, now, onOpen }: Rows) {
  return (
    <ul className={classes.stuckList} aria-labelledby="stuck-pupils">
      {rows.map((row) => (
        <li key={row.userId}>
          <span className={classes.stuckName}>
            {row.userName} {row.trial && <TrialPill />}
          </span>
          <Answered row={row} />
          <Contact row={row} now={now} />
          <LastWord row={row} now={now} />
          <More row={row} onOpen={onOpen} />
        </li>
      ))}
    </ul>
  );
}

/** Those whose answers have not arrived for two minutes, with what is known. */
export function StuckPupils({ isAlone, ...list }: Rows & { isAlone: boolean }) {
  const isWide = useMedia('(min-width: 900px)');
  const { rows } = list;
  if (rows.length === 0) {
    if (!isAlone) return null;
    return <p className={classes.none}>Сейчас нет никого, чьи ответы долго не доходят.</p>;
  }
  return (
    <section className={classes.card} aria-labelledby="stuck-pupils">
      <div className={classes.cardHead}>
        <h3 id="stuck-pupils">Ответы долго не доходят: {formatCount(rows.length, PUPILS)}</h3>
        <p>Больше 2 минут. Проверьте, что приложение открыто, а устройство включено.</p>
      </div>
      {isWide ? <Wide {...list} /> : <Narrow {...list} />}
    </section>
  );
}
