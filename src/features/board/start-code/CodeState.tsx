import { Box, Button, Group, Text } from '@mantine/core';
import { IconArrowsMaximize, IconCopy, IconEye, IconRefresh, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { StartCode } from '#contract/offers.ts';
import { formatCount, STUDENTS } from '#domain/format.ts';
import { formatMoment } from '#domain/format-time.ts';
import { showStartCode } from '#domain/start-code.ts';
import { fromZonedInput, toZonedInput, zoneLabel } from '#domain/zoned-time.ts';
import { useDevice } from '#app/lib/device-services.ts';
import { describeFailure } from '#app/lib/failure-messages.ts';
import { QueryProblem } from '#app/lib/QueryProblem.tsx';
import { useCopied } from '#app/lib/use-copied.ts';
import { useNow } from '#app/lib/use-now.ts';
import { Announcer } from '#app/ui/Announcer.tsx';
import { RowsSkeleton } from '#app/ui/data/RowsSkeleton.tsx';
import { DateTimeField } from '#app/ui/forms/DateTimeField.tsx';
import { FieldError } from '#app/ui/forms/FieldError.tsx';
import { Icon } from '#app/ui/Icon.tsx';
import { ConfirmModal } from '#app/ui/overlays/ConfirmModal.tsx';
import { QuietButton } from '#app/ui/QuietButton.tsx';
import { codeHeading } from './code-heading.ts';
import { startCodeQuery, type ChosenCode } from './queries.ts';
import { StartCodeBoard } from './StartCodeBoard.tsx';
import { useAct, type CodeAct } from './use-act.ts';

const EVERY_MS = 5_000;

/** «Показывать с»: until the first showing. */
function ShowFrom({
  code,
  isBusy,
  onChange,
}: {
  code: StartCode;
  isBusy: boolean;
  onChange: (showFrom: string | null, onSaved: () => void) => void;
}) {
  const { timeZone, serverNow } = useDevice();
  const stored = code.showFrom === null ? '' : toZonedInput(Date.parse(code.showFrom), timeZone);
  const [typed, setTyped] = useState<string | null>(null);
  const value = typed ?? stored;
  const at = fromZonedInput(value, timeZone);
  return (
    <Group align="flex-end" gap="sm">
      <DateTimeField
        label="Не показывать раньше"
        description={`Время школы: ${zoneLabel(serverNow(), timeZone)}. Пусто: можно показать сразу`}
        value={value}
        onChange={setTyped}
      />
      {value !== stored && (
        <Button
          variant="default"
          loading={isBusy}
          disabled={value !== '' && at === null}
          onClick={() =>
            onChange(at === null ? null : new Date(at).toISOString(), () =>
              // What was typed meanwhile is not saved.
              setTyped((now) => (now === value ? null : now)),
            )
          }
        >
          Сохранить время
        </Button>
      )}
    </Group>
  );
}

function Shown({
  code,
  className,
  children,
}: {
  code: string;
  className: string | null;
  children: ReactNode;
}) {
  const [isBoard, setBoard] = useState(false);
  const { state, copy } = useCopied(showStartCode(code));
  return (
    <>
      <Text
        fz="min(1.75rem, 8vw)"
        lh={1.2}
        fw={600}
        lts="0.02em"
        className="nowrap tabular"
        role="img"
        aria-label={`${codeHeading(className)}: ${Array.from(code).join(' ')}`}
      >
        {showStartCode(code)}
      </Text>
      <Group gap="0 0.75rem">
        <QuietButton icon={IconArrowsMaximize} onClick={() => setBoard(true)}>
          На весь экран
        </QuietButton>
        <QuietButton icon={IconCopy} onClick={copy}>
          Копировать
        </QuietButton>
        {children}
        <Text component="output" fz="sm" c="dimmed" flex="1 1 100%">
          {state === 'copied' && 'Код скопирован'}
          {state === 'failed' && 'Скопировать не вышло, выделите код сами'}
        </Text>
      </Group>
      {isBoard && (
        <StartCodeBoard code={code} className={className} onClose={() => setBoard(false)} />
      )}
    </>
  );
}

function Hidden({
  code,
  isBusy,
  onAct,
}: {
  code: StartCode;
  isBusy: boolean;
  onAct: ReturnType<typeof useAct>['mutate'];
}) {
  const { timeZone } = useDevice();
  const now = useNow(EVERY_MS);
  const from = code.showFrom === null ? null : Date.parse(code.showFrom);
  const isEarly = from !== null && now < from;
  return (
    <>
      <Text fz={15} c="dimmed" textWrap="pretty">
        Начать без сети можно только с этого кода. Покажите его, когда класс готов: с этой минуты
        начало засчитывается само, а более раннее ждёт вашего решения.
      </Text>
      <ShowFrom
        code={code}
        isBusy={isBusy}
        onChange={(showFrom, onSaved) =>
          onAct({ kind: 'showFrom', showFrom }, { onSuccess: onSaved })
        }
      />
      <Button
        className="self-start"
        leftSection={<Icon of={IconEye} />}
        loading={isBusy}
        disabled={isEarly}
        onClick={() => onAct({ kind: 'show' })}
      >
        Показать код
      </Button>
      {isEarly && (
        <Text size="sm" c="dimmed">
          Показать можно с этого времени: {formatMoment(from, now, timeZone)}.
        </Text>
      )}
    </>
  );
}

/** The questions before a code stops working. */
const QUESTIONS = {
  renew: { title: 'Сделать новый код?', confirm: 'Новый код', cancel: 'Оставить этот' },
  remove: { title: 'Убрать отдельный код?', confirm: 'Убрать', cancel: 'Оставить' },
} as const;

interface CodeStateProps {
  code: ChosenCode;
  /** The class whose own code it is; null: the common one. */
  className: string | null;
}

/** One code of a test: hidden until the teacher shows it. */
export function CodeState({ code: chosen, className }: CodeStateProps) {
  const { serverNow, timeZone } = useDevice();
  const { data: code, error, refetch } = useQuery(startCodeQuery(chosen));
  const act = useAct(chosen);
  const [question, setQuestion] = useState<keyof typeof QUESTIONS | null>(null);
  if (!code) {
    if (error) return <QueryProblem error={error} onRetry={() => void refetch()} />;
    return <RowsSkeleton rows={2} />;
  }
  const ask = (next: keyof typeof QUESTIONS) => {
    if (act.isError) act.reset();
    setQuestion(next);
  };
  const { shownAt, offers, begun } = code;
  const { groupId } = chosen;
  const problem = act.error ? describeFailure(act.error) : null;
  const remove = groupId !== undefined && begun === 0 && (
    <QuietButton icon={IconTrash} onClick={() => ask('remove')}>
      Убрать отдельный код
    </QuietButton>
  );
  const confirmed: CodeAct | null =
    question === 'remove' && groupId !== undefined
      ? { kind: 'remove', groupId }
      : { kind: 'renew' };
  return (
    <>
      <Text size="sm" c="dimmed" className="tabular">
        Попытка подготовлена: {formatCount(offers, STUDENTS)}. Начали: {begun}.
        {shownAt !== null &&
          ` Код показан: ${formatMoment(Date.parse(shownAt), serverNow(), timeZone)}.`}
      </Text>
      {code.code === null ? (
        <>
          <Hidden code={code} isBusy={act.isPending} onAct={act.mutate} />
          {remove && <Box>{remove}</Box>}
        </>
      ) : (
        <Shown code={code.code} className={className}>
          {begun === 0 && (
            <QuietButton icon={IconRefresh} onClick={() => ask('renew')}>
              Сделать новый код
            </QuietButton>
          )}
          {remove}
        </Shown>
      )}
      <Box role="alert" display={problem === null ? 'none' : undefined}>
        {problem !== null && question === null && <FieldError>{problem}</FieldError>}
      </Box>
      <Announcer words={act.variables?.kind === 'show' && act.isSuccess ? 'Код показан' : ''} />
      <ConfirmModal
        opened={question !== null}
        onClose={() => setQuestion(null)}
        {...QUESTIONS[question ?? 'renew']}
        isBusy={act.isPending}
        problem={problem}
        onConfirm={() => act.mutate(confirmed, { onSuccess: () => setQuestion(null) })}
      >
        <p>
          Нынешний код перестанет действовать. Кто уже начал по нему без сети, продолжит, и начало
          засчитается. Кто начнёт по нему позже, будет ждать вашего решения.
          {question === 'remove' && ' Класс будет начинать по общему коду теста.'} Устройства
          учеников загрузят попытку заново, и для этого им нужна сеть.
        </p>
      </ConfirmModal>
    </>
  );
}
