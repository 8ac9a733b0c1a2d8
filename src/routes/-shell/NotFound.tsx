import { Button, Flex, Group, Stack } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { formatCount } from '#domain/format.ts';
import { usePageTitle } from '#app/ui/layout/use-page-title.ts';

const SECONDS = 3;

/** Any other path: «not found», with a redirect to the home page after three seconds, unless the reader stays. */
export function NotFound() {
  usePageTitle('Страница не найдена');
  const navigate = useNavigate();
  const [left, setLeft] = useState(SECONDS);
  const [isStaying, setStaying] = useState(false);
  useEffect(() => {
    if (isStaying) return;
    const timer = setTimeout(() => {
      if (left > 1) setLeft(left - 1);
      else void navigate({ to: '/', replace: true });
    }, 1_000);
    return () => clearTimeout(timer);
  }, [left, isStaying, navigate]);
  return (
    <Flex component="main" align="center" justify="center" mih="100dvh" p="var(--app-side)">
      <Stack align="center" gap="sm" ta="center">
        <h1>Страница не найдена!</h1>
        <p className="tabular">
          {isStaying
            ? 'Такого адреса здесь нет. Проверьте его или откройте главную'
            : `Откроем главную через ${formatCount(left, ['секунду', 'секунды', 'секунд'])}`}
        </p>
        <Group justify="center">
          {/* Stays where it is, since it has the focus. */}
          <Button variant="default" aria-pressed={isStaying} onClick={() => setStaying(true)}>
            Остаться
          </Button>
          <Link to="/" replace className="tap">
            На главную
          </Link>
        </Group>
      </Stack>
    </Flex>
  );
}
