import { Box, Button, Flex, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconRefresh } from '@tabler/icons-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { keepOpenMessage, MAY_CLOSE } from '#domain/labels-answer.ts';
import { ANSWERS, formatCount, plural } from '#domain/format.ts';
import { useDevice, useShownZone } from '#app/lib/device-services.ts';
import { useShowAnswers } from '#app/lib/handover/use-show-answers.tsx';
import { SaveAnswersButton } from '#app/lib/SaveAnswersButton.tsx';
import { logProblem } from '#app/lib/log.ts';
import { useNow } from '#app/lib/use-now.ts';
import type { AttemptView, Stage } from '#app/outbox/types.ts';
import { AnswerStateSign } from '#app/ui/taking/AnswerStateLine.tsx';
import { Icon } from '#app/ui/Icon.tsx';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { lazyPart } from '#app/ui/lazy/lazy-part.tsx';
import { SyncIndicator } from '#app/ui/taking/SyncIndicator.tsx';
import { BottomBar } from '#app/ui/taking/TakingBar.tsx';
import { VerdictPanel } from '#app/ui/taking/VerdictPanel.tsx';
import classes from './passing.module.css';
import type { FilePick } from '#app/questions/file/file-picks.ts';
import { takeFocus } from './take-focus.ts';
import { describeUnsent, latenessMessage, pendingMessage } from './dialog-messages.ts';
import { deliveredMessage, hasUnsent, isCounted, missedMessage } from './messages.ts';
import { COLUMN, PAGE } from './page-look.ts';

const EVERY_MS = 5_000;

// Most attempts begin on the server.
const BeginNote = lazyPart(
  () => import('./BeginNote.tsx'),
  (module) => module.BeginNote,
);

export interface AfterFinishProps {
  view: AttemptView;
  /** Picked files that were not handed in. */
  picks: readonly FilePick[];
  signedIn: boolean;
  renderResult: (attemptId: string) => ReactNode;
  onOpen: (dialog: 'answers' | 'signIn') => void;
  onExport: () => Promise<void>;
  onLeave: () => void;
}

/** Shown after the finish: whether the app may be closed, and why. */
export function AfterFinish(props: AfterFinishProps) {
  const { view, picks, signedIn, onOpen } = props;
  const timeZone = useShownZone();
  const isDelivered = view.state === 'finished' && view.counts.waiting === 0;
  const missed = missedMessage(picks, view);
  const heading = useRef<HTMLHeadingElement>(null);
  const showAnswers = useShowAnswers();
  useEffect(() => takeFocus(heading.current), []);
  return (
    <Box {...PAGE}>
      <Flex
        component="header"
        align="center"
        justify="space-between"
        gap="sm"
        mih={52}
        px="md"
        {...COLUMN}
        className={classes.head}
      >
        <Text fw={500} lh="20px" lineClamp={2}>
          {view.title}
        </Text>
        <SyncIndicator
          state={view.sync.kind}
          count={view.sync.count}
          onOpen={() => onOpen('answers')}
        />
      </Flex>
      <main>
        <VerdictPanel
          verdict={isDelivered ? 'done' : 'wait'}
          heading={isDelivered ? MAY_CLOSE : keepOpenMessage(view.counts.waiting)}
          headingRef={heading}
        >
          {isDelivered ? deliveredMessage(view, timeZone) : pendingMessage(view, signedIn)}
        </VerdictPanel>
        {view.begin && (
          <Box px="md" pt="md" {...COLUMN}>
            <BeginNote view={view} />
          </Box>
        )}
        {missed !== '' && (
          <Box px="md" pt="md" {...COLUMN}>
            <InlineNote tone="warn" icon={IconAlertTriangle} role="status">
              <span>{missed}</span>
            </InlineNote>
          </Box>
        )}
        {isDelivered ? (
          <Delivered {...props} />
        ) : (
          <PendingDelivery {...props} showAnswersButton={showAnswers.button} />
        )}
      </main>
      {showAnswers.board}
    </Box>
  );
}

function Delivered({ view, renderResult, onOpen, onLeave }: AfterFinishProps) {
  return (
    <>
      <Stack p="md" {...COLUMN}>
        {renderResult(view.attemptId)}
      </Stack>
      <Box {...COLUMN}>
        <BottomBar>
          <Button variant="default" flex="1 1 0" onClick={() => onOpen('answers')}>
            Мои ответы
          </Button>
          <Button flex="1 1 0" onClick={onLeave}>
            К тестам
          </Button>
        </BottomBar>
      </Box>
    </>
  );
}

function PendingDelivery({
  view,
  signedIn,
  onExport,
  onOpen,
  showAnswersButton,
}: AfterFinishProps & { showAnswersButton: ReactNode }) {
  const { outbox } = useDevice();
  const timeZone = useShownZone();
  const now = useNow(EVERY_MS);
  const lateness = latenessMessage(view, now, timeZone);
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
      <Stack p="md" {...COLUMN}>
        <ul>
          {waiting.map((question) => (
            <Sent key={question.questionId} state={question.stage}>
              {describeUnsent(question.number, question)}
            </Sent>
          ))}
          {view.state !== 'finished' && <Sent state="device">Завершение теста</Sent>}
          {onServer > 0 && (
            <Sent state="server">
              <Text span inherit c="dimmed">
                {waiting.length > 0
                  ? `${plural(onServer, ['Остальной', 'Остальные', 'Остальные'])} ${formatCount(onServer, ANSWERS)} на сервере`
                  : `${formatCount(onServer, ANSWERS)} на сервере`}
              </Text>
            </Sent>
          )}
        </ul>
        {lateness !== '' && <InlineNote>{lateness}</InlineNote>}
        {isCounted(view) && (
          <Text inherit c="dimmed">
            Баллы появятся, когда всё дойдёт до сервера.
          </Text>
        )}
        {hasUnsent(view) && (
          <>
            <SaveAnswersButton onSave={onExport} />
            {showAnswersButton}
          </>
        )}
      </Stack>
      <Box {...COLUMN}>
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
            <Button flex="1 1 0" onClick={() => onOpen('signIn')}>
              Войти
            </Button>
          )}
        </BottomBar>
      </Box>
    </>
  );
}

/** One unsent item after the finish, and its stage. */
const Sent = ({ state, children }: { state: Stage; children: ReactNode }) => (
  <Flex component="li" align="center" gap="sm" mih={48} fw={500} className="line-below">
    <AnswerStateSign state={state} wide />
    <span>{children}</span>
  </Flex>
);
