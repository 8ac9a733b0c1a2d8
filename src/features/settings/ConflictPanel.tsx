import { Box, Button, Flex, Group, Text } from '@mantine/core';
import { IconArrowsSplit2 } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { formatMoment } from '#domain/format-time.ts';
import { useDevice } from '#app/lib/device-services.ts';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { SwitchField } from '#app/ui/forms/SwitchField.tsx';
import { draftOf, type SettingsField } from './settings-draft.ts';
import { FIELD_LABELS, formatSetting } from './messages.ts';
import { SettingsSection } from './SettingsSection.tsx';
import type { SettingsForm } from './use-settings-form.ts';
import { columnsOf } from '#app/ui/columns.ts';

/** The test was changed elsewhere: both versions side by side, and the local fields to reapply. */
export function ConflictPanel({ settings }: { settings: SettingsForm }) {
  const { serverNow, timeZone } = useDevice();
  const { conflict, draft, touched } = settings;
  const [dropped, setDropped] = useState<ReadonlySet<SettingsField>>(new Set());
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  if (!conflict) return null;
  const { theirs, updatedBy, theirFields } = conflict;
  const when = { now: serverNow(), timeZone };
  const theirDraft = draftOf(theirs, timeZone);
  const remaining = touched.filter((field) => !dropped.has(field));
  const others = theirFields.filter((field) => !touched.includes(field));
  return (
    <SettingsSection
      id="conflict"
      heading="Тест изменили, пока вы его правили"
      headingRef={heading}
    >
      <InlineNote tone="warn" icon={IconArrowsSplit2}>
        {updatedBy === null ? 'Изменено' : `${updatedBy}: изменено`}{' '}
        {formatMoment(new Date(theirs.updatedAt), when.now, timeZone)}. Ваши правки не записаны и не
        потеряны: они ниже. Отметьте, какие перенести в новую версию.
      </InlineNote>
      <Flex component="ul" direction="column" gap="sm">
        {touched.map((field) => (
          <Box
            key={field}
            component="li"
            p="0.5rem 0.875rem 0.875rem"
            bd="1px solid var(--app-line)"
            bdrs="lg"
          >
            <SwitchField
              label={FIELD_LABELS[field]}
              value={!dropped.has(field)}
              onChange={(checked) => {
                const next = new Set(dropped);
                if (checked) next.delete(field);
                else next.add(field);
                setDropped(next);
              }}
            />
            <Box component="dl" {...columnsOf('min(100%, max(16rem, 45%))', { gap: '0.5rem' })}>
              <div>
                <Text component="dt" size="sm" c="dimmed">
                  У вас
                </Text>
                <Box component="dd" className="break-anywhere pre-wrap">
                  {formatSetting(draft, field, when)}
                </Box>
              </div>
              <div>
                <Text component="dt" size="sm" c="dimmed">
                  {theirFields.includes(field) ? 'В новой версии' : 'Было и осталось'}
                </Text>
                <Box component="dd" className="break-anywhere pre-wrap">
                  {formatSetting(theirDraft, field, when)}
                </Box>
              </div>
            </Box>
          </Box>
        ))}
      </Flex>
      {others.length > 0 && (
        <Text size="sm" c="dimmed" textWrap="pretty">
          Ещё изменено там: {others.map((field) => FIELD_LABELS[field].toLowerCase()).join(', ')}.
        </Text>
      )}
      <Group gap="xs" align="stretch">
        <Button onClick={() => settings.takeTheirs(remaining)}>
          {remaining.length > 0
            ? 'Показать новую версию с моими правками'
            : 'Показать новую версию'}
        </Button>
      </Group>
    </SettingsSection>
  );
}
