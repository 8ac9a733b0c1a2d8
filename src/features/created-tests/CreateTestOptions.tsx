import { Flex, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { CreateTestButton } from './CreateTestButton.tsx';

/** Buttons «Создать тест» and «Банк вопросов»; in the heading, or stacked above a list. */
export function CreateTestOptions({ isStacked = false }: { isStacked?: boolean }) {
  const bank = (
    <Link to="/bank" className="tap" style={{ justifyContent: 'center' }}>
      Банк вопросов
    </Link>
  );
  if (isStacked) {
    return (
      <Stack gap={4}>
        <CreateTestButton fullWidth />
        {bank}
      </Stack>
    );
  }
  return (
    <Flex align="center" gap="lg">
      {bank}
      <CreateTestButton />
    </Flex>
  );
}
