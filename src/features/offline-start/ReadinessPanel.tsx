import { Box, Button, Stack } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCloudDownload,
  IconInfoCircle,
} from '@tabler/icons-react';
import { useState } from 'react';
import type { ReadinessProblem } from '#contract/readiness.ts';
import { isAdvice } from '#domain/readiness.ts';
import { formatMoment } from '#domain/format-time.ts';
import { useDevice, useShownZone } from '#app/lib/device-services.ts';
import { isDeviceReady, problemsOf } from '#app/offers/readiness.ts';
import { useApplyUpdate } from '#app/offline/use-apply-update.ts';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { CHECK_LABELS, readinessMessage } from './messages.ts';
import { LOADED, type CheckedDevice, type DeviceReadinessChecks } from './use-readiness.ts';

const LOOKS = {
  loading: { tone: 'quiet', icon: IconCloudDownload, text: 'Загружаем тест…' },
  ready: { tone: 'ok', icon: IconCircleCheck, text: 'Устройство готово к контрольной.' },
  unready: {
    tone: 'warn',
    icon: IconAlertTriangle,
    text: 'Устройство пока не готово к контрольной.',
  },
} as const;

/** A button that is busy until its work is over. */
function ActButton({ label, act }: { label: string; act: () => Promise<void> }) {
  const [isBusy, setBusy] = useState(false);
  return (
    <Button
      variant="default"
      size="sm"
      loading={isBusy}
      onClick={() => {
        setBusy(true);
        void act().finally(() => setBusy(false));
      }}
    >
      {label}
    </Button>
  );
}

function UpdateProblem() {
  const { refusal, apply } = useApplyUpdate(false);
  return (
    <InlineNote
      tone="warn"
      icon={IconAlertTriangle}
      role={refusal === null ? 'note' : 'status'}
      action={
        <Button variant="default" size="sm" onClick={apply}>
          Обновить приложение
        </Button>
      }
    >
      {refusal ?? readinessMessage('updateWaiting')}
    </InlineNote>
  );
}

function Problem({
  problem,
  persist,
}: { problem: ReadinessProblem } & Pick<DeviceReadinessChecks, 'persist'>) {
  if (problem === 'updateWaiting') return <UpdateProblem />;
  const isMinor = isAdvice(problem);
  return (
    <InlineNote
      tone={isMinor ? 'quiet' : 'warn'}
      icon={isMinor ? IconInfoCircle : IconAlertTriangle}
      action={
        problem === 'notPersisted' && <ActButton label="Попросить браузер ещё раз" act={persist} />
      }
    >
      {readinessMessage(problem)}
    </InlineNote>
  );
}

/** What was found to be all right. */
function Passed({ checks }: Pick<CheckedDevice, 'checks'>) {
  const passed = checks.filter(({ problem }) => problem === null);
  if (passed.length === 0) return null;
  return (
    <details>
      <Box component="summary" className="tap" fz="sm">
        Что проверено
      </Box>
      <Box component="ul" fz="sm" c="dimmed" pt="xs" ps="lg" style={{ listStyle: 'disc' }}>
        {passed.map(({ name }) => (
          <li key={name}>{CHECK_LABELS[name]}</li>
        ))}
      </Box>
    </details>
  );
}

/** Whether the device is ready for the test, and what to do if it is not. */
export function ReadinessPanel({
  device,
  isOver,
  isLoading,
  recheck,
  persist,
}: DeviceReadinessChecks & {
  device: CheckedDevice;
  /** The test cannot begin any more, as far as is known here. */
  isOver: boolean;
}) {
  const { serverNow } = useDevice();
  const timeZone = useShownZone();
  const { checks, checkedAt } = device;
  const isReady = !isOver && isDeviceReady(checks);
  const problems = problemsOf(checks).filter((problem) => !isLoading || !LOADED.has(problem));
  const look = isLoading ? LOOKS.loading : isReady ? LOOKS.ready : LOOKS.unready;
  return (
    <Stack component="section" gap="xs" aria-label="Готовность устройства">
      <InlineNote
        tone={look.tone}
        icon={look.icon}
        action={<ActButton label="Проверить снова" act={recheck} />}
      >
        <span role="status">{look.text}</span> Проверено:{' '}
        {formatMoment(checkedAt, serverNow(), timeZone)}.
      </InlineNote>
      {problems.length > 0 && (
        <Stack component="ul" gap="xs">
          {problems.map((problem) => (
            <li key={problem}>
              <Problem problem={problem} persist={persist} />
            </li>
          ))}
        </Stack>
      )}
      <Passed checks={checks} />
    </Stack>
  );
}
