import { Button, Text } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { keepOpenMessage, MAY_CLOSE } from '#domain/labels-answer.ts';
import { ANSWERS, formatCount, plural } from '#domain/format.ts';
import { useDevice } from '#app/lib/device-services.ts';
import { logProblem } from '#app/lib/log.ts';
import { useNow } from '#app/lib/use-now.ts';
import type { AttemptView } from '#app/outbox/types.ts';
import { AnswerStateSign } from '#app/ui/taking/AnswerStateLine.tsx';
import { Icon } from '#app/ui/Icon.tsx';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { SyncIndicator } from '#app/ui/taking/SyncIndicator.tsx';
import { BottomBar } from '#app/ui/taking/TakingBar.tsx';
import { VerdictPanel } from '#app/ui/taking/VerdictPanel.tsx';
import classes from './passing.module.css';
import { takeFocus } from './take-focus.ts';
import { deliveredMessage, latenessMessage, describeUnsent } from './messages.ts';

const EVERY_MS = 5_000;

export interface AfterFinishProps {
  view: AttemptView;
  signedIn: boolean;
  renderResult: (attemptId: string) => ReactNode;
  onOpenAnswers: () => void;
  onSignIn: () => void;
  onLeave: () => void;
}

/** Shown after the finish: whether the app may be closed, and why. */
export function AfterFinish(props: AfterFinishProps) {
  const { view, signedIn, onOpenAnswers } = props;
  const { timeZone } = useDevice();
  const isDelivered = view.state === 'finished' && view.counts.waiting === 0;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => takeFocus(heading.current), []);
  return (
    <div className={classes.after}>
      <header className={classes.afterHead}>
        <p>{view.title}</p>
        <SyncIndicator state={view.sync.kind} count={view.sync.count} onOpen={onOpenAnswers} />
      </header>
      <main>
        <VerdictPanel
          verdict={isDelivered ? 'done' : 'wait'}
          heading={isDelivered ? MAY_CLOSE : keepOpenMessage(view.counts.waiting)}
          headingRef={heading}
        >
          {isDelivered
            ? deliveredMessage(view, timeZone)
            : `Тест завершён. Ответы в безопасности и уйдут сами, когда ${signedIn ? 'появится сеть' : 'вы войдёте'}.`}
        </VerdictPanel>
        {isDelivered ? <Delivered {...props} /> : <PendingDelivery {...props} />}
      </main>
    </div>
  );
}

function Delivered({ view, renderResult, onOpenAnswers, onLeave }: AfterFinishProps) {
  return (
    <>
      <div className={classes.afterBody}>{renderResult(view.attemptId)}</div>
      <div className={classes.afterFoot}>
        <BottomBar>
          <Button variant="default" flex="1 1 0" onClick={onOpenAnswers}>
            Мои ответы
          </Button>
          <Button flex="1 1 0" onClick={onLeave}>
            К тестам
          </Button>
        </BottomBar>
      </div>
    </>
  );
}

function PendingDelivery({ view, signedIn, onSignIn }: AfterFinishProps) {
  const { outbox, timeZone } = useDevice();
  const now = useNow(EVERY_MS);
  const [isChecking, setChecking] = useState(false);
  const waiting = view.answers
    .map((question, index) => ({ ...question, number: index + 1 }))
    .filter(
      ({ stage }) =>
        stage === 'device' || stage === 'sending' || stage === 'unsaved' || stage === 'setAside',
    );
  const onServer = view.answers.filter(
    ({ stage }) => stage === 'server' || stage === 'held',
  ).length;
  const check = () => {
    setChecking(true);
    outbox
      .flush({ force: true })
      .catch((cause: unknown) => logProblem('Ответы не отправить', { cause }))
      .finally(() => setChecking(false));
  };
  return (
    <>
      <div className={classes.afterBody}>
        <ul className={classes.waiting}>
          {waiting.map((question) => (
            <li key={question.questionId}>
              <AnswerStateSign state={question.stage} />
              <span>{describeUnsent(question.number, question)}</span>
            </li>
          ))}
          {view.state !== 'finished' && (
            <li>
              <AnswerStateSign state="device" />
              <span>Завершение теста</span>
            </li>
          )}
          {onServer > 0 && (
            <li>
              <AnswerStateSign state="server" />
              <Text span inherit c="dimmed">
                {waiting.length > 0
                  ? `${plural(onServer, ['Остальной', 'Остальные', 'Остальные'])} ${formatCount(onServer, ANSWERS)} на сервере`
                  : `${formatCount(onServer, ANSWERS)} на сервере`}
              </Text>
            </li>
          )}
        </ul>
        <InlineNote>{latenessMessage(view, now, timeZone)}</InlineNote>
        <Text inherit c="dimmed">
          Баллы появятся, когда всё дойдёт до сервера.
        </Text>
      </div>
      <div className={classes.afterFoot}>
        <BottomBar>
          {signedIn ? (
            <Button
              flex="1 1 0"
              loading={isChecking}
              leftSection={<Icon of={IconRefresh} />}
              onClick={check}
            >
              Проверить сеть
            </Button>
          ) : (
            <Button flex="1 1 0" onClick={onSignIn}>
              Войти
            </Button>
          )}
        </BottomBar>
      </div>
    </>
  );
}
