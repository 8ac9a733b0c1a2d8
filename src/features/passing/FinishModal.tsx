import { Box, Button, Flex, Text } from '@mantine/core';
import {
  IconAlertTriangle,
  IconBookmark,
  IconCircleDashed,
  IconDeviceMobile,
  IconFile,
} from '@tabler/icons-react';
import { useState, type ReactNode, useEffect, useEffectEvent, useRef, type RefObject } from 'react';
import { useNow } from '#app/lib/use-now.ts';
import type { AttemptView, QuestionView } from '#app/outbox/types.ts';
import { Icon, type IconType } from '#app/ui/Icon.tsx';
import { Modal } from '#app/ui/overlays/Modal.tsx';
import { isPending, type FilePick } from '#app/questions/file/file-picks.ts';
import {
  finishTimeMessage,
  formatNumbers,
  markedLabel,
  refusedLabel,
  unansweredLabel,
  unsentLabel,
} from './dialog-messages.ts';
import { missedMessage, readingMessage } from './messages.ts';

/**
 * Reserves the greatest height that an element has had, so that shorter content does not shift its surroundings. Resets
 * when the window is resized or rotated.
 */
function useSteadyHeight(): RefObject<HTMLDivElement | null> {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    const observer = new ResizeObserver(() => {
      element.style.minHeight = `${element.offsetHeight}px`;
    });
    const measureAnew = () => {
      element.style.minHeight = '';
    };
    observer.observe(element);
    window.addEventListener('resize', measureAnew);
    return () => {
      observer.disconnect();
      window.removeEventListener('resize', measureAnew);
    };
  }, []);
  return ref;
}

const EVERY_MS = 1_000;

export interface FinishModalProps {
  view: AttemptView;
  picks: readonly FilePick[];
  opened: boolean;
  onClose: () => void;
  onSelect: (index: number) => void;
  onFinish: () => void;
  isFinishing: boolean;
}

/** Confirms the finish: lists the unanswered, the marked and the unsent questions first. */
export function FinishModal(props: FinishModalProps) {
  const { view, picks, opened, onClose, onSelect, onFinish, isFinishing } = props;
  const now = useNow(EVERY_MS);
  const numbersOf = (matches: (question: QuestionView) => boolean) =>
    view.answers.flatMap((question, index) => (matches(question) ? [index + 1] : []));
  const unanswered = numbersOf((question) => !question.answered);
  const marked = numbersOf((question) => question.marked);
  const unsent = numbersOf(
    ({ stage }) => stage === 'device' || stage === 'sending' || stage === 'unsaved',
  );
  const isStored = view.answers.every(({ stage }) => stage !== 'unsaved');
  const refused = numbersOf(({ stage }) => stage === 'setAside');
  const isReading = picks.some(isPending);
  const listed = [unanswered, marked, unsent, refused, picks];
  const isComplete = listed.every(({ length }) => length === 0);
  const go = (number: number) => {
    onClose();
    onSelect(number - 1);
  };
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title="Завершить тест?"
      footer={
        <FinishButtons
          isComplete={isComplete}
          isReading={isReading}
          hasFailed={picks.some((pick) => !isPending(pick))}
          isFinishing={isFinishing}
          onBack={onClose}
          onFinish={onFinish}
        />
      }
    >
      <SteadyBody>
        {isReading && (
          <Part icon={IconFile} head="Файл ещё читается">
            <Text inherit c="dimmed" aria-live="polite">
              {`${readingMessage(picks, view)} Дождитесь его или завершите без него.`}
            </Text>
          </Part>
        )}
        {picks.length > 0 && !isReading && (
          <Part icon={IconAlertTriangle} head="Файл не сдан">
            <Text inherit c="dimmed" aria-live="polite">
              {`${missedMessage(picks, view)} Вернитесь к вопросу и выберите его ещё раз.`}
            </Text>
          </Part>
        )}
        {unanswered.length > 0 && (
          <Part icon={IconCircleDashed} head={unansweredLabel(unanswered.length)}>
            <Numbers numbers={unanswered} onSelect={go} />
          </Part>
        )}
        {marked.length > 0 && (
          <Part icon={IconBookmark} head={markedLabel(marked.length)}>
            <Numbers numbers={marked} onSelect={go} />
          </Part>
        )}
        {unsent.length > 0 && (
          <Part icon={IconDeviceMobile} head={unsentLabel(unsent.length)}>
            <Text inherit c="dimmed">
              {formatNumbers(unsent)}. Завершить можно и сейчас: ответы уйдут сами, когда появится
              сеть. {!isStored && <b>До этого не закрывайте страницу.</b>}
            </Text>
          </Part>
        )}
        {refused.length > 0 && (
          <Part icon={IconAlertTriangle} head={refusedLabel(refused.length)}>
            <Text inherit c="dimmed">
              {formatNumbers(refused)}. Ответы остаются на этом устройстве: покажите их
              преподавателю или ответьте иначе.
            </Text>
          </Part>
        )}
        {isComplete && <p>На все вопросы есть ответ, и все ответы на сервере.</p>}
        <Text inherit mt={isComplete ? 0 : 'md'} c="dimmed">
          {finishTimeMessage(Math.max(0, view.deadline - now))}
        </Text>
      </SteadyBody>
    </Modal>
  );
}

/** Mounted only while the modal is open. */
function SteadyBody({ children }: { children: ReactNode }) {
  return <div ref={useSteadyHeight()}>{children}</div>;
}

/**
 * «Вернуться» has the focus, whichever button is filled: an Enter pressed twice must not end the attempt. The order is
 * fixed when the modal opens: answers reach the server meanwhile, and the buttons must not swap under the user's
 * finger.
 */
function FinishButtons({
  isComplete,
  isReading,
  hasFailed,
  isFinishing,
  onBack,
  onFinish,
}: {
  isComplete: boolean;
  isReading: boolean;
  hasFailed: boolean;
  isFinishing: boolean;
  onBack: () => void;
  onFinish: () => void;
}) {
  const [isFinishFirst] = useState(isComplete);
  const [hadReading] = useState(isReading);
  const [isWaiting, setWaiting] = useState(false);
  // A file that failed meanwhile is reported first.
  if (isWaiting && hasFailed && !isReading) setWaiting(false);
  const isDue = isWaiting && !isReading && !hasFailed;
  const finishAfterReading = useEffectEvent(onFinish);
  useEffect(() => {
    if (isDue) finishAfterReading();
  }, [isDue]);
  const back = (
    <Button
      key="back"
      variant={isComplete || isReading ? 'default' : 'filled'}
      data-autofocus
      onClick={onBack}
    >
      Вернуться к вопросам
    </Button>
  );
  const finish = (
    <Button
      key="finish"
      variant={isComplete ? 'filled' : 'default'}
      loading={isFinishing}
      onClick={onFinish}
    >
      <span>{isReading ? 'Завершить без файла' : 'Завершить тест'}</span>
    </Button>
  );
  const wait = hadReading && (
    <Button
      key="wait"
      // Its space is reserved, so that no other button moves under the finger.
      style={{ visibility: isReading ? 'visible' : 'hidden' }}
      loading={isWaiting}
      onClick={() => setWaiting(true)}
    >
      Дождаться и завершить
    </Button>
  );
  return isFinishFirst ? [finish, back, wait] : [back, wait, finish];
}

function Part({ icon, head, children }: { icon: IconType; head: string; children: ReactNode }) {
  return (
    <Flex component="section" gap="sm" py="sm" className="line-below">
      <Icon of={icon} />
      <div>
        <Box component="h3" mb="xs" fz="md" lh="20px">
          {head}
        </Box>
        {children}
      </div>
    </Flex>
  );
}

function Numbers({
  numbers,
  onSelect,
}: {
  numbers: readonly number[];
  onSelect: (number: number) => void;
}) {
  return (
    <Flex component="ul" wrap="wrap" gap="xs">
      {numbers.map((number) => (
        <li key={number}>
          <Button
            variant="default"
            size="sm"
            miw={52}
            mih={44}
            px={6}
            fw={500}
            className="tabular"
            aria-label={`К вопросу ${number}`}
            onClick={() => onSelect(number)}
          >
            {number}
          </Button>
        </li>
      ))}
    </Flex>
  );
}
