import { Box, Text } from '@mantine/core';
import { FormField } from '#app/ui/forms/FormField.tsx';
import { NumberField } from '#app/ui/forms/NumberField.tsx';
import { SwitchField } from '#app/ui/forms/SwitchField.tsx';
import { FIELD_LABELS } from './messages.ts';
import { SettingsSection } from './SettingsSection.tsx';
import type { SettingsForm } from './use-settings-form.ts';

/** Whether the test may begin without a network, and until when its answers then count. */
export function OfflineSection({ settings: { form, draft } }: { settings: SettingsForm }) {
  return (
    <SettingsSection id="offline" heading="Если сети нет">
      <FormField
        of={form}
        name="offlineStart"
        component={SwitchField}
        label={FIELD_LABELS.offlineStart}
        description="Устройства учеников заранее загрузят свою попытку в зашифрованном виде. На уроке её открывает код, который вы покажете"
      />
      {/* A field that is absent would be missing in what is saved. */}
      <Box display={draft.offlineStart ? undefined : 'none'}>
        <FormField
          of={form}
          name="offlineWindow"
          component={NumberField}
          label={FIELD_LABELS.offlineWindow}
          description="Пусто: до конца дня по времени школы. О более поздних решаете вы"
        />
        <Text size="sm" c="dimmed" mt="md" textWrap="pretty">
          Каждый ученик должен заранее открыть приложение с сетью на том устройстве, на котором
          будет писать: на новом устройстве без сети не начать. Оценки появятся, когда ответы дойдут
          до сервера. Код появится на странице «Ход теста».
        </Text>
      </Box>
    </SettingsSection>
  );
}
