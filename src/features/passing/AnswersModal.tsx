import { Box, Button, Flex, Stack, Text } from '@mantine/core';
import { IconArrowRight, IconDeviceMobile, IconSend, IconServer2 } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { formatShortMoment } from '#domain/format-time.ts';
import { useDevice, useShownZone } from '#app/lib/device-services.ts';
import { useShowAnswers } from '#app/lib/handover/use-show-answers.tsx';
import { SaveAnswersButton } from '#app/lib/SaveAnswersButton.tsx';
import { logProblem } from '#app/lib/log.ts';
import type { AttemptView, QuestionView, Stage } from '#app/outbox/types.ts';
import { AnswerStateRow } from '#app/ui/taking/AnswerStateLine.tsx';
import { Icon, type IconType } from '#app/ui/Icon.tsx';
import { QuietButton } from '#app/ui/QuietButton.tsx';
import { Modal } from '#app/ui/overlays/Modal.tsx';
import { NOT_STORED } from './dialog-messages.ts';
import { hasUnsent } from './messages.ts';
import classes from './passing.module.css';

const FIRST_SHOWN = 5;

/** Sort order: answers with problems first, then those being sent, then the newest stored ones. */
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
  if (counts.unsaved > 0) return NOT_STORED;
  if (sync.kind === 'signedOut') return 'Ответы ждут на устройстве, пока вы не войдёте.';
  if (sync.kind === 'setAside' || (counts.waiting === 0 && counts.setAside > 0)) {
    return 'Не принятые ответы остаются на устройстве. Преподаватель может помочь: покажите ему этот список.';
  }
  if (counts.waiting === 0) return 'Все ответы на сервере.';
  if (sync.kind === 'sending') return 'Сеть вернулась. Ничего нажимать не нужно.';
  return 'Ответы на этом устройстве в безопасности и уйдут сами, когда появится сеть.';
}

export interface AnswersModalProps {
  view: AttemptView;
  opened: boolean;
  onExport: () => Promise<void>;
  onClose: () => void;
}

/** «Где мои ответы»: counts by delivery stage, and the stage of each answer. */
export function AnswersModal({ view, opened, onExport, onClose }: AnswersModalProps) {
  const { outbox, serverNow } = useDevice();
  const timeZone = useShownZone();
  const [shownAll, setShownAll] = useState(false);
  const showAnswers = useShowAnswers();
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
    <>
      <Modal
        opened={opened}
        onClose={onClose}
        title="Где мои ответы"
        footer={
          hasUnsent(view) && (
            <>
              <Button variant="default" fullWidth onClick={retry}>
                Проверить сеть
              </Button>
              <SaveAnswersButton onSave={onExport} />
              {showAnswers.button}
            </>
          )
        }
      >
        <Flex
          component="dl"
          align="center"
          mb="md"
          px="xs"
          py="sm"
          bd="1px solid var(--app-line)"
          bdrs="lg"
          c="dimmed"
          className={classes.stages}
        >
          <StageCount icon={IconDeviceMobile} label="на устройстве">
            {count('device') + count('setAside') + count('unsaved')}
          </StageCount>
          <Icon of={IconArrowRight} size={18} />
          <StageCount icon={IconSend} label="отправляется">
            {count('sending')}
          </StageCount>
          <Icon of={IconArrowRight} size={18} />
          <StageCount icon={IconServer2} label="на сервере" isDone>
            {count('server') + count('held')}
          </StageCount>
        </Flex>
        <Text inherit c="dimmed">
          {sentence(view)}
        </Text>
        <Box component="ul" mt="xs">
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
        </Box>
        {more > 0 && (
          <Flex justify="center">
            <QuietButton tone="ink" onClick={() => setShownAll(true)}>
              Показать ещё {more}
            </QuietButton>
          </Flex>
        )}
      </Modal>
      {showAnswers.board}
    </>
  );
}

function StageCount({
  icon,
  label,
  isDone = false,
  children,
}: {
  icon: IconType;
  label: string;
  isDone?: boolean;
  children: ReactNode;
}) {
  const color = isDone ? 'var(--app-ok-text)' : 'var(--app-text)';
  return (
    <Stack align="center" gap={2} flex="1 1 auto" c={isDone ? color : 'dimmed'}>
      <Icon of={icon} />
      <Text component="dd" inherit fz="xl" fw={600} c={color} className="tabular">
        {children}
      </Text>
      <dt>{label}</dt>
    </Stack>
  );
}
