import { Button, Flex, Group } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { formatClock } from '#domain/format-time.ts';
import { useDevice } from '#app/lib/device-services.ts';
import { FieldError } from '#app/ui/forms/FieldError.tsx';
import { keepFocus } from '#app/ui/forms/FormFoot.tsx';
import { Icon } from '#app/ui/Icon.tsx';
import { Trail } from '#app/ui/taking/Trail.tsx';
import { cx } from '#app/ui/cx.ts';
import classes from './settings.module.css';
import type { SettingsForm } from './use-settings-form.ts';

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
    <div className={cx('bottom-bar', classes.bar)}>
      <div role="alert">
        <FieldError>{settings.problem}</FieldError>
      </div>
      <Group gap="xs">
        <Flex
          component="p"
          className={cx('tabular', classes.state)}
          role="status"
          align="center"
          gap="xs"
          mih={24}
          fz="sm"
        >
          <State settings={settings} />
        </Flex>
        {settings.touched.length > 0 && (
          <Button variant="default" size="sm" onClick={settings.reset} disabled={settings.isSaving}>
            Отменить правки
          </Button>
        )}
        <Button type="submit" size="sm" onMouseDown={keepFocus} loading={settings.isSaving}>
          Сохранить
        </Button>
      </Group>
    </div>
  );
}
