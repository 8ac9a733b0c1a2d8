import { Button } from '@mantine/core';
import { IconArrowRight, IconDeviceMobile, IconSend, IconServer2 } from '@tabler/icons-react';
import { useState } from 'react';
import { formatShortMoment } from '#domain/format-time.ts';
import { useDevice } from '#app/offline/device-context.ts';
import { logProblem } from '#app/offline/log.ts';
import type { AttemptView, QuestionView, Stage } from '#app/outbox/types.ts';
import { AnswerStateRow } from '#app/ui/AnswerStateLine.tsx';
import { QuietButton } from '#app/ui/QuietButton.tsx';
import { Sheet } from '#app/ui/Sheet.tsx';
import classes from './passing.module.css';

const FIRST_SHOWN = 5;

/** What needs a look first: trouble, then what is on its way, then the newest on the server. */
const URGENCY: Readonly<Record<Stage, number>> = {
  unsaved: 0,
  setAside: 1,
  sending: 2,
  device: 3,
  held: 4,
  server: 5,
  none: 6,
};

interface Numbered extends QuestionView {
  readonly number: number;
}

function inOrder(answers: readonly QuestionView[]): Numbered[] {
  return answers
    .map((question, index) => ({ ...question, number: index + 1 }))
    .filter((question) => question.stage !== 'none')
    .sort(
      (a, b) =>
        URGENCY[a.stage] - URGENCY[b.stage] ||
        (a.stage === 'server' ? (b.at ?? 0) - (a.at ?? 0) : a.number - b.number),
    );
}

function sentence({ sync, counts, answers }: AttemptView): string {
  if (answers.every(({ stage }) => stage === 'none')) return 'Ответов пока нет.';
  if (sync.kind === 'signedOut') return 'Ответы ждут на устройстве, пока вы не войдёте.';
  if (sync.kind === 'setAside') {
    return 'Не принятые ответы остаются на устройстве. Преподаватель может помочь: покажите ему этот список.';
  }
  if (counts.waiting === 0) return 'Все ответы на сервере.';
  if (sync.kind === 'sending') return 'Сеть вернулась. Ничего нажимать не нужно.';
  return 'Ответы на этом устройстве в безопасности и уйдут сами, когда появится сеть.';
}

export interface AnswersSheetProps {
  view: AttemptView;
  opened: boolean;
  onClose: () => void;
}

/** «Где мои ответы»: three stages with counts, and each answer with its own. */
export function AnswersSheet({ view, opened, onClose }: AnswersSheetProps) {
  const { outbox, serverNow, timeZone } = useDevice();
  const [shownAll, setShownAll] = useState(false);
  const rows = inOrder(view.answers);
  const count = (stage: Stage) => rows.filter((row) => row.stage === stage).length;
  const visible = shownAll ? rows : rows.slice(0, FIRST_SHOWN);
  const more = rows.length - visible.length;
  const retry = () =>
    void outbox
      .retrySetAside(view.attemptId)
      .then(() => outbox.flush({ force: true }))
      .catch((cause: unknown) => logProblem('Ответы не отправить', { cause }));
  return (
    <Sheet
      opened={opened}
      onClose={onClose}
      title="Где мои ответы"
      footer={
        (view.counts.waiting > 0 || view.counts.setAside > 0) && (
          <Button variant="default" fullWidth onClick={retry}>
            Проверить сеть
          </Button>
        )
      }
    >
      <dl className={classes.stages}>
        <div>
          <IconDeviceMobile size={20} stroke={1.75} aria-hidden />
          <dd>{count('device') + count('setAside') + count('unsaved')}</dd>
          <dt>на устройстве</dt>
        </div>
        <IconArrowRight size={18} stroke={1.75} aria-hidden />
        <div>
          <IconSend size={20} stroke={1.75} aria-hidden />
          <dd>{count('sending')}</dd>
          <dt>отправляется</dt>
        </div>
        <IconArrowRight size={18} stroke={1.75} aria-hidden />
        <div data-done>
          <IconServer2 size={20} stroke={1.75} aria-hidden />
          <dd>{count('server') + count('held')}</dd>
          <dt>на сервере</dt>
        </div>
      </dl>
      <p className={classes.dimmed}>{sentence(view)}</p>
      <ul className={classes.rows}>
        {visible.map((row) => (
          <AnswerStateRow
            key={row.questionId}
            label={row.number}
            state={row.stage}
            detail={
              row.refusal?.message ??
              (row.at !== null && formatShortMoment(row.at, serverNow(), timeZone))
            }
          />
        ))}
      </ul>
      {more > 0 && (
        <div className={classes.more}>
          <QuietButton tone="ink" onClick={() => setShownAll(true)}>
            Показать ещё {more}
          </QuietButton>
        </div>
      )}
    </Sheet>
  );
}
