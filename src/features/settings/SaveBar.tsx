import { Box, Button, Flex, Group } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { formatClock } from '#domain/format-time.ts';
import { useDevice } from '#app/lib/device-services.ts';
import { FieldError } from '#app/ui/forms/FieldError.tsx';
import { keepFocus } from '#app/ui/forms/FormFoot.tsx';
import { Icon } from '#app/ui/Icon.tsx';
import { Trail } from '#app/ui/taking/Trail.tsx';
import type { SettingsForm } from './use-settings-form.ts';

/** On phones the state has a line of its own, and the buttons share the next one. */
const BUTTON = { size: 'sm', flex: { base: '1 1 auto', sm: '0 1 auto' } } as const;

/** The end of the form's card. */
const FROM_DESKTOP = {
  bottom: { md: 0 },
  mx: { md: '-1.5rem' },
  px: { md: '1.5rem' },
  bdrs: { md: '0 0 var(--mantine-radius-lg) var(--mantine-radius-lg)' },
} as const;

/** State of the settings: edited, saving or saved. */
function State({ settings }: { settings: SettingsForm }) {
  const { timeZone } = useDevice();
  const { isSaving, touched, savedAt, isInvalid } = settings;
  if (isSaving) {
    return (
      <>
        <Trail stage="sending" />
        Сохраняем
      </>
    );
  }
  if (isInvalid) return <>Не сохранено: исправьте отмеченные поля</>;
  if (touched.length > 0) {
    return (
      <>
        <Icon of={IconPencil} />
        Есть несохранённые правки
      </>
    );
  }
  if (savedAt === null) return <>Правок нет</>;
  return (
    <>
      <Trail stage="server" />
      Сохранено на сервере {formatClock(savedAt, timeZone)}
    </>
  );
}

/** The sticky footer of the form with the save button. */
export function SaveBar({ settings }: { settings: SettingsForm }) {
  return (
    <Box className="bottom-bar" {...FROM_DESKTOP}>
      <div role="alert">
        <FieldError>{settings.problem}</FieldError>
      </div>
      <Group gap="xs">
        <Flex
          component="p"
          className="tabular"
          flex={{ base: '1 1 100%', sm: '1 1 auto' }}
          role="status"
          align="center"
          gap="xs"
          mih={24}
          fz="sm"
        >
          <State settings={settings} />
        </Flex>
        {settings.touched.length > 0 && (
          <Button
            {...BUTTON}
            variant="default"
            onClick={settings.reset}
            disabled={settings.isSaving}
          >
            Отменить правки
          </Button>
        )}
        <Button {...BUTTON} type="submit" onMouseDown={keepFocus} loading={settings.isSaving}>
          Сохранить
        </Button>
      </Group>
    </Box>
  );
}
