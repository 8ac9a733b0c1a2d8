import { Box, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { IconArrowsMaximize, IconCopy, IconEye, IconRefresh } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  changeStartCode,
  renewStartCode,
  revealStartCode,
  type StartCode,
} from '#contract/offers.ts';
import { formatCount, STUDENTS } from '#domain/format.ts';
import { formatMoment } from '#domain/format-time.ts';
import { showStartCode } from '#domain/start-code.ts';
import { fromZonedInput, toZonedInput, zoneLabel } from '#domain/zoned-time.ts';
import { call } from '#app/api/call.ts';
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
import { renewStartCodes, startCodeQuery } from './queries.ts';
import { StartCodeBoard } from './StartCodeBoard.tsx';

const EVERY_MS = 5_000;

/** What the teacher can do with the code. */
type Act =
  | { readonly kind: 'show' | 'renew' }
  | { readonly kind: 'showFrom'; readonly showFrom: string | null };

function useAct(testId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (act: Act) => {
      const params = { id: testId };
      if (act.kind === 'showFrom')
        return call(changeStartCode, { params, body: { showFrom: act.showFrom } });
      return call(act.kind === 'show' ? revealStartCode : renewStartCode, { params });
    },
    onSuccess: (code) => client.setQueryData(startCodeQuery(testId).queryKey, code),
    onError: () => renewStartCodes(client),
  });
}

/** «Показывать с»: until the first showing. */
function ShowFrom({
  code,
  isBusy,
  onChange,
}: {
  code: StartCode;
  isBusy: boolean;
  onChange: (showFrom: string | null) => void;
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
          onClick={() => {
            setTyped(null);
            onChange(at === null ? null : new Date(at).toISOString());
          }}
        >
          Сохранить время
        </Button>
      )}
    </Group>
  );
}

function Shown({ code, onRenew }: { code: string; onRenew: (() => void) | null }) {
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
        aria-label={`Код начала: ${Array.from(code).join(' ')}`}
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
        {onRenew && (
          <QuietButton icon={IconRefresh} onClick={onRenew}>
            Сделать новый код
          </QuietButton>
        )}
        <Text component="output" fz="sm" c="dimmed" flex="1 1 100%">
          {state === 'copied' && 'Код скопирован'}
          {state === 'failed' && 'Скопировать не вышло, выделите код сами'}
        </Text>
      </Group>
      {isBoard && <StartCodeBoard code={code} onClose={() => setBoard(false)} />}
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
  onAct: (act: Act) => void;
}) {
  const { timeZone } = useDevice();
  const now = useNow(EVERY_MS);
  const from = code.showFrom === null ? null : Date.parse(code.showFrom);
  const isEarly = from !== null && now < from;
  return (
    <>
      <Text fz={15} c="dimmed" textWrap="pretty">
        Начать без сети можно только с этого кода. Покажите его, когда класс готов: с этой минуты
        начало считается честным, а более раннее ждёт вашего решения.
      </Text>
      <ShowFrom
        code={code}
        isBusy={isBusy}
        onChange={(showFrom) => onAct({ kind: 'showFrom', showFrom })}
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

/** The start code of a test that may begin without a network: hidden until the teacher shows it. */
export function StartCodePanel({ testId }: { testId: string }) {
  const { serverNow, timeZone } = useDevice();
  const { data: code, error, refetch } = useQuery(startCodeQuery(testId));
  const act = useAct(testId);
  const [isRenewing, setRenewing] = useState(false);
  if (!code) {
    if (error) return <QueryProblem error={error} onRetry={() => void refetch()} />;
    return <RowsSkeleton rows={2} />;
  }
  const { shownAt, offers, begun } = code;
  const problem = act.error ? describeFailure(act.error) : null;
  return (
    <Paper component="section" p="md" aria-label="Начало без сети">
      <Stack gap="sm">
        <Title order={2} fz={17}>
          Начало без сети
        </Title>
        <Text size="sm" c="dimmed" className="tabular">
          Попытка подготовлена: {formatCount(offers, STUDENTS)}. Начали: {begun}.
          {shownAt !== null &&
            ` Код показан: ${formatMoment(Date.parse(shownAt), serverNow(), timeZone)}.`}
        </Text>
        {code.code === null ? (
          <Hidden code={code} isBusy={act.isPending} onAct={act.mutate} />
        ) : (
          <Shown code={code.code} onRenew={begun > 0 ? null : () => setRenewing(true)} />
        )}
        <Box role="alert" display={problem === null ? 'none' : undefined}>
          {problem !== null && !isRenewing && <FieldError>{problem}</FieldError>}
        </Box>
      </Stack>
      <Announcer words={act.variables?.kind === 'show' && act.isSuccess ? 'Код показан' : ''} />
      <ConfirmModal
        opened={isRenewing}
        onClose={() => setRenewing(false)}
        title="Сделать новый код?"
        confirm="Новый код"
        cancel="Оставить этот"
        isBusy={act.isPending}
        problem={problem}
        onConfirm={() => act.mutate({ kind: 'renew' }, { onSuccess: () => setRenewing(false) })}
      >
        <p>
          Нынешний код перестанет действовать. Устройства учеников загрузят попытку заново, и для
          этого им нужна сеть.
        </p>
      </ConfirmModal>
    </Paper>
  );
}
