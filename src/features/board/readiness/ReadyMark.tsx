import { Text, VisuallyHidden } from '@mantine/core';
import { IconDeviceMobileCheck, IconDeviceMobileX } from '@tabler/icons-react';
import { Icon } from '#app/ui/Icon.tsx';
import { isLacking, type StudentVerdict } from './verdicts.ts';

/** Whether the device of a student who has not begun is ready, in a row of the board. */
export function ReadyMark({ judged }: { judged: StudentVerdict | undefined }) {
  if (!judged || judged.verdict === 'begun') return null;
  const isReady = !isLacking(judged);
  return (
    <Text span inherit c={isReady ? 'var(--app-ok-text)' : 'var(--app-warn-text)'} lh={0}>
      <Icon of={isReady ? IconDeviceMobileCheck : IconDeviceMobileX} size={16} />
      <VisuallyHidden>{isReady ? 'устройство готово' : 'устройство не готово'}</VisuallyHidden>
    </Text>
  );
}
