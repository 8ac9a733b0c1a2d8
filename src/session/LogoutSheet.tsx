import { Button } from '@mantine/core';
import { ANSWERS, formatCount, plural } from '#domain/format.ts';
import { Sheet } from '#app/ui/Sheet.tsx';
import classes from './AuthForm.module.css';

export interface LogoutSheetProps {
  opened: boolean;
  onClose: () => void;
  onLogout: () => void;
  /** Answers and finishes of this person that the server does not have yet; null: nobody can tell now. */
  waiting: number | null;
  /** Title of a test of this person that runs on this device. */
  running: string | null;
}

/** Asks before signing out while something is unfinished. */
export function LogoutSheet({ opened, onClose, onLogout, waiting, running }: LogoutSheetProps) {
  return (
    <Sheet
      opened={opened}
      onClose={onClose}
      title="Выйти из учётной записи?"
      footer={
        <>
          <Button data-autofocus onClick={onClose}>
            Остаться
          </Button>
          <Button variant="default" onClick={onLogout}>
            Выйти
          </Button>
        </>
      }
    >
      <div className={classes.form}>
        {waiting === null && (
          <p>
            Память устройства сейчас не отвечает. В ней могут быть ответы, которых ещё нет на
            сервере: подождите минуту и проверьте снова.
          </p>
        )}
        {waiting !== null && waiting > 0 && (
          <p>
            {formatCount(waiting, ANSWERS)} ещё не на сервере.{' '}
            {plural(waiting, ['Он останется', 'Они останутся', 'Они останутся'])} на этом устройстве
            и {plural(waiting, ['уйдёт', 'уйдут', 'уйдут'])}, когда вы снова войдёте здесь.
          </p>
        )}
        {running !== null && (
          <p>
            Идёт тест «{running}». Время идёт и после выхода; чтобы отвечать дальше, войдите снова.
          </p>
        )}
      </div>
    </Sheet>
  );
}
