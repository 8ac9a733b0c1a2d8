import {
  IconAlertTriangle,
  IconCircleDashed,
  IconHistory,
  IconLock,
  IconUserSearch,
} from '@tabler/icons-react';
import { Box, Flex, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import {
  answerStateShort,
  answerStateLabel,
  sendingLabel,
  type AnswerState,
  type UploadProgress,
} from '#domain/labels-answer.ts';
import { Icon, type IconType } from '#app/ui/Icon.tsx';
import { Trail } from './Trail.tsx';

const ICONS: Readonly<Partial<Record<AnswerState, IconType>>> = {
  none: IconCircleDashed,
  held: IconUserSearch,
  late: IconHistory,
  setAside: IconAlertTriangle,
  unsaved: IconAlertTriangle,
  locked: IconLock,
};

const WARNING = 'var(--app-warn-text)';
const LOST = 'var(--app-bad-text)';

/** Colours of the states that need an action. */
const COLORS: Readonly<Partial<Record<AnswerState, string>>> = {
  held: WARNING,
  late: WARNING,
  setAside: WARNING,
  unsaved: LOST,
};

/** The icon of an answer's state alone: the trail, or another icon; `wide`: each as wide as the trail. */
export function AnswerStateSign({ state, wide = false }: { state: AnswerState; wide?: boolean }) {
  const icon = ICONS[state];
  if (icon) {
    return (
      <Flex component="span" justify="center" w={wide ? 44 : 20} c={COLORS[state] ?? 'dimmed'}>
        <Icon of={icon} />
      </Flex>
    );
  }
  return (
    <Trail stage={state === 'server' ? 'server' : state === 'sending' ? 'sending' : 'device'} />
  );
}

export interface AnswerStateLineProps {
  state: AnswerState;
  /** The time of that stage, ready to read: «10:42» or «21 мая, 10:42». */
  at?: string | undefined;
  /** Of a file that is being sent. */
  progress?: UploadProgress | undefined;
  /** «Подробнее» at an answer that was set aside, or another action at the end of the line. */
  action?: ReactNode;
}

/** Where the answer is stored, shown beside the answer. Reserves its 44 px when it is empty, so that nothing jumps. */
export function AnswerStateLine({ state, at, progress, action }: AnswerStateLineProps) {
  const words = state === 'sending' ? sendingLabel(progress) : answerStateLabel(state);
  const [head = '', ...rest] = words.split(', ');
  const isLost = state === 'unsaved';
  return (
    <Flex
      align="center"
      gap="0.625rem"
      mih={44}
      mt="xs"
      fz="sm"
      lh="sm"
      className="tabular"
      data-answer-state
    >
      {words !== '' && (
        <>
          <AnswerStateSign state={state} />
          <Text span inherit miw={0} fw={isLost ? 500 : 400} c={isLost ? LOST : 'dimmed'}>
            <Text span inherit fw={500} c={COLORS[state] ?? 'var(--app-text)'}>
              {head}
            </Text>
            {rest.length > 0 && `, ${rest.join(', ')}`}
            {at && (state === 'device' || state === 'server' || state === 'held') ? ` ${at}` : null}
          </Text>
        </>
      )}
      {action && <Box ms="auto">{action}</Box>}
    </Flex>
  );
}

export interface AnswerStateRowProps {
  /** What is being sent: the question's number, «17», or a label such as «Завершение теста». */
  label: ReactNode;
  state: AnswerState;
  /** The second line: a time, «изменено в 10:47». */
  detail?: ReactNode;
}

/** One answer in «Где мои ответы»: number, trail, state and time. */
export function AnswerStateRow({ label, state, detail }: AnswerStateRowProps) {
  return (
    <Flex component="li" align="center" gap="sm" mih={48} py={3} className="tabular line-between">
      <Text span inherit miw="1.375rem" fw={600} ta="end">
        {label}
      </Text>
      <AnswerStateSign state={state} wide />
      <Stack component="span" gap={0} fz="sm" lh="sm" fw={500}>
        <span>{answerStateShort(state)}</span>
        {detail && (
          <Text span inherit fz="xs" fw={400} c="dimmed">
            {detail}
          </Text>
        )}
      </Stack>
    </Flex>
  );
}
