import { Box, Button, Text } from '@mantine/core';
import { IconChevronDown, IconShieldCheck } from '@tabler/icons-react';
import { FieldError } from '#app/ui/forms/FieldError.tsx';
import { Icon } from '#app/ui/Icon.tsx';

export interface DisclosurePanelProps {
  readonly host: string;
  readonly model: string;
  readonly isDisclosed: boolean;
  /** A request was made before acknowledging. */
  readonly isMissed: boolean;
  readonly onDisclosed: () => void;
}

/** «Что уйдёт провайдеру»: expanded until acknowledged, then collapsed. */
export function DisclosurePanel({
  host,
  model,
  isDisclosed,
  isMissed,
  onDisclosed,
}: DisclosurePanelProps) {
  return (
    <Text component="details" className="line-above" size="sm" pt="sm" open={!isDisclosed}>
      <Box component="summary" fw={500}>
        <Icon of={IconShieldCheck} />
        Что уйдёт провайдеру
        <Icon of={IconChevronDown} size={16} />
      </Box>
      <p>
        Вопросы пишет модель <b>{model}</b> на <b>{host}</b>. Туда уйдут:
      </p>
      <Box component="ul" mt={4} mb="sm" ps="1.25rem" style={{ listStyle: 'disc' }}>
        <li>тема, предмет, сложность и пожелания;</li>
        <li>вставленный текст или текст документа;</li>
        <li>начала вопросов этого теста, чтобы они не повторялись;</li>
        <li>вопрос целиком, если вы просите его изменить.</li>
      </Box>
      <p>
        Имена учеников, их ответы и другие тесты не уходят. Не вставляйте в текст чужих личных
        данных. Сам ИИ ничего не публикует: каждый вопрос принимаете вы.
      </p>
      {!isDisclosed && (
        <Box component="p" mt="xs">
          <Button size="sm" variant="default" onClick={onDisclosed}>
            Понятно
          </Button>
        </Box>
      )}
      <div role="alert">
        {isMissed && !isDisclosed && (
          <FieldError>Сначала прочтите, что уйдёт провайдеру, и нажмите «Понятно»</FieldError>
        )}
      </div>
    </Text>
  );
}
